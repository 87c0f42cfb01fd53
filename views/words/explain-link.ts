/** Words of the link to how numbers are counted, which stands on every screen that has some. */
import type { ExplainedScreen } from '#src/insights/explain/contract.ts';
import type { Part } from './part.ts';

const en = {
  link: 'How it’s calculated',
  linkOf: (of: string) => `How it’s calculated: ${of}`,
  close: 'Close',
  /** `as`: CSV or XLSX. */
  fileOf: (as: string, of: string) => `${as}: ${of}`,
  /** Titles by screen; `now`: for readers who see only the number of current visitors on Live. */
  titles: {
    home: 'Visitors and people online',
    now: 'People online',
    live: 'Live',
    ingestion: 'Ingestion',
    people: 'Number of people',
    person: 'This person’s metrics',
    definitions: 'Definitions',
    status: 'Status',
    upstream: 'Upstream',
    stored: 'Stored events',
    list: 'Number of events',
    files: 'Files',
    privacy: 'Receipts and data retention',
  } satisfies Record<ExplainedScreen | 'now', string>,
};

const ptBR: typeof en = {
  link: 'Como é calculado',
  linkOf: (of) => `Como é calculado: ${of}`,
  close: 'Fechar',
  fileOf: (as, of) => `${as}: ${of}`,
  titles: {
    home: 'Visitantes e pessoas online',
    now: 'Pessoas online',
    live: 'Tempo real',
    ingestion: 'Ingestão',
    people: 'Número de pessoas',
    person: 'Métricas desta pessoa',
    definitions: 'Definições',
    status: 'Status',
    upstream: 'Destino',
    stored: 'Eventos armazenados',
    list: 'Número de eventos',
    files: 'Arquivos',
    privacy: 'Comprovantes e retenção de dados',
  },
};

export const explainLinkWords: Part<typeof en> = { en, 'pt-BR': ptBR };
