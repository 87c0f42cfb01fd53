/**
 * Streams events as a file, a page at a time. A table has the chosen columns; NDJSON has complete
 * events in the format of clients, with their person, visit and exclusion marks.
 */
import type { History, KnownGroups, ListedEvent } from '#src/events/history.ts';
import type { TableCell } from '#src/kit/csv.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { type FilePiece, type TablePiece, tableFile } from '#src/kit/table-file.ts';
import { type TableFormat, tableExtension, tableType } from '#src/kit/values.ts';
import type { EventExport, ExportFormat } from './contract.ts';
import { chosenValue, type SearchQuery, search } from './search.ts';

/** Selection and columns of the file. */
export interface ExportQuery extends SearchQuery {
  /** Columns of a table, by their names in URLs. */
  columns: readonly string[];
  format: ExportFormat;
  /** How a table is written. */
  table: TableFormat;
}

export interface ExportParts {
  history: Pick<History, 'listed'>;
  elapsed(): number;
}

const PAGE = 1_000;
/** Property groups are read again after so many pages. */
const PAGES_KNOWN = 20;

/** Type of a file: `csv` stands for a table in any format. */
export function fileKind(format: ExportFormat, table: TableFormat): { type: string; extension: EventExport['format'] } {
  if (format === 'ndjson') return { type: 'application/x-ndjson; charset=utf-8', extension: format };
  return { type: tableType(table), extension: tableExtension(table) };
}

/** The newest events first. @throws AppError as `search` does */
export function exportPieces(
  parts: ExportParts,
  asked: ExportQuery,
  signal: AbortSignal,
): AsyncGenerator<FilePiece, void> {
  return asked.format === 'ndjson'
    ? objectPieces(parts, asked, signal)
    : tableFile(tablePieces(parts, asked, signal), asked.table);
}

async function* objectPieces(
  parts: ExportParts,
  asked: ExportQuery,
  signal: AbortSignal,
): AsyncGenerator<FilePiece, void> {
  const needs = { persons: true, profiles: false, details: false };
  for await (const events of pagesOf(parts, asked, needs, signal)) {
    yield { data: events.map(objectLine).join(''), rows: events.length };
  }
}

async function* tablePieces(
  parts: ExportParts,
  asked: ExportQuery,
  signal: AbortSignal,
): AsyncGenerator<TablePiece, void> {
  const { columns } = asked;
  yield { cells: [['time', 'uuid', ...columns.map(headOf)]], rows: 0 };
  const needs = {
    persons: columns.some((column) => column === 'person' || column.startsWith('person.')),
    profiles: columns.some((column) => column.startsWith('person.')),
    details: columns.includes('detail'),
  };
  for await (const events of pagesOf(parts, asked, needs, signal)) {
    yield { cells: events.map((event) => rowOf(event, columns)), rows: events.length };
  }
}

interface Needs {
  persons: boolean;
  profiles: boolean;
  details: boolean;
}

async function* pagesOf(
  parts: ExportParts,
  asked: SearchQuery,
  needs: Needs,
  signal: AbortSignal,
): AsyncGenerator<ListedEvent[], void> {
  const options = { ...needs, groups: new Map() as KnownGroups };
  let after: { ts: number; uuid: string } | undefined;
  for (let page = 1; ; page++) {
    // Someone may have been erased meanwhile.
    if (page % PAGES_KNOWN === 0) options.groups.clear();
    signal.throwIfAborted();
    const { events } = await search(parts, asked, { after, limit: PAGE, options }, () => !signal.aborted);
    signal.throwIfAborted();
    if (events.length > 0) yield events;
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

function rowOf(event: ListedEvent, columns: readonly string[]): TableCell[] {
  return [iso(event.ts), event.uuid, ...columns.map((column) => cellOf(event, column))];
}

function cellOf(event: ListedEvent, column: string): TableCell {
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

function asCell(value: JsonValue): TableCell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
