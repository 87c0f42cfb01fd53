/**
 * Cookieless visitors in the database: daily salts, and visits assigned by the server, shared by all
 * processes. Owner of `cookieless_salts` and `cookieless_sessions`.
 */
import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { Log } from '#src/kit/log.ts';
import { createRecent } from '#src/kit/recent.ts';
import { dayMs } from '#src/kit/zone.ts';
import { cannotStore, isUnavailable, withDeadline } from './deadline.ts';
import { dayIn } from './steps/cookieless.ts';

/** A visit ends after this long without an event. */
const GAP_MS = 30 * 60_000;
/** Rows of visits that no late event can belong to any more. */
const KEEP_VISITS_MS = 3 * dayMs;

export interface CookielessProject {
  id: number;
  timeZone: string;
}

export interface Cookieless {
  /**
   * The secrets of today and yesterday in the project's zone; they are made when they are first asked for.
   * @throws unavailable when the database is away and they are not remembered
   */
  salts(project: CookielessProject, nowMs: number): Promise<ReadonlyMap<string, Buffer>>;
  /** Gives the cookieless events among these their visits. While the database is away, visits are known to this process only. */
  assignVisits(events: readonly FinishedEvent[]): Promise<void>;
  /** Destroys the secrets of days before yesterday, and what was needed to tell their visits. */
  destroyOld(nowMs: number): Promise<void>;
}

interface Visit {
  session: string;
  firstTs: number;
  lastTs: number;
}

/** A visitor of one project, with what came from them and what is known of their visits. */
interface Visitor {
  projectId: number;
  distinctId: string;
  events: FinishedEvent[];
  visits: Visit[];
}

interface Asking {
  events: FinishedEvent[];
  done(): void;
  failed(error: unknown): void;
}

export function createCookieless(pool: Pool, log: Log): Cookieless {
  const known = new Map<number, { day: string; salts: Map<string, Buffer> }>();
  const visitsOf = createRecent<string, Visit[]>(50_000);
  let asking: Asking[] = [];
  let isConsulting = false;

  async function salts(project: CookielessProject, nowMs: number): Promise<ReadonlyMap<string, Buffer>> {
    const today = dayIn(project.timeZone, nowMs);
    const remembered = known.get(project.id);
    if (remembered?.day === today) return remembered.salts;
    const days = [dayBefore(today), today];
    try {
      const inserted = pool.query(
        `insert into cookieless_salts (project_id, day, salt)
         select $1, day, salt from unnest($2::date[], $3::bytea[]) as fresh (day, salt)
         on conflict do nothing`,
        [project.id, days, days.map(() => randomBytes(32))],
      );
      await withDeadline(inserted);
      const selected = pool.query<{ day: string; salt: Buffer }>(
        'select day::text as day, salt from cookieless_salts where project_id = $1 and day = any ($2::date[])',
        [project.id, days],
      );
      const { rows } = await withDeadline(selected);
      const found = new Map(rows.map(({ day, salt }) => [day, salt]));
      known.set(project.id, { day: today, salts: found });
      return found;
    } catch (error) {
      throw isUnavailable(error) ? cannotStore(error) : error;
    }
  }

  /** Visits known to this process are assigned immediately; the others are looked up together, over one connection. */
  function assignVisits(events: readonly FinishedEvent[]): Promise<void> {
    const unknown = events.filter(
      (event) =>
        event.marks & eventMarks.cookieless && event.session === null && !join(visitsOf.get(keyOf(event)) ?? [], event),
    );
    if (unknown.length === 0) return Promise.resolve();
    return new Promise((done, failed) => {
      asking.push({ events: unknown, done, failed });
      if (!isConsulting) void consult();
    });
  }

  async function consult(): Promise<void> {
    isConsulting = true;
    while (asking.length > 0) {
      const round = asking;
      asking = [];
      try {
        await assignUnknown(round.flatMap(({ events }) => events));
        for (const { done } of round) done();
      } catch (error) {
        for (const { failed } of round) failed(error);
      }
    }
    isConsulting = false;
  }

  async function assignUnknown(events: FinishedEvent[]): Promise<void> {
    const visitors = new Map<string, Visitor>();
    for (const event of events.sort((one, other) => one.ts - other.ts)) {
      const key = keyOf(event);
      let visitor = visitors.get(key);
      if (visitor === undefined) {
        const { projectId, distinctId } = event;
        visitor = { projectId, distinctId, events: [], visits: visitsOf.get(key) ?? [] };
        visitors.set(key, visitor);
      }
      if (!join(visitor.visits, event)) visitor.events.push(event); // the round before may have begun its visit
    }
    const missing = [...visitors.values()].filter((visitor) => visitor.events.length > 0);
    try {
      if (missing.length > 0) await withDeadline(beginVisits(missing));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.debug({ err: error }, 'database unavailable; starting cookieless sessions without it');
      for (const visitor of missing) beginMissing(visitor);
    }
    for (const [key, { visits }] of visitors) visitsOf.set(key, visits);
  }

  /** One transaction; other processes that ask for one of these visitors wait for its end. */
  async function beginVisits(visitors: Visitor[]): Promise<void> {
    const client = await pool.connect();
    let isBroken = true;
    try {
      await client.query('begin');
      await client.query(LOCK_VISITORS, columnsOf(visitors));
      for (const { project, visitor, ...visit } of await readVisits(client, visitors)) {
        const known = visitors.find(({ projectId, distinctId }) => projectId === project && distinctId === visitor);
        if (known) merge(known.visits, visit);
      }
      await insertVisits(client, visitors);
      await client.query('commit');
      isBroken = false;
    } finally {
      client.release(isBroken);
    }
  }

  return {
    salts,
    assignVisits,
    async destroyOld(nowMs) {
      await pool.query(
        `delete from cookieless_salts
         using projects
         where projects.id = cookieless_salts.project_id
           and day < (to_timestamp($1::float8 / 1000) at time zone projects.time_zone)::date - 1`,
        [nowMs],
      );
      await pool.query('delete from cookieless_sessions where last_ts < to_timestamp($1::float8 / 1000)', [
        nowMs - KEEP_VISITS_MS,
      ]);
    },
  };
}

/** The previous calendar day: days of a time zone have 23 to 25 hours. */
function dayBefore(day: string): string {
  return new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);
}

/** Puts the event into the visit it belongs to; false when there is none. */
function join(visits: Visit[], event: FinishedEvent): boolean {
  for (const visit of visits) {
    if (event.ts < visit.firstTs - GAP_MS || event.ts > visit.lastTs + GAP_MS) continue;
    visit.firstTs = Math.min(visit.firstTs, event.ts);
    visit.lastTs = Math.max(visit.lastTs, event.ts);
    event.session = visit.session;
    return true;
  }
  return false;
}

/** Starts a visit, in chronological order, for each event without one. */
function beginMissing({ visits, events }: Visitor): Visit[] {
  const begun: Visit[] = [];
  for (const event of events) {
    if (join(visits, event)) continue;
    const visit = { session: uuidV7(Math.max(0, event.ts)), firstTs: event.ts, lastTs: event.ts };
    event.session = visit.session;
    visits.push(visit);
    begun.push(visit);
  }
  return begun;
}

function merge(visits: Visit[], stored: Visit): void {
  const same = visits.find(({ session }) => session === stored.session);
  if (same === undefined) {
    visits.push(stored);
    return;
  }
  same.firstTs = Math.min(same.firstTs, stored.firstTs);
  same.lastTs = Math.max(same.lastTs, stored.lastTs);
}

function keyOf({ projectId, distinctId }: FinishedEvent): string {
  return `${projectId} ${distinctId}`;
}

function columnsOf(visitors: readonly Visitor[]): [number[], string[]] {
  return [visitors.map(({ projectId }) => projectId), visitors.map(({ distinctId }) => distinctId)];
}

/** In one order, so that two processes with the same visitors cannot wait for each other in a circle. */
const LOCK_VISITORS = `
  select pg_advisory_xact_lock(project_id, number)
  from (
    select project_id, hashtext(visitor) as number
    from unnest($1::int[], $2::text[]) as asked (project_id, visitor)
    order by 1, 2
    offset 0
  ) as in_order`;

/** The visit's row has its start; the sessions table has its latest event. */
async function readVisits(
  client: PoolClient,
  visitors: readonly Visitor[],
): Promise<(Visit & { project: number; visitor: string })[]> {
  const { rows } = await client.query<{
    project: number;
    visitor: string;
    session: string;
    first: number;
    last: number;
  }>(
    `select visit.project_id as project, visit.visitor, visit.session,
       extract(epoch from least(visit.first_ts, sessions.first_ts))::float8 * 1000 as first,
       extract(epoch from greatest(visit.last_ts, sessions.last_ts))::float8 * 1000 as last
     from unnest($1::int[], $2::text[]) as asked (project_id, visitor)
     join cookieless_sessions as visit using (project_id, visitor)
     left join sessions on sessions.project_id = visit.project_id and sessions.uuid = visit.session`,
    columnsOf(visitors),
  );
  return rows.map(({ first, last, ...visit }) => ({ ...visit, firstTs: first, lastTs: last }));
}

async function insertVisits(client: PoolClient, visitors: readonly Visitor[]): Promise<void> {
  const begun = visitors.flatMap((visitor) => beginMissing(visitor).map((visit) => ({ ...visitor, ...visit })));
  if (begun.length === 0) return;
  await client.query(
    `insert into cookieless_sessions (project_id, visitor, session, first_ts, last_ts)
     select project_id, visitor, session, to_timestamp(first / 1000), to_timestamp(last / 1000)
     from unnest($1::int[], $2::text[], $3::uuid[], $4::float8[], $5::float8[])
       as visit (project_id, visitor, session, first, last)`,
    [
      begun.map(({ projectId }) => projectId),
      begun.map(({ distinctId }) => distinctId),
      begun.map(({ session }) => session),
      begun.map(({ firstTs }) => firstTs),
      begun.map(({ lastTs }) => lastTs),
    ],
  );
}
