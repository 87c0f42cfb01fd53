/**
 * Events as a file that is made while it is read, a page at a time, however many there are. CSV has the chosen columns; NDJSON has whole
 * events, each in the shape in which clients send them, and what became of it: whose it is, in which visit, and whether it is left out of numbers.
 */
import type { History, KnownGroups, ListedEvent } from '#src/events/history.ts';
import { csvLine } from '#src/kit/csv.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { ExportFormat } from './contract.ts';
import { chosenValue, search, type Wanted } from './search.ts';

/** What is to be in the file. */
export interface ExportAsked extends Wanted {
  /** For CSV: names of columns as they stand in addresses. */
  columns: readonly string[];
  format: ExportFormat;
}

export interface ExportParts {
  history: Pick<History, 'listed'>;
  elapsed(): number;
}

const PAGE = 1_000;
/** Property groups are read again after so many pages. */
const PAGES_KNOWN = 20;
const types: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

export function typeOfExport(format: ExportFormat): string {
  return types[format];
}

/** One piece for each page, the newest events first. @throws AppError as `search` does */
export async function* exportPieces(
  parts: ExportParts,
  asked: ExportAsked,
  signal: AbortSignal,
): AsyncGenerator<{ text: string; rows: number }, void> {
  const { columns, format } = asked;
  if (format === 'csv') yield { text: csvLine(['time', 'uuid', ...columns.map(headOf)]), rows: 0 };
  const needs = (isIt: (column: string) => boolean) => format === 'csv' && columns.some(isIt);
  const options = {
    persons: format === 'ndjson' || needs((column) => column === 'person' || column.startsWith('person.')),
    profiles: needs((column) => column.startsWith('person.')),
    details: needs((column) => column === 'detail'),
    groups: new Map() as KnownGroups,
  };
  let after: { ts: number; uuid: string } | undefined;
  for (let page = 1; ; page++) {
    // Somebody may have been erased meanwhile.
    if (page % PAGES_KNOWN === 0) options.groups.clear();
    signal.throwIfAborted();
    const { events } = await search(parts, asked, { after, limit: PAGE, options }, () => !signal.aborted);
    signal.throwIfAborted();
    const lines = events.map((event) => (format === 'csv' ? tableLine(event, columns) : objectLine(event)));
    if (lines.length > 0) yield { text: lines.join(''), rows: lines.length };
    const last = events.at(-1);
    if (events.length < PAGE || last === undefined) return;
    after = { ts: last.ts, uuid: last.uuid };
  }
}

function objectLine({ uuid, event, distinctId, ts, properties, person, session, marks }: ListedEvent): string {
  const sent = { uuid, event, distinct_id: distinctId, timestamp: iso(ts), properties };
  return `${JSON.stringify({ ...sent, person, session, marks })}\n`;
}

const heads: Readonly<Record<string, string>> = { id: 'distinct_id' };

function headOf(column: string): string {
  return heads[column] ?? (column.startsWith('event.') ? column.slice('event.'.length) : column);
}

function tableLine(event: ListedEvent, columns: readonly string[]): string {
  return csvLine([iso(event.ts), event.uuid, ...columns.map((column) => cellOf(event, column))]);
}

function cellOf(event: ListedEvent, column: string): string | number | boolean | null {
  switch (column) {
    case 'event':
      return event.event;
    case 'detail':
      return event.detail;
    case 'person':
      return event.person;
    case 'id':
      return event.distinctId;
    case 'received':
      return iso(event.receivedAt);
    case 'session':
      return event.session;
    case 'marks':
      return event.marks.join(' ');
    case 'country':
      return asCell(chosenValue(event, { of: 'event', name: '$geoip_country_code' }));
  }
  const [, of, name = ''] = /^(event|person)\.(.+)$/s.exec(column) ?? [];
  return asCell(chosenValue(event, { of: of === 'person' ? 'person' : 'event', name }));
}

function asCell(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
