/** Words of where events are passed on to, on Ingestion. */
import type { RelayProblemKind } from '#src/relay/contract.ts';
import type { Part } from './part.ts';

const en = {
  upstream: 'Upstream',
  relayTo: (host: string) => `Events are relayed to ${host}. Nothing is stored on this server.`,
  mirrorTo: (host: string) => `Events are stored here and forwarded to ${host}.`,
  abroad:
    'The upstream may be outside Brazil. Transferring personal data abroad requires a legal basis under the LGPD (art. 33).',
  passed: 'Forwarded',
  failed: 'Failed',
  inFlight: 'In flight (this process)',
  queued: 'Queued',
  refused: 'Permanently rejected',
  refusedLatest: 'Permanently rejected (only the latest are kept)',
  skipped: 'Not queued (queue full)',
  /** Requests are forwarded unchanged, so their time of sending is old by then. */
  late: (since: string) => `Oldest queued request: ${since}. The upstream may timestamp its events late by as much.`,
  lastProblem: 'Last error',
  none: 'None',
  since: (time: string) => `Since ${time}`,
  retry: 'Retry rejected requests',
  retrying: 'Queueing…',
  retried: (requests: string) => `${requests} queued for retry`,
  test: 'Test connection',
  testing: 'Testing…',
  testOk: (status: number, took: string) => `Responded with ${status} in ${took}`,
  /** Problem by kind, followed by the exact message. */
  problems: {
    refused: () => 'Connection refused. Nothing is listening at this address.',
    name: () => 'DNS lookup failed. Check the host name.',
    tls: () => 'TLS error. Check the upstream’s certificate.',
    late: () => 'Request timed out.',
    brokenOff: () => 'The upstream closed the connection.',
    unreachable: () => 'Upstream unreachable.',
    key: () => 'Unknown project token. Check PUBLIC_POSTHOG_KEY and the token in your snippet.',
    busy: () => 'Upstream is rate limiting (429).',
    declined: (status) => `Upstream rejected a request (${status}).`,
    failing: (status) => `Upstream error (${status}).`,
    queueFull: () => 'Queue full. New requests are stored here but not forwarded.',
  } as Record<RelayProblemKind, (status: string) => string>,
};

const ptBR: typeof en = {
  upstream: 'Destino',
  relayTo: (host) => `Os eventos são encaminhados para ${host}. Nada é armazenado aqui.`,
  mirrorTo: (host) => `Os eventos são armazenados aqui e encaminhados para ${host}.`,
  abroad:
    'O destino pode estar fora do Brasil. Nesse caso há transferência internacional de dados pessoais, permitida só nas hipóteses do art. 33 da LGPD.',
  passed: 'Encaminhadas',
  failed: 'Sem resposta',
  inFlight: 'Em andamento (este processo)',
  queued: 'Na fila',
  refused: 'Rejeitadas em definitivo',
  refusedLatest: 'Rejeitadas em definitivo (só as últimas ficam armazenadas)',
  skipped: 'Fora da fila (fila cheia)',
  late: (since) =>
    `A requisição mais antiga na fila chegou ${since}. O destino pode registrar os eventos com esse atraso.`,
  lastProblem: 'Último erro',
  none: 'Nenhum',
  since: (time) => `Desde ${time}`,
  retry: 'Reenviar requisições recusadas',
  retrying: 'Colocando na fila…',
  retried: (requests) => `${requests} na fila para reenvio`,
  test: 'Testar conexão',
  testing: 'Testando…',
  testOk: (status, took) => `Respondeu ${status} em ${took}.`,
  problems: {
    refused: () => 'Conexão recusada: nenhum serviço nesse endereço.',
    name: () => 'Nome não encontrado (DNS).',
    tls: () => 'Falha na conexão segura: problema no certificado (TLS).',
    late: () => 'Tempo limite esgotado.',
    brokenOff: () => 'O destino encerrou a conexão.',
    unreachable: () => 'Não foi possível conectar ao destino.',
    key: () => 'Chave não reconhecida. Confira PUBLIC_POSTHOG_KEY e a chave nas suas páginas.',
    busy: () => 'Destino sobrecarregado (429).',
    declined: (status) => `O destino recusou uma requisição (${status}).`,
    failing: (status) => `Erro no destino (${status}).`,
    queueFull: () => 'Fila cheia: novas requisições são armazenadas aqui e não são encaminhadas.',
  },
};

export const upstreamWords: Part<typeof en> = { en, 'pt-BR': ptBR };
