/**
 * Streams all data of a person as one file, a page of events at a time. NDJSON
 * has everything, one record per line; a table has only events.
 */
import type { History, HistoryEvent } from '#src/events/history.ts';
import type { TableCell } from '#src/kit/csv.ts';
import { dataOf, type FilePiece, type TablePiece, tableFile } from '#src/kit/table-file.ts';
import { type TableFormat, tableExtension, tableType } from '#src/kit/values.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { ExportFormat } from './contract.ts';

export interface Exported {
  type: string;
  fileName: string;
  pieces: AsyncIterable<FilePiece['data']>;
}

interface PersonFileQuery {
  projectId: ProjectId;
  persons: readonly number[];
  format: ExportFormat;
  /** How a table is written. */
  table: TableFormat;
}

const PAGE = 500;
const GROUP_TYPES = 5;

/** Rows in a file, by table. */
type Counts = Record<'persons' | 'distinct_ids' | 'events' | 'sessions' | 'groups', number>;

interface Parts {
  people: People;
  history: History;
}

/** @param done called after the last piece was taken, with what was in the file */
export function exportPerson(
  parts: Parts,
  asked: PersonFileQuery,
  done: (counts: Record<string, number>) => Promise<void>,
): Exported {
  const { format, table } = asked;
  const counts: Counts = { persons: 0, distinct_ids: 0, events: 0, sessions: 0, groups: 0 };
  const isTable = format === 'csv';
  const pieces = isTable ? dataOf(tableFile(tablePieces(parts, asked, counts), table)) : lines(parts, asked, counts);
  const type = isTable ? tableType(table) : 'application/x-ndjson; charset=utf-8';
  const extension = isTable ? tableExtension(table) : format;
  // The file name contains no personal data.
  return { type, fileName: `person.${extension}`, pieces: thenDone(pieces, () => done(counts)) };
}

async function* thenDone<Piece>(pieces: AsyncIterable<Piece>, done: () => Promise<void>): AsyncGenerator<Piece, void> {
  yield* pieces;
  await done();
}

async function* tablePieces(
  { history }: Parts,
  { projectId, persons }: PersonFileQuery,
  counts: Counts,
): AsyncGenerator<TablePiece, void> {
  yield { cells: [['uuid', 'event', 'time', 'received', 'distinctId', 'visit', 'properties']], rows: 0 };
  for await (const event of eventsOf(history, projectId, persons)) {
    counts.events++;
    yield { cells: [rowOf(event)], rows: 1 };
  }
}

async function* lines(
  { people, history }: Parts,
  { projectId, persons }: PersonFileQuery,
  counts: Counts,
): AsyncGenerator<string, void> {
  const visits = new Set<string>();
  const groups = new Map<string, { type: number; key: string }>();
  const person = await people.current(projectId, persons);
  if (person !== null) {
    const { number: _, createdAt, ...rest } = person;
    counts.persons = persons.length;
    counts.distinct_ids = person.distinctIds.length;
    yield line('person', { ...rest, created: iso(createdAt) });
  }
  for await (const event of eventsOf(history, projectId, persons)) {
    counts.events++;
    if (event.session !== null) visits.add(event.session);
    for (let type = 0; type < GROUP_TYPES; type++) {
      const key = event.properties[`$group_${type}`];
      if (typeof key === 'string') groups.set(`${type} ${key}`, { type, key });
    }
    yield line('event', withTimes(event));
  }
  for (const uuids of slices([...visits], PAGE)) {
    for (const visit of await history.visits(projectId, uuids)) {
      counts.sessions++;
      const { firstTs, lastTs, ...rest } = visit;
      yield line('visit', { ...rest, first: iso(firstTs), last: iso(lastTs) });
    }
  }
  for (const group of await people.groups(projectId, [...groups.values()])) {
    counts.groups++;
    yield line('group', group);
  }
}

async function* eventsOf(
  history: History,
  projectId: ProjectId,
  persons: readonly number[],
): AsyncGenerator<HistoryEvent, void> {
  let after: { ts: number; uuid: string } | undefined;
  for (;;) {
    const page = await history.page(projectId, { persons, after, limit: PAGE });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE || after === undefined) return;
  }
}

function rowOf({ uuid, event, ts, receivedAt, distinctId, session, properties }: HistoryEvent): TableCell[] {
  return [uuid, event, iso(ts), iso(receivedAt), distinctId, session, JSON.stringify(properties)];
}

function withTimes({ ts, receivedAt, session, ...event }: HistoryEvent): object {
  return { ...event, time: iso(ts), received: iso(receivedAt), visit: session };
}

function line(kind: string, value: object): string {
  return `${JSON.stringify({ kind, ...value })}\n`;
}

function* slices<Item>(items: readonly Item[], size: number): Generator<Item[], void> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
