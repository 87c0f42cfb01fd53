/** Words of the link to how numbers are counted, which stands on every screen that has some. */
import type { ExplainedScreen } from '#src/insights/explain/contract.ts';
import type { Part } from './part.ts';

const en = {
  link: 'How this is counted',
  linkOf: (of: string) => `How this is counted: ${of}`,
  close: 'Close',
  csv: 'CSV',
  csvOf: (of: string) => `CSV: ${of}`,
  /** What a screen's numbers are called; `now`: what those see who see no more of Live than how many are there. */
  titles: {
    home: 'Visitors and people now',
    now: 'People now',
    live: 'Live',
    ingestion: 'Ingestion',
    people: 'Number of people',
    person: 'Numbers of this person',
    definitions: 'Definitions',
    status: 'Status',
    upstream: 'Upstream',
    stored: 'Events stored',
    list: 'Number of events',
    files: 'Files',
    privacy: 'Receipts and retention',
  } satisfies Record<ExplainedScreen | 'now', string>,
};

const ptBR: typeof en = {
  link: 'Como isto é contado',
  linkOf: (of) => `Como isto é contado: ${of}`,
  close: 'Fechar',
  csv: 'CSV',
  csvOf: (of) => `CSV: ${of}`,
  titles: {
    home: 'Visitantes e pessoas agora',
    now: 'Pessoas agora',
    live: 'Ao vivo',
    ingestion: 'Recebimento',
    people: 'Número de pessoas',
    person: 'Números desta pessoa',
    definitions: 'Definições',
    status: 'Situação',
    upstream: 'Destino',
    stored: 'Eventos guardados',
    list: 'Número de eventos',
    files: 'Arquivos',
    privacy: 'Recibos e retenção',
  },
};

export const explainLinkWords: Part<typeof en> = { en, 'pt-BR': ptBR };
