/**
 * Single events that happened before the hot window: of switched projects they are found in ClickHouse. Persons, names, visits and property groups come from
 * PostgreSQL, so an event looks the same from both. What ClickHouse does not answer PostgreSQL does.
 */
import { droppedUntil } from '#src/events/dropped.ts';
import type { EventPlace, History, HistoryQuery } from '#src/events/history.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { isUuid } from '#src/kit/ids.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from './connection.ts';
import { MAX_COPY_LAG_MS } from './contract.ts';
import { Unsupported } from './queries/events.ts';
import { asRows, type CopiedEvent, FIRST_TIME, findOne, findPage, type PastQuery } from './queries/single-events.ts';
import { readCopy } from './state.ts';

/** The part of history that reads single events. */
export type EventsRead = Pick<History, 'listed' | 'page' | 'one' | 'detail' | 'given'>;

export interface PastHistoryParts extends Pick<Deps, 'clock' | 'db' | 'log'> {
  connection(): Promise<ClickhouseConnection>;
  /** Days (UTC) whose events PostgreSQL is asked for, besides today. Undefined: all that it has. */
  hotDays: number | undefined;
  /** Called for each answer of ClickHouse, with the number of its events; for tests. */
  onFound?: ((events: number) => void) | undefined;
}

/** After it did not answer, it is not asked for so long. */
const AWAY_MS = 10_000;

const MAX_TRIES = 3;

/** The same history, with older events of switched projects from ClickHouse. */
export function pastHistory<Whole extends EventsRead>(history: Whole, parts: PastHistoryParts): Whole {
  const { clock, db, log, hotDays, onFound } = parts;
  let awayUntil = Number.NEGATIVE_INFINITY;

  /** What PostgreSQL does not have is before it. */
  async function windowBegins(projectId: ProjectId): Promise<number> {
    const begin =
      hotDays === undefined ? Number.NEGATIVE_INFINITY : (Math.floor(clock.now() / dayMs) - hotDays) * dayMs;
    return Math.max(begin, (await droppedUntil(db, projectId)) ?? begin);
  }

  /** Null: PostgreSQL is to answer. Changes of copied rows are not seen half done. */
  async function ask<Found>(
    projectId: ProjectId,
    work: (house: ClickhouseConnection) => Promise<Found>,
  ): Promise<Found | null> {
    if (clock.elapsed() < awayUntil) return null;
    const copyNow = () => readCopy(db, projectId, clock.now() - MAX_COPY_LAG_MS);
    let copy = await copyNow();
    try {
      // Something may be copied meanwhile.
      for (let tries = 0; copy !== null && tries < MAX_TRIES; tries++) {
        const before = copy;
        const found = await work(await parts.connection());
        copy = await copyNow();
        if (copy === before) return found;
      }
      return null;
    } catch (error) {
      if (error instanceof Unsupported) return null;
      if (!(error instanceof AppError) || !(error.code === 'unavailable' || error.code === 'internal')) throw error;
      if (error.code === 'unavailable') awayUntil = clock.elapsed() + AWAY_MS;
      log.warn({ err: error }, 'ClickHouse does not answer: events are read from PostgreSQL');
      return null;
    }
  }

  async function found<Event>(
    projectId: ProjectId,
    asked: PastQuery,
    look: (rows: Sql) => Promise<Event[]>,
  ): Promise<Event[] | null> {
    const events = await ask(projectId, (house) =>
      allFound(asked, (page) => findPage(db, house, projectId, page), look),
    );
    if (events !== null) onFound?.(events.length);
    return events;
  }

  /** A page that may reach over the beginning of the window. */
  async function across<Event>(
    projectId: ProjectId,
    asked: HistoryQuery,
    stored: (asked: HistoryQuery) => Promise<Event[]>,
    look: (rows: Sql) => Promise<Event[]>,
  ): Promise<Event[]> {
    const begin = await windowBegins(projectId);
    const past = asked.isPartial ? null : pastOf(asked, begin);
    if (past === null || (await readCopy(db, projectId, clock.now() - MAX_COPY_LAG_MS)) === null) return stored(asked);
    const { limit, after, before, to = Number.POSITIVE_INFINITY } = asked;
    const isAllPast = to <= begin || (after !== undefined && after.ts < begin);
    const recent = async (most: number) =>
      isAllPast ? [] : stored({ ...asked, from: Math.max(asked.from ?? begin, begin), limit: most });
    const older = async (most: number) =>
      (await found(projectId, { ...past, limit: most }, look)) ?? stored({ ...asked, to: past.until, limit: most });
    // The newest come first; of those after a place, the oldest.
    const [first, second] = before === undefined ? [recent, older] : [older, recent];
    const one = await first(limit);
    const other = one.length < limit ? await second(limit - one.length) : [];
    return before === undefined ? [...one, ...other] : [...other, ...one];
  }

  /** Null: PostgreSQL is to look for it, also for what has come late and is not copied yet. */
  async function copied<Found>(
    projectId: ProjectId,
    place: EventPlace,
    look: (rows: Sql) => Promise<Found | null>,
  ): Promise<Found | null> {
    const { ts, uuid } = place;
    if (!isUuid(uuid) || !Number.isSafeInteger(ts) || ts < FIRST_TIME) return null;
    if (ts >= (await windowBegins(projectId))) return null;
    const answer = await ask(projectId, async (house) => {
      const row = await findOne(house, projectId, place);
      return { event: row && (await look(asRows([row]))) };
    });
    if (answer === null) return null;
    if (answer.event !== null) onFound?.(1);
    // Nobody else has it.
    else if (ts < ((await droppedUntil(db, projectId)) ?? ts)) throw notFound('event');
    return answer.event;
  }

  const { given } = history;
  return {
    ...history,
    listed: (projectId, asked, options) =>
      across(
        projectId,
        asked,
        (each) => history.listed(projectId, each, options),
        (rows) => given.listed(projectId, rows, options),
      ),
    page: (projectId, asked) => across(projectId, asked, (each) => history.page(projectId, each), given.page),
    one: async (projectId, ts, uuid) =>
      (await copied(projectId, { ts, uuid }, given.one)) ?? history.one(projectId, ts, uuid),
    detail: async (projectId, place) =>
      (await copied(projectId, place, given.detail)) ?? history.detail(projectId, place),
  };
}

/** The part of the query before a moment; null: there is none, or its condition is known only as SQL of PostgreSQL. */
function pastOf(asked: HistoryQuery, moment: number): PastQuery | null {
  const { from = FIRST_TIME, to = moment, after, before, where, chosen } = asked;
  if (where !== undefined && chosen === undefined) return null;
  const until = Math.min(Math.trunc(to), moment);
  if (from >= until || (before !== undefined && before.ts >= until)) return null;
  const { event, persons, distinctId, limit } = asked;
  const places = { after: after && placeOf(after), before: before && placeOf(before) };
  return { event, persons, distinctId, chosen, ...places, limit, from: Math.max(Math.trunc(from), FIRST_TIME), until };
}

/** As PostgreSQL reads and writes it. */
function placeOf({ ts, uuid }: EventPlace): EventPlace {
  return { ts: Math.trunc(ts), uuid: uuid.toLowerCase() };
}

/** So many of them, in their order. Rows of people who were erased meanwhile are passed over. */
async function allFound<Event>(
  asked: PastQuery,
  find: (asked: PastQuery) => Promise<CopiedEvent[]>,
  look: (rows: Sql) => Promise<Event[]>,
): Promise<Event[]> {
  const isNewestFirst = asked.before === undefined;
  let events: Event[] = [];
  let next = asked;
  for (;;) {
    const limit = asked.limit - events.length;
    const rows = await find({ ...next, limit });
    const more = rows.length === 0 ? [] : await look(asRows(rows));
    events = isNewestFirst ? [...events, ...more] : [...more, ...events];
    const last = rows.at(-1);
    if (rows.length < limit || events.length >= asked.limit || last === undefined) return events;
    const place = { ts: last.ts, uuid: last.uuid };
    next = isNewestFirst ? { ...next, after: place } : { ...next, before: place };
  }
}
