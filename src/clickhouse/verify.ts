/** Holds what is copied against what is stored: events and persons by day and event name, visits by day. */
import type { Client } from 'pg';
import { dayMs, formatDate } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from './connection.ts';
import { keptEvents, otherDays } from './dropping/kept.ts';
import { plain } from './target.ts';

export interface ClickhouseVerification {
  events: number;
  visits: number;
  /** What differs, a sentence each; the first ones. */
  findings: string[];
}

/** Rows that were compared, of about so many. */
export interface VerifyProgress {
  what: 'events' | 'visits';
  done: number;
  all: number;
}

interface DayRow {
  day: number;
  /** 0: visits. */
  event: number;
  count: number;
  /** Remainder of the sum of the persons of all rows, after merges, each weighted by the end of the row's uuid. */
  persons: number;
  /** The same of all else that rows refer to: groups, visits, marks, ends of uuids and how many properties. */
  sum: number;
}

/** `[from, until)`; null: without an end. Of moments in ms, or of numbers of visits. */
interface Range {
  from: number | null;
  until: number | null;
}

interface Piece extends Range {
  project: number;
  /** Rows that ClickHouse has. */
  rows: number;
}

/** `[from, until)` in ms. */
type Span = { from: number; until: number };

const MAX_FINDINGS = 20;
/** Rows of a project that are compared at once, about: some seconds of one processor. */
const PIECE_ROWS = 500_000;
/** Visits are counted by so many numbers. */
const VISIT_BLOCK = 100_000;
/** Sums are compared by their remainder, which is exact in JavaScript: the largest prime below 2 ** 53. */
const PRIME = 9_007_199_254_740_881;

interface VerifyParts {
  client: Client;
  house: ClickhouseConnection;
  shipped: number;
  /** ms; null: all. */
  span: Span | null;
  /** Dropped events, which are not compared. */
  kept: Sql | null;
}

export interface VerifyOptions {
  /** ms; absent: all. */
  span?: Span | undefined;
  onProgress?: ((progress: VerifyProgress) => void) | undefined;
}

/**
 * When nothing waits to be copied, and nobody copies. Of dropped events only their number is known here. Piece by piece, so that neither side sorts or keeps more than
 * the days of one.
 */
export async function verifyCopy(
  client: Client,
  house: ClickhouseConnection,
  shipped: number,
  { span = undefined, onProgress = () => undefined }: VerifyOptions = {},
): Promise<ClickhouseVerification> {
  const parts: VerifyParts = { client, house, shipped, span: span ?? null, kept: await keptEvents(client) };
  const projects = await storedProjects(client);
  const findings: string[] = [];
  const compareAll = async (
    what: VerifyProgress['what'],
    pieces: readonly Piece[],
    compare: (parts: VerifyParts, piece: Piece) => Promise<[DayRow[], DayRow[]]>,
  ): Promise<number> => {
    const all = pieces.reduce((sum, { rows }) => sum + rows, 0);
    let done = 0;
    for (const piece of pieces) {
      const [stored, copied] = await compare(parts, piece);
      for (const each of differences(piece.project, stored, copied))
        if (findings.length < MAX_FINDINGS) findings.push(each);
      done += stored.reduce((sum, { count }) => sum + count, 0);
      onProgress({ what, done, all: Math.max(all, done) });
    }
    return done;
  };
  const events = await compareAll('events', await piecesOfEvents(parts, projects), eventsOfPiece);
  const visits = await compareAll('visits', await piecesOfVisits(parts, projects), visitsOfPiece);
  for (const { project, day, rows } of parts.span === null ? await otherDays(client, house) : [])
    findings.push(`Project ${project}, ${formatDate(day)} (UTC), dropped events: ClickHouse has ${rows}.`);
  return { events, visits, findings: findings.slice(0, MAX_FINDINGS) };
}

function* differences(project: number, stored: readonly DayRow[], copied: readonly DayRow[]): Generator<string> {
  const keyOf = ({ day, event }: DayRow) => `${day} ${event}`;
  const others = new Map(copied.map((row) => [keyOf(row), row]));
  for (const row of stored) {
    const other = others.get(keyOf(row));
    others.delete(keyOf(row));
    const differs =
      other === undefined || (['count', 'persons', 'sum'] as const).some((name) => row[name] !== other[name]);
    if (differs) yield finding(project, row, other);
  }
  for (const row of others.values()) yield finding(project, { ...row, count: 0 }, row);
}

function finding(project: number, stored: DayRow, copied: DayRow | undefined): string {
  const what = stored.event === 0 ? 'visits' : `events number ${stored.event}`;
  const both = `${stored.count} stored, ${copied?.count ?? 0} in ClickHouse`;
  const more = stored.count === copied?.count ? ', with other persons or properties' : '';
  return `Project ${project}, ${formatDate(stored.day)} (UTC), ${what}: ${both}${more}.`;
}

/** Projects with events or visits in PostgreSQL: each is found by an index. */
async function storedProjects(client: Client): Promise<number[]> {
  const projectsIn = (table: Sql) => sql`
    with recursive found as (
      (select project_id from ${table} order by project_id limit 1)
      union all
      select (select project_id from ${table} where project_id > found.project_id order by project_id limit 1)
        from found where found.project_id is not null)
    select project_id as project from found where project_id is not null`;
  const rows = [
    ...(await query<{ project: number }>(client, projectsIn(sql`events`))),
    ...(await query<{ project: number }>(client, projectsIn(sql`sessions`))),
  ];
  return rows.map(({ project }) => project);
}

async function piecesOfEvents({ house, span, kept }: VerifyParts, projects: readonly number[]): Promise<Piece[]> {
  const rows = await house.query<Counted>(
    sql`select events.project_id as project, toInt32(floor(ts / ${dayMs})) as place, count() as rows from ${copied(house, 'events')} as events
         where ${within('ts', span)} and ${kept === null ? sql`1` : sql`not ${kept}`}
         group by project, place order by project, place`,
  );
  return piecesOf(rows, projects, dayMs);
}

async function piecesOfVisits({ house }: VerifyParts, projects: readonly number[]): Promise<Piece[]> {
  const rows = await house.query<Counted>(
    sql`select project_id as project, toInt64(intDiv(id, ${VISIT_BLOCK})) as place, count() as rows from ${copied(house, 'sessions')}
         group by project, place order by project, place`,
  );
  return piecesOf(rows, projects, VISIT_BLOCK);
}

/** Rows of a project by day, or block of numbers. */
interface Counted {
  project: number;
  place: number;
  rows: number;
}

/** All of each project, cut between places. @param width of a place */
function piecesOf(counted: readonly Counted[], projects: readonly number[], width: number): Piece[] {
  const pieces: Piece[] = [];
  for (const project of new Set([...counted.map((row) => row.project), ...projects])) {
    let piece: Piece = { project, from: null, until: null, rows: 0 };
    for (const { place, rows } of counted.filter((row) => row.project === project)) {
      if (piece.rows > 0 && piece.rows + rows > PIECE_ROWS) {
        pieces.push({ ...piece, until: place * width });
        piece = { project, from: place * width, until: null, rows: 0 };
      }
      piece.rows += rows;
    }
    pieces.push(piece);
  }
  return pieces;
}

const copied = (house: ClickhouseConnection, name: string): Sql => plain(`${house.database}.${name}`);

/** Of ClickHouse: true of the numbers of a column in a range. */
function within(column: string, range: Range | null): Sql {
  const bounds = [
    ...(range?.from == null ? [] : [sql`${sql.id(column)} >= ${range.from}`]),
    ...(range?.until == null ? [] : [sql`${sql.id(column)} < ${range.until}`]),
  ];
  return bounds.length === 0 ? sql`1` : sql.join(bounds, sql` and `);
}

/** The same of moments in PostgreSQL. */
function storedWithin(column: string, range: Range | null): Sql {
  const bounds = [
    ...(range?.from == null ? [] : [sql`${sql.id(column)} >= ${sql.time(range.from)}`]),
    ...(range?.until == null ? [] : [sql`${sql.id(column)} < ${sql.time(range.until)}`]),
  ];
  return bounds.length === 0 ? sql`true` : sql.join(bounds, sql` and `);
}

/** The end of a uuid as a number; 0 for none. */
const storedTail = (column: string): Sql =>
  sql`coalesce(get_byte(uuid_send(${sql.id(column)}), 14) * 256 + get_byte(uuid_send(${sql.id(column)}), 15), 0)`;
const copiedTail = (column: string): Sql =>
  sql`reinterpretAsUInt16(reverse(unhex(substring(toString(${sql.id(column)}), 33, 4))))`;
/** Weights of persons. */
const WEIGHTS = 16;

/** Both sides of a piece of the events. */
function eventsOfPiece(
  { client, house, shipped, span, kept }: VerifyParts,
  piece: Piece,
): Promise<[DayRow[], DayRow[]]> {
  const { project } = piece;
  return Promise.all([
    query<DayRow>(
      client,
      sql`select ts::date - date '1970-01-01' as day, event, count(*)::float8 as count,
                 mod(sum(coalesce(merged.new_person, person)::bigint * (1 + ${storedTail('uuid')} % ${WEIGHTS}::int)), ${PRIME}::bigint)::float8 as persons,
                 mod(sum(coalesce(page, 0)::bigint + coalesce(device, 0) + coalesce(source, 0) + coalesce(geo, 0) + coalesce(flags, 0)
                     + coalesce(elements, 0) + coalesce(session_id, 0) + marks
                     + ${storedTail('uuid')} + ${storedTail('window_id')} + ${storedTail('device_id')}
                     + case jsonb_typeof(properties) when 'object' then (select count(*) from jsonb_object_keys(properties)) else 0 end
                 ), ${PRIME}::bigint)::float8 as sum
            from events
            left join person_overrides as merged on merged.project_id = events.project_id and merged.old_person = events.person
           where events.project_id = ${project} and epoch <= ${shipped} and ${storedWithin('ts', span)} and ${storedWithin('ts', piece)}
           group by 1, 2`,
    ),
    house.query<DayRow>(
      sql`select toInt32(floor(ts / ${dayMs})) as day, event, count() as count,
                 sum(toUInt64(if(merged.new_person = 0, person, merged.new_person)) * (1 + ${copiedTail('uuid')} % ${WEIGHTS})) % ${PRIME} as persons,
                 sum(toUInt64(page) + device + source + geo + flags + elements + session_id + marks + length(properties)
                     + ${copiedTail('uuid')} + ${copiedTail('window_id')} + ${copiedTail('device_id')}) % ${PRIME} as sum
            from ${copied(house, 'events')} as events
            left any join (select old_person, new_person from ${copied(house, 'person_overrides')} final where project_id = ${project}) as merged
              on merged.old_person = events.person
           where events.project_id = ${project} and ${within('ts', span)} and ${within('ts', piece)} and ${kept === null ? sql`1` : sql`not ${kept}`}
           group by day, event`,
    ),
  ]);
}

/** Both sides of a piece of the visits. */
function visitsOfPiece({ client, house, span }: VerifyParts, piece: Piece): Promise<[DayRow[], DayRow[]]> {
  const { project, from, until } = piece;
  const storedIds = [
    ...(from === null ? [] : [sql`id >= ${from}::bigint`]),
    ...(until === null ? [] : [sql`id < ${until}::bigint`]),
  ];
  return Promise.all([
    query<DayRow>(
      client,
      sql`select first_ts::date - date '1970-01-01' as day, 0 as event, count(*)::float8 as count,
                 mod(sum(person::bigint * (1 + id % ${WEIGHTS}::int)), ${PRIME}::bigint)::float8 as persons,
                 mod(sum(coalesce(device, 0)::bigint + coalesce(source, 0) + coalesce(geo, 0) + coalesce(entry_page, 0) + coalesce(exit_page, 0)
                     + views + screens + autocaptures + bot::int
                     + floor(extract(epoch from last_ts) * 1000)::bigint - floor(extract(epoch from first_ts) * 1000)::bigint), ${PRIME}::bigint)::float8 as sum
            from sessions
           where project_id = ${project} and ${sql.join([storedWithin('first_ts', span), ...storedIds], sql` and `)}
           group by 1`,
    ),
    house.query<DayRow>(
      sql`select toInt32(floor(first_ts / ${dayMs})) as day, 0 as event, count() as count,
                 sum(toUInt64(person) * (1 + id % ${WEIGHTS})) % ${PRIME} as persons,
                 sum(toUInt64(device) + source + geo + entry_page + exit_page + views + screens + autocaptures + bot + toUInt64(last_ts - first_ts))
                   % ${PRIME} as sum
            from ${copied(house, 'sessions')} final
           where project_id = ${project} and ${within('first_ts', span)} and ${within('id', piece)}
           group by day`,
    ),
  ]);
}
