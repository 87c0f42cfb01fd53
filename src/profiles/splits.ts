/**
 * Splitting a distinct id off a person. The id's person changes immediately, in one transaction; its events follow in steps, starting right
 * away. A minute later they are checked again: until then a process may have cached the previous person.
 */
import type { Client } from 'pg';
import { refuseDropped } from '#src/events/dropped.ts';
import type { History } from '#src/events/history.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import type { People, ProjectIdentity, SplitDone, SplitEvents, SplitQuery, SplitRead } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { connectDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { createNumbers } from '#src/store/numbers.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';

export interface Splits {
  /**
   * Gives the uuid of the new person.
   * @param note entered with it
   * @throws AppError `not_found`, `conflict` when it is their only id, `too_large` when they have too many events
   */
  split(projectId: ProjectId, asked: SplitOf, by: Requester, note: (on: Queryable) => Promise<void>): Promise<string>;
  /** Recurring work, every minute: events that are still to be moved. */
  work(signal?: AbortSignal): Promise<void>;
  /** True while events of one of these persons are being moved. */
  isBusy(known: Pick<ProjectIdentity, 'projectId' | 'persons'>): Promise<boolean>;
  /** Forgets what was taken out of these persons, and that they were taken out of someone. Gives rows by table. */
  erase(known: ProjectIdentity): Promise<Record<string, number>>;
}

export interface SplitOf {
  person: string;
  distinctId: string;
}

/** The requester, named in the history. */
export interface Requester {
  id: number;
  name: string;
}

type SplitsDeps = Pick<Deps, 'config' | 'db' | 'write' | 'clock' | 'log'>;

/** Longer than a statement of intake takes, and than a process needs to find out that it missed a notice. */
const LOOK_AGAIN_MS = 60_000;
/** The requester waits for so long; the rest is moved by the job. */
const AT_ONCE_MS = 5_000;

/** With more events than this, most are read before the row is locked. */
const AT_ONCE_EVENTS = 5_000;
/** Newer events are read under the lock, ms: events rarely arrive later than that. */
const LATELY_MS = 60_000;
/** All readings together take so long at most: some hundred thousand events. */
const READING_MS = 60_000;
const MAX_READINGS = 3;

interface OpenSplit {
  projectId: number;
  id: number;
  number: number;
  oldPersons: number[];
  newPerson: number;
  movedAt: number | null;
}

export function createSplits(
  { config, db, write, clock, log }: SplitsDeps,
  { people, history }: { people: People; history: Pick<History, 'ofPersons' | 'firsts' | 'count' | 'reassign'> },
  { atOnce = AT_ONCE_EVENTS, readingMs = READING_MS }: { atOnce?: number; readingMs?: number } = {},
): Splits {
  const numbers = createNumbers(write);

  async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await connectDirect(config, ({ message }) =>
      log.warn({ reason: message }, 'ID split connection failed'),
    );
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async function move(client: Client, open: OpenSplit, signal: AbortSignal | undefined): Promise<void> {
    const { projectId, id, number: idNumber, oldPersons: from, newPerson: to, movedAt } = open;
    const moved = await history.reassign(client, { projectId, idNumber, from, to, signal });
    const now = new Date(clock.now());
    const done = movedAt === null ? sql`moved_at = ${now}` : sql`done_at = ${now}`;
    await query(
      client,
      sql`update person_splits set events = events + ${moved}, ${done} where project_id = ${projectId} and id = ${id}`,
    );
  }

  function eventsOf(projectId: ProjectId): SplitEvents {
    return {
      ofPersons: (on, persons, span) => history.ofPersons(on, projectId, persons, span),
      firsts: (on, persons, idNumber, span) => history.firsts(on, projectId, persons, idNumber, span),
      count: (on, persons, span) => history.count(on, projectId, persons, span),
    };
  }

  /** Leaves the transaction of the split open. On failure it ends with the connection. */
  async function splitOnceRead(client: Client, asked: SplitQuery, number: number): Promise<SplitDone> {
    const until = clock.elapsed() + readingMs;
    for (let reading = 1; reading <= MAX_READINGS; reading++) {
      const read = await readBefore(client, asked, until);
      await client.query('begin');
      const done = await people.split(client, asked, { number, read });
      // Last: a month may go while events are read, and after that none of theirs does.
      if (done !== null) await refuseDropped(client, asked.projectId, done.oldPersons);
      if (done !== null) return done;
      await client.query('rollback');
    }
    throw new AppError('conflict', 'Older events for this person are still arriving. Try again later.');
  }

  /** @param until by the clock that only goes on */
  async function readBefore(client: Client, asked: SplitQuery, until: number): Promise<SplitRead | null> {
    const ofPersons: SplitEvents['ofPersons'] = async function* (...what) {
      for await (const event of asked.events.ofPersons(...what)) {
        if (clock.elapsed() > until) {
          throw new AppError('too_large', 'This person has too many events to split an ID.');
        }
        yield event;
      }
    };
    await client.query('begin isolation level repeatable read read only');
    const span = { until: clock.now() - LATELY_MS, atOnce };
    const read = await people.readForSplit(client, { ...asked, events: { ...asked.events, ofPersons } }, span);
    await client.query('rollback');
    return read;
  }

  return {
    async split(projectId, { person: uuid, distinctId }, by, note) {
      const person = await people.get(projectId, uuid);
      if (person === null) throw notFound('person');
      const supply = await numbers.reserve(projectId, 'person', 1);
      const newPerson = supply.next();
      const asked = { projectId, person: person.number, distinctId, events: eventsOf(projectId) };
      return withClient(async (client) => {
        const done = await splitOnceRead(client, asked, newPerson);
        const { idNumber: number, oldPersons } = done;
        const [row] = await query<{ id: number }>(
          client,
          sql`insert into person_splits (project_id, distinct_id, number, old_persons, new_person, asked_by, asked_by_name, asked_at)
              values (${projectId}, ${distinctId}, ${number}, ${oldPersons}::int[], ${newPerson}, ${by.id}, ${by.name},
                      ${new Date(clock.now())})
              returning id`,
        );
        await note(client);
        await client.query('commit');
        const open = { projectId, id: row?.id as number, number, oldPersons, newPerson, movedAt: null };
        await move(client, open, AbortSignal.timeout(AT_ONCE_MS)).catch((error: unknown) =>
          log.info({ err: error }, 'events of the split will be moved by a background job'),
        );
        return done.uuid;
      });
    },
    async isBusy({ projectId, persons }) {
      const open = await query(
        db,
        sql`select id from person_splits
             where project_id = ${projectId} and done_at is null
               and (new_person = any(${[...persons]}::int[]) or old_persons && ${[...persons]}::int[])`,
      );
      return open.length > 0;
    },
    async erase({ projectId, persons, distinctIds }) {
      const rows = await query(
        db,
        sql`delete from person_splits
             where project_id = ${projectId}
               and (distinct_id = any(${[...distinctIds]}::text[]) or new_person = any(${[...persons]}::int[])
                    or old_persons && ${[...persons]}::int[])
            returning id`,
      );
      return { person_splits: rows.length };
    },
    async work(signal) {
      const open = await query<OpenSplit>(
        db,
        sql`select project_id as "projectId", id, number, old_persons as "oldPersons", new_person as "newPerson", moved_at as "movedAt"
              from person_splits where done_at is null order by asked_at, id limit 1000`,
      );
      for (const each of open) {
        signal?.throwIfAborted();
        if (each.movedAt !== null && clock.now() - each.movedAt < LOOK_AGAIN_MS) continue;
        await withClient((client) => move(client, each, signal));
      }
    },
  };
}
