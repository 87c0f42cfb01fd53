/**
 * Snapshots that queries read a project in. Queries that are asked together share one: what all of them have to know of it (what is
 * sealed, the rows that are not, who was merged) is read once and on one connection. A snapshot begins after everybody who shares it has
 * asked, so that nobody is told anything older than what they could know.
 *
 * They begin one after the other: several at once would read the same things several times, on as many processes of PostgreSQL, which
 * intake then waits for. Who asks for the same project meanwhile shares the snapshot that waits.
 */
import type { Knex } from 'knex';
import type { ClientBase } from 'pg';
import type { Breath } from '#src/kit/breath.ts';
import { createTurns } from '#src/kit/turns.ts';
import { asAppError, sqlState } from '#src/store/db.ts';
import { inTurn, openSecondReader, readSnapshot, type SecondReader } from '#src/store/snapshot.ts';
import type { Before, Tails } from './tail.ts';

export interface Snapshot {
  /** May be asked several things at once: they are answered one after the other. */
  client: ClientBase;
  /** Sees the same, to read from both at once; null when there is none to spare. */
  second?(): Promise<ClientBase | null>;
  /** What was known of rows that are not sealed when it began; absent: it is not to be used. */
  before?: Before;
  /** Properties in no group that any of the questions wants: rows are read once for all. */
  properties: readonly string[];
  /** Another snapshot, for what has not changed since, when this one was spoiled by a statement of someone else; absent: there is none. */
  elsewhere?<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result>;
  /** The snapshot does not end before this has settled. Callers that wait for it get its error. */
  until(work: Promise<unknown>): void;
  /** What is made once for all, by a name. */
  once<Value>(name: string, make: () => Promise<Value>): Promise<Value>;
}

export interface Snapshots {
  /**
   * Does the work at a snapshot that has not begun.
   * @param properties that are in no group and wanted
   * @throws AppError as `readSnapshot`
   */
  withSnapshot<Result>(
    projectId: number,
    properties: readonly string[],
    work: (snapshot: Snapshot) => Promise<Result>,
  ): Promise<Result>;
}

/** A question that shares a snapshot. */
interface Asked {
  properties: readonly string[];
  /** Null, or what went wrong. */
  ask(snapshot: Snapshot): Promise<unknown>;
  fail(error: unknown): void;
}

/** A snapshot that takes longer does not hold up the others. */
const LONG_MS = 1_000;

/** @param breathe before each of those who shared a snapshot goes on: most of what they have to do is then known to all at once */
export function createSnapshots(db: Knex, tails: Pick<Tails, 'before'>, breathe: Breath): Snapshots {
  /** By project, those that wait for a snapshot to begin. */
  const waiting = new Map<number, Asked[]>();
  const turns = createTurns({ longMs: LONG_MS });

  function begin(projectId: number): Asked[] {
    const all: Asked[] = [];
    const close = () => {
      if (waiting.get(projectId) === all) waiting.delete(projectId);
    };
    const work = async (client: ClientBase) => {
      // What the transaction sees is decided by its first statement, which is still to come.
      close();
      const snapshot = snapshotOf(
        client,
        all.flatMap(({ properties }) => properties),
      );
      snapshot.before = tails.before(projectId);
      let beside: Promise<SecondReader | null> | null = null;
      snapshot.elsewhere = (work) => readSnapshot(db, work);
      snapshot.second = async () => {
        beside ??= openSecondReader(db, snapshot.client);
        return (await beside)?.client ?? null;
      };
      try {
        const failures: unknown[] = (await Promise.all(all.map((each) => each.ask(snapshot)))).filter(
          (failure) => failure !== null,
        );
        failures.push(...(await snapshot.settled()));
        if (failures.length > 0) throw failures.find((failure) => !isSpoiled(failure)) ?? failures[0];
      } finally {
        await endOf(beside);
      }
    };
    const whole = turns.take(() => readSnapshot(db, work));
    whole.catch((error: unknown) => {
      close();
      for (const each of all) each.fail(error);
    });
    waiting.set(projectId, all);
    return all;
  }

  function askAlone<Result>(
    work: (snapshot: Snapshot) => Promise<Result>,
    properties: readonly string[],
  ): Promise<Result> {
    return readSnapshot(db, async (client) => {
      const snapshot = snapshotOf(client, properties);
      try {
        return await work(snapshot);
      } finally {
        await snapshot.settled();
      }
    });
  }

  return {
    withSnapshot(projectId, properties, work) {
      const all = waiting.get(projectId) ?? begin(projectId);
      return new Promise((resolve, reject) => {
        all.push({
          properties,
          fail: reject,
          ask: (snapshot) =>
            work(snapshot).then(
              (result) => {
                // Settled by this, whatever becomes of the others.
                resolve(breathe().then(() => result));
                return null;
              },
              (error: unknown) => {
                // What another question did wrong is not this one's fault.
                if (isSpoiled(error)) resolve(askAlone(work, properties));
                else reject(asAppError(error));
                return error;
              },
            ),
        });
      });
    },
  };
}

/** Whatever became of it was told to those who asked for it. */
async function endOf(beside: Promise<SecondReader | null> | null): Promise<void> {
  const opened = await beside?.catch(() => null);
  await opened?.end();
}

/** A snapshot that is shared with nobody else. @returns also what waits until nothing is under way any more, and tells what failed */
export function snapshotOf(
  client: ClientBase,
  properties: readonly string[],
): Snapshot & { settled(): Promise<unknown[]> } {
  const made = new Map<string, Promise<unknown>>();
  const underWay: Promise<unknown>[] = [];
  return {
    client: inTurn(client),
    until(work) {
      underWay.push(work);
    },
    async settled() {
      const settled = await Promise.allSettled(underWay);
      return settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    },
    properties: [...new Set(properties)],
    once<Value>(name: string, make: () => Promise<Value>) {
      const known = (made.get(name) as Promise<Value> | undefined) ?? make();
      made.set(name, known);
      return known;
    },
  };
}

/** Whether an earlier statement of the transaction failed. */
export function isSpoiled(error: unknown): boolean {
  return sqlState(error) === '25P02';
}
