/** Words of where events are passed on to, on Ingestion. */
import type { RelayProblemKind } from '#src/relay/contract.ts';
import type { Part } from './part.ts';

const en = {
  upstream: 'Upstream',
  relayTo: (host: string) => `Events are passed on to ${host}. Nothing is stored here.`,
  mirrorTo: (host: string) => `Events are stored here and passed on to ${host}.`,
  abroad:
    'That host may be outside Brazil: an international transfer of personal data, which LGPD Art. 33 allows only under its conditions.',
  passed: 'Passed on',
  failed: 'Not answered',
  inFlight: 'Under way, in this process',
  queued: 'Waiting',
  refused: 'Refused for good',
  refusedLatest: 'Refused for good (only the latest are kept)',
  skipped: 'Not queued: queue full',
  /** The bytes of a request are not changed: what it says of when it was sent is old by then. */
  late: (since: string) =>
    `The oldest waiting request came ${since}. The upstream may date the events in it too late by as much.`,
  lastProblem: 'Last problem',
  none: 'None',
  since: (time: string) => `Since ${time}`,
  retry: 'Send the refused again',
  retrying: 'Queueing…',
  retried: (requests: string) => `${requests} wait to be sent again.`,
  test: 'Test the connection',
  testing: 'Testing…',
  testOk: (status: number, took: string) => `It answered ${status} after ${took}.`,
  /** What went wrong; behind it stands what exactly was said. */
  problems: {
    refused: () => 'Nothing listens at its address: the connection was refused.',
    name: () => 'Its name leads nowhere (DNS).',
    tls: () => 'No secure connection to it: something is wrong with its certificate (TLS).',
    late: () => 'It took too long.',
    brokenOff: () => 'It broke the connection off.',
    unreachable: () => 'It could not be reached.',
    key: () => 'It does not know the key that came: check PUBLIC_POSTHOG_KEY and the key in your pages.',
    busy: () => 'It has too much to do at the moment (429).',
    declined: (status) => `It did not accept a request (${status}).`,
    failing: (status) => `It has a problem of its own (${status}).`,
    queueFull: () => 'Too much waits for it: new requests are stored here, and not passed on.',
  } as Record<RelayProblemKind, (status: string) => string>,
};

const ptBR: typeof en = {
  upstream: 'Destino',
  relayTo: (host) => `Os eventos são repassados a ${host}. Nada é guardado aqui.`,
  mirrorTo: (host) => `Os eventos são guardados aqui e repassados a ${host}.`,
  abroad:
    'Esse endereço pode ficar fora do Brasil: é uma transferência internacional de dados pessoais, permitida só nas condições do art. 33 da LGPD.',
  passed: 'Repassados',
  failed: 'Sem resposta',
  inFlight: 'Em andamento, neste processo',
  queued: 'Esperando',
  refused: 'Recusados de vez',
  refusedLatest: 'Recusados de vez (só os últimos ficam guardados)',
  skipped: 'Fora da fila: fila cheia',
  late: (since) =>
    `A requisição mais antiga na fila chegou ${since}. O destino pode datar os eventos dela com esse mesmo atraso.`,
  lastProblem: 'Último problema',
  none: 'Nenhum',
  since: (time) => `Desde ${time}`,
  retry: 'Reenviar os recusados',
  retrying: 'Pondo na fila…',
  retried: (requests) => `${requests} esperam o reenvio.`,
  test: 'Testar a conexão',
  testing: 'Testando…',
  testOk: (status, took) => `Respondeu ${status} em ${took}.`,
  problems: {
    refused: () => 'Ninguém atende nesse endereço: a conexão foi recusada.',
    name: () => 'O nome dele não leva a lugar nenhum (DNS).',
    tls: () => 'Não há conexão segura com ele: há algo errado com o certificado (TLS).',
    late: () => 'Ele demorou demais.',
    brokenOff: () => 'Ele interrompeu a conexão.',
    unreachable: () => 'Não foi possível alcançá-lo.',
    key: () => 'Ele não conhece a chave recebida: confira PUBLIC_POSTHOG_KEY e a chave das suas páginas.',
    busy: () => 'Ele está sobrecarregado no momento (429).',
    declined: (status) => `Ele não aceitou uma requisição (${status}).`,
    failing: (status) => `Ele está com um problema (${status}).`,
    queueFull: () => 'Há coisas demais esperando por ele: novas requisições são guardadas aqui e não são repassadas.',
  },
};

export const upstreamWords: Part<typeof en> = { en, 'pt-BR': ptBR };
