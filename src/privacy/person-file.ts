/**
 * All that is known of a person, as one file that is made while it is read: a page of events at a time, however many there are. NDJSON
 * says everything, a line for each thing; CSV is the table of events alone.
 */
import type { History, HistoryEvent } from '#src/events/history.ts';
import { csvLine } from '#src/kit/csv.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { ExportFormat } from './contract.ts';

export interface Exported {
  type: string;
  fileName: string;
  pieces: AsyncIterable<string>;
}

interface Asked {
  projectId: ProjectId;
  persons: readonly number[];
  format: ExportFormat;
}

const PAGE = 500;
const GROUP_TYPES = 5;
const types = { ndjson: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/** @param done told after the last piece was taken, with what was in the file */
export function exportPerson(
  parts: { people: People; history: History },
  asked: Asked,
  done: (counts: Record<string, number>) => Promise<void>,
): Exported {
  // No name of anybody in the name of the file.
  return { type: types[asked.format], fileName: `person.${asked.format}`, pieces: piecesOf(parts, asked, done) };
}

async function* piecesOf(
  { people, history }: { people: People; history: History },
  { projectId, persons, format }: Asked,
  done: (counts: Record<string, number>) => Promise<void>,
): AsyncGenerator<string, void> {
  const counts = { persons: 0, distinct_ids: 0, events: 0, sessions: 0, groups: 0 };
  const visits = new Set<string>();
  const groups = new Map<string, { type: number; key: string }>();
  const isTable = format === 'csv';
  const person = await people.current(projectId, persons);
  if (person !== null && !isTable) {
    const { number: _, createdAt, ...rest } = person;
    counts.persons = persons.length;
    counts.distinct_ids = person.distinctIds.length;
    yield line('person', { ...rest, created: iso(createdAt) });
  }
  if (isTable) yield csvLine(['uuid', 'event', 'time', 'received', 'distinctId', 'visit', 'properties']);
  for await (const event of eventsOf(history, projectId, persons)) {
    counts.events++;
    if (event.session !== null) visits.add(event.session);
    for (let type = 0; type < GROUP_TYPES; type++) {
      const key = event.properties[`$group_${type}`];
      if (typeof key === 'string') groups.set(`${type} ${key}`, { type, key });
    }
    yield isTable ? tableLine(event) : line('event', withTimes(event));
  }
  if (!isTable) {
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
  await done(counts);
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

function tableLine({ uuid, event, ts, receivedAt, distinctId, session, properties }: HistoryEvent): string {
  return csvLine([uuid, event, iso(ts), iso(receivedAt), distinctId, session, JSON.stringify(properties)]);
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
