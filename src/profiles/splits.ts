/**
 * Taking an id out of a person. Who has the id is changed at once, in one transaction; its events follow in steps, the first of them right
 * away. A minute later they are looked over once more: until then a process may have remembered whose the id was.
 */
import type { Client } from 'pg';
import type { History } from '#src/events/history.ts';
import { notFound } from '#src/kit/errors.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { openDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { createNumbers } from '#src/store/numbers.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';

export interface Splits {
  /**
   * Gives the uuid of the new person.
   * @param note entered with it
   * @throws AppError `not_found`, `conflict` when it is their only id
   */
  split(projectId: ProjectId, asked: SplitOf, by: Asking, note: (on: Queryable) => Promise<void>): Promise<string>;
  /** Recurring work, every minute: events that are still to be moved. */
  work(signal?: AbortSignal): Promise<void>;
}

export interface SplitOf {
  person: string;
  distinctId: string;
}

/** Who asked; their name stands beside it. */
export interface Asking {
  id: number;
  name: string;
}

type SplitsDeps = Pick<Deps, 'config' | 'db' | 'write' | 'clock' | 'log'>;

/** Longer than a statement of intake takes, and than a process needs to find out that it missed a notice. */
const LOOK_AGAIN_MS = 60_000;
/** Whoever asked waits for so long; the rest is moved by the job. */
const AT_ONCE_MS = 5_000;

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
  { people, history }: { people: People; history: Pick<History, 'told' | 'firsts' | 'reassign'> },
): Splits {
  const numbers = createNumbers(write);

  async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = openDirect(config);
    client.on('error', ({ message }) => log.warn({ reason: message }, 'the connection of a split failed'));
    await client.connect();
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

  return {
    async split(projectId, { person: uuid, distinctId }, by, note) {
      const person = await people.get(projectId, uuid);
      if (person === null) throw notFound('person');
      const supply = await numbers.reserve(projectId, 'person', 1);
      const newPerson = supply.next();
      return withClient(async (client) => {
        await client.query('begin');
        const done = await people.split(client, {
          ...{ projectId, person: person.number, distinctId, number: newPerson },
          told: (persons) => history.told(client, projectId, persons),
          firsts: (persons, idNumber) => history.firsts(client, projectId, persons, idNumber),
        });
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
          log.info({ err: error }, 'the events of a split are moved by the job'),
        );
        return done.uuid;
      });
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
