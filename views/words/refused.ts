/** Words of requests that were refused as a whole: on Status by reason, on Ingestion by minute. */
import type { RefusalReason } from '#src/collect/contract.ts';
import type { Part } from './part.ts';

const en = {
  refused: 'Refused requests',
  refusedNote: 'All projects, last hour',
  minutes: 'Requests refused by minute, last 60 minutes, all projects',
  whose: 'A request that was refused as a whole reached no project. You see these because you run this installation.',
  none: 'No request was refused in the last hour.',
  that: 'Requests that',
  times: 'Times',
  last: 'Last',
  byMinute: 'By minute',
  minute: 'Minute',
  refusals: {
    invalid: 'could not be read (400)',
    token: 'came with a token that belongs to no project (401)',
    slow: 'were sent too slowly (408)',
    too_large: 'were too large (413)',
    overload: 'were more than can be taken at once: they are sent again (503)',
    unavailable: 'could not be kept while the database was away: they are sent again (503)',
  } as Record<RefusalReason, string>,
};

const ptBR: typeof en = {
  refused: 'Requisições recusadas',
  refusedNote: 'Todos os projetos, última hora',
  minutes: 'Requisições recusadas por minuto, últimos 60 minutos, todos os projetos',
  whose:
    'Uma requisição recusada por inteiro não chegou a nenhum projeto. Você vê estas porque administra esta instalação.',
  none: 'Nenhuma requisição foi recusada na última hora.',
  that: 'Requisições que',
  times: 'Vezes',
  last: 'Última',
  byMinute: 'Por minuto',
  minute: 'Minuto',
  refusals: {
    invalid: 'não puderam ser lidas (400)',
    token: 'vieram com um token que não é de nenhum projeto (401)',
    slow: 'foram enviadas devagar demais (408)',
    too_large: 'eram grandes demais (413)',
    overload: 'eram mais do que cabe de uma vez: são enviadas de novo (503)',
    unavailable: 'não puderam ser guardadas com o banco de dados fora: são enviadas de novo (503)',
  },
};

export const refusedWords: Part<typeof en> = { en, 'pt-BR': ptBR };
