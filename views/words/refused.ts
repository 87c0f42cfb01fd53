/** Words of requests that were refused as a whole: on Status by reason, on Ingestion by minute. */
import type { RefusalReason } from '#src/collect/contract.ts';
import type { Part } from './part.ts';

const en = {
  refused: 'Rejected requests',
  refusedNote: 'All projects, last hour',
  minutes: 'Rejected requests per minute, last 60 minutes, all projects',
  whose: 'Requests rejected as a whole belong to no project. Only server administrators see this.',
  none: 'No rejected requests in the last hour',
  that: 'Reason',
  times: 'Count',
  last: 'Last seen',
  byMinute: 'By minute',
  minute: 'Minute',
  refusals: {
    invalid: 'Unreadable request (400)',
    token: 'Unknown project token (401)',
    slow: 'Request timed out (408)',
    too_large: 'Request too large (413)',
    overload: 'Server overloaded; clients retry (503)',
    unavailable: 'Database unavailable, not buffered; clients retry (503)',
  } as Record<RefusalReason, string>,
};

const ptBR: typeof en = {
  refused: 'Requisições recusadas',
  refusedNote: 'Todos os projetos, última hora',
  minutes: 'Requisições recusadas por minuto, últimos 60 min, todos os projetos',
  whose:
    'Requisições recusadas por inteiro não chegam a nenhum projeto. Visível só para o administrador deste servidor.',
  none: 'Nenhuma requisição recusada na última hora.',
  that: 'Motivo',
  times: 'Ocorrências',
  last: 'Última',
  byMinute: 'Por minuto',
  minute: 'Minuto',
  refusals: {
    invalid: 'Formato ilegível (400)',
    token: 'Token sem projeto (401)',
    slow: 'Envio lento demais (408)',
    too_large: 'Tamanho acima do limite (413)',
    overload: 'Sobrecarga: o cliente reenvia (503)',
    unavailable: 'Banco indisponível: o cliente reenvia (503)',
  },
};

export const refusedWords: Part<typeof en> = { en, 'pt-BR': ptBR };
