/** Words for how the numbers about what is kept and passed on are counted: sizes, stored events, files, receipts. Part of `explain-screens.ts`. */
import type { ExplainedScreen } from '#src/insights/explain/contract.ts';
import type { ExplainedWords } from './explained.ts';
import type { Part } from './part.ts';

type Kept = Extract<ExplainedScreen, 'status' | 'upstream' | 'stored' | 'list' | 'files' | 'privacy'>;

const en: Record<Kept, ExplainedWords> = {
  status: {
    definitions: [
      'Database: total size reported by PostgreSQL, including indexes. Excludes the write-ahead log (WAL) and backups.',
      'Events per project: all stored events, including bots and internal traffic.',
      'Size: event tables and their indexes, split by each project’s share of events. Approximate, because event sizes differ between projects.',
      'Per day: average over the last 7 full days (UTC), by event time, and the corresponding share of the size.',
      'Disks: free space available to this process. Days until full: free space divided by the daily growth of all projects.',
      'Memory: resident memory (RSS) of the process, including shared memory.',
      'Buffered on disk: events held by all processes while PostgreSQL is unavailable, not yet in the database.',
      'Background jobs: consecutive failures since the last success.',
      'Rejected requests: requests without a valid project or with an unreadable body. Last 24 hours, including the current one.',
      'Slow queries: queries over 0.5 s in the last day, across all processes. Shows the 20 slowest query texts.',
    ],
  },
  upstream: {
    definitions: [
      'Counts are requests, not events; one request can contain many events. All projects and all processes, including stopped ones.',
      'Forwarded: with a relay, requests the upstream answered, with any status; with a mirror, requests it accepted.',
      'Failed: with a relay, requests answered with 502 or 504; with a mirror, attempts the upstream didn’t accept. One request can fail several times.',
      'In flight: requests this process is forwarding right now. Held in memory only.',
      'Queued: requests that will be retried. Permanently rejected: requests the upstream will never accept; kept for 14 days.',
      'Not queued: requests stored here but not forwarded because the queue was full (1 GB).',
      'Each process saves its counts every second. Unsaved counts of the responding process are included.',
    ],
  },
  stored: {
    definitions: [
      'All events of the project in the database, including bots and internal traffic. Duplicates are stored once.',
      'Past retention: events older than the retention period (in 24-hour days), evaluated in 15-minute steps. Nightly deletion removes full days (UTC).',
    ],
  },
  list: {
    definitions: [
      'All events in the period that match the filters, by event time. Bots and internal traffic are included; the SQL shows how many.',
      'If a count would require reading every row, the list shows none. Run the SQL to get it.',
    ],
  },
  files: {
    definitions: [
      'Rows: events or people in the file, excluding the header. While the export runs: rows written so far.',
      'Size: uncompressed, as downloaded. Files are stored compressed.',
    ],
  },
  privacy: {
    definitions: [
      'Receipts: rows per table exported or erased for one person, across all their IDs. Erasure includes both passes: the immediate one and the one for data still being processed.',
      'Retention: events and visits from before the given date, deleted in one nightly run.',
    ],
  },
};

const ptBR: typeof en = {
  status: {
    definitions: [
      'Banco de dados: tamanho total informado pelo PostgreSQL, com índices. Não inclui WAL nem backups.',
      'Eventos de um projeto: todos os armazenados, inclusive de bots e tráfego interno.',
      'Tamanho: tabelas de eventos e seus índices, divididos pelo número de eventos. É uma estimativa: o tamanho médio do evento varia entre projetos.',
      'Por dia: média dos eventos dos últimos 7 dias completos (UTC) e o tamanho correspondente.',
      'Discos: espaço livre segundo o sistema de arquivos. Cheio em: espaço livre dividido pelo volume diário de todos os projetos.',
      'Memória: RSS do processo, incluindo memória compartilhada.',
      'Eventos em disco: mantidos pelos processos enquanto o PostgreSQL está indisponível e ainda não gravados no banco.',
      'Tarefas em segundo plano: falhas seguidas desde o último sucesso.',
      'Requisições recusadas: sem projeto válido ou ilegíveis, nas últimas 24 horas, incluindo a hora atual.',
      'Consultas lentas: acima de meio segundo nas últimas 24 horas, em todos os processos. As 20 mais demoradas.',
    ],
  },
  upstream: {
    definitions: [
      'Contam-se requisições, não eventos: uma requisição pode conter vários. Inclui todos os projetos e todos os processos, mesmo os encerrados.',
      'Encaminhadas: requisições que o destino respondeu, com qualquer status; no espelhamento, as aceitas.',
      'Sem resposta: no relay, requisições respondidas aqui com 502 ou 504; no espelhamento, tentativas não aceitas. A mesma requisição pode ser tentada várias vezes.',
      'Em andamento: requisições que este processo está encaminhando agora.',
      'Na fila: serão tentadas de novo. Rejeitadas em definitivo: o destino informou que nunca as aceitará; ficam armazenadas por 14 dias.',
      'Fora da fila: armazenadas aqui com a fila cheia (1 GB) e não encaminhadas.',
      'Cada processo grava seus contadores a cada segundo; a tela soma o que ainda não foi gravado.',
    ],
  },
  stored: {
    definitions: [
      'Todos os eventos do projeto no banco de dados, inclusive de bots e tráfego interno. Eventos duplicados são armazenados uma única vez.',
      'Além do prazo de retenção: eventos mais antigos que o número de dias definido, com precisão de 15 minutos. A exclusão noturna remove dias inteiros (UTC).',
    ],
  },
  list: {
    definitions: [
      'Todos os eventos do período que passam pelos filtros, pelo horário em que aconteceram. Bots e tráfego interno contam; o SQL mostra quantos são.',
      'Quando seria preciso ler todas as linhas, a lista não mostra o total; o SQL mostra.',
    ],
  },
  files: {
    definitions: [
      'Linhas: eventos ou pessoas no arquivo, sem o cabeçalho. Durante a geração, as linhas já gravadas.',
      'Tamanho: do arquivo baixado. No servidor ele fica compactado e ocupa menos.',
    ],
  },
  privacy: {
    definitions: [
      'Comprovantes: linhas exportadas ou excluídas de cada tabela, por todos os IDs da pessoa. A exclusão soma as duas etapas: imediata e dos dados ainda em trânsito.',
      'Retenção de dados: eventos e visitas excluídos em uma noite por serem anteriores ao dia indicado.',
    ],
  },
};

export const keptWords: Part<typeof en> = { en, 'pt-BR': ptBR };
