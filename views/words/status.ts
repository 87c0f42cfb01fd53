/** Words of the screen about the installation itself. */
import type { ProcessRole } from '#src/processes/contract.ts';
import type { StatusWarning } from '#src/status/contract.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'Status',
  warnings: {
    disk: 'Low disk space. Free up space or set a retention period in project settings.',
    spool:
      'Events are buffered on disk because the database isn’t accepting them. They are stored automatically once it does.',
    jobs: 'Background jobs are failing. See the table below.',
    behind: 'Database schema is outdated. Run the migrations of this release.',
    secret:
      'AUTH_SECRET is not set, so the session signing key is stored in the database and in every dump. Set AUTH_SECRET; to keep sessions valid, use the value of the row “auth” in the table “secrets”.',
    connections:
      'PostgreSQL has refused connections within the last hour because its limit was reached. Lower DATABASE_CONNECTIONS of each process, or raise the limit.',
  } as Record<StatusWarning, string>,
  fine: 'No issues found',
  running: 'System',
  version: 'Luneta',
  node: 'Node',
  postgres: 'PostgreSQL',
  since: 'Running since',
  memory: 'Memory',
  processes: 'Processes',
  process: 'Process',
  roles: { web: 'Web', worker: 'Background jobs' } as Record<ProcessRole, string>,
  host: 'Host',
  migrations: 'Schema',
  migrationsOf: (applied: string, known: string, last: string) =>
    `${applied} of ${known} migrations applied, latest: ${last}`,
  connections: 'Database connections',
  connectionsOf: (limit: string) => `At most ${limit} in this process`,
  connectionsRefused: (n: number, text: string, last: string) =>
    `${counted(n, text, 'attempt', 'attempts')} refused, last ${last}`,
  mail: 'Email',
  mailFrom: (from: string) => `Sent from ${from}`,
  mailOff: 'Not set up. Links are shown for copying.',
  spoolTitle: 'Buffered on disk',
  spoolNone: 'None',
  spoolWaiting: (n: string, bytes: string) => `${n} events, ${bytes}`,
  database: 'Database',
  databaseText: (bytes: string) => `${bytes} total. Size per project is estimated from its events.`,
  project: 'Project',
  team: 'Team',
  events: 'Events',
  size: 'Estimated size',
  perDay: 'Per day',
  perDayOf: (n: number, events: string, bytes: string) => `${counted(n, events, 'event', 'events')}, ${bytes}`,
  disks: 'Disks',
  disk: { database: 'Database', spool: 'Event buffer (this process)' },
  free: (free: string, total: string) => `${free} of ${total} free`,
  daysLeft: (n: number, text: string) => `full in about ${counted(n, text, 'day', 'days')} at the current rate`,
  refused: 'Rejected requests (last day)',
  slow: 'Slow queries (last day)',
  slowNone: 'No queries over 0.5 s',
  took: 'Longest',
  times: 'Count',
  question: 'Query',
  at: 'Time of longest run',
  geo: 'Country data: geo-whois-asn-country, based on data from the Number Resource Organization (CC BY 4.0).',
};

const ptBR: typeof en = {
  title: 'Status',
  warnings: {
    disk: 'Pouco espaço em disco. Libere espaço ou defina um prazo de retenção menor nos projetos.',
    spool:
      'Há eventos aguardando em disco porque o banco de dados não está gravando. Eles serão gravados assim que possível.',
    jobs: 'Há tarefas em segundo plano com falha. Veja quais na tabela abaixo.',
    behind: 'O esquema do banco está desatualizado. Execute a migração desta versão.',
    secret:
      'AUTH_SECRET não está definido: a chave que assina as sessões fica no banco de dados e em todo dump. Defina AUTH_SECRET; para manter as sessões, use o valor da linha “auth” da tabela “secrets”.',
    connections:
      'O PostgreSQL recusou conexões na última hora porque o limite foi atingido. Diminua DATABASE_CONNECTIONS em cada processo ou aumente o limite.',
  },
  fine: 'Tudo em ordem.',
  running: 'Em execução',
  version: 'Luneta',
  node: 'Node',
  postgres: 'PostgreSQL',
  since: 'Em execução desde',
  memory: 'Memória',
  processes: 'Processos',
  process: 'Processo',
  roles: { web: 'Web', worker: 'Tarefas em segundo plano' },
  host: 'Servidor',
  migrations: 'Esquema',
  migrationsOf: (applied, known, last) => `${applied} de ${known} migrações · última: ${last}`,
  connections: 'Conexões com o banco',
  connectionsOf: (limit) => `Até ${limit} neste processo`,
  connectionsRefused: (n, text, last) =>
    `${counted(n, text, 'tentativa recusada', 'tentativas recusadas')}, última em ${last}`,
  mail: 'E-mail',
  mailFrom: (from) => `Remetente: ${from}`,
  mailOff: 'Não configurado: copie os links manualmente',
  spoolTitle: 'Eventos em disco',
  spoolNone: 'Nenhum na fila',
  spoolWaiting: (n, bytes) => `${n} na fila, ${bytes}`,
  database: 'Banco de dados',
  databaseText: (bytes) => `${bytes} no total. O tamanho por projeto é estimado pelo número de eventos.`,
  project: 'Projeto',
  team: 'Equipe',
  events: 'Eventos',
  size: 'Tamanho aproximado',
  perDay: 'Por dia',
  perDayOf: (n, events, bytes) => `${counted(n, events, 'evento', 'eventos')}, ${bytes}`,
  disks: 'Discos',
  disk: { database: 'Banco de dados', spool: 'Eventos na fila (este processo)' },
  free: (free, total) => `${free} de ${total} livres`,
  daysLeft: (n, text) => `cheio em cerca de ${counted(n, text, 'dia', 'dias')}, no ritmo atual`,
  refused: 'Requisições recusadas nas últimas 24 horas',
  slow: 'Consultas lentas (últimas 24 horas)',
  slowNone: 'Nenhuma acima de meio segundo.',
  took: 'Mais longa',
  times: 'Ocorrências',
  question: 'Consulta',
  at: 'Data da mais longa',
  geo: 'Países identificados com a base geo-whois-asn-country, com dados da Number Resource Organization (CC BY 4.0).',
};

export const statusWords: Part<typeof en> = { en, 'pt-BR': ptBR };
