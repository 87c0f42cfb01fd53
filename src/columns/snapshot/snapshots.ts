/**
 * Moments at which questions see a project. Questions that are asked together see the same one: what all of them have to know of it (what is
 * sealed, the rows that are not, who was merged) is read once and on one connection. A moment begins after everybody who shares it has
 * asked, so that nobody is told anything older than what they could know.
 *
 * They begin one after the other: several at once would read the same things several times, on as many processes of PostgreSQL, which
 * intake then waits for. Who asks for the same project meanwhile shares the moment that waits.
 */
import type { Knex } from 'knex';
import type { ClientBase } from 'pg';
import type { Breath } from '#src/kit/breath.ts';
import { createTurns } from '#src/kit/turns.ts';
import { asAppError, sqlState } from '#src/store/db.ts';
import { type Beside, inTurn, openBeside, readSnapshot } from '#src/store/snapshot.ts';
import type { Before, Tails } from './tail.ts';

export interface Moment {
  /** May be asked several things at once: they are answered one after the other. */
  client: ClientBase;
  /** Sees the same, to read from both at once; null when there is none to spare. */
  second?(): Promise<ClientBase | null>;
  /** What was known of rows that are not sealed when it began; absent: it is not to be used. */
  before?: Before;
  /** Properties in no group that any of the questions wants: rows are read once for all. */
  properties: readonly string[];
  /** Another moment, for what has not changed since, when this one was spoiled by a statement of somebody else; absent: there is none. */
  elsewhere?<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result>;
  /** The moment does not end before this has settled. Whoever waits for it is told what came of it. */
  until(work: Promise<unknown>): void;
  /** What is made once for all, by a name. */
  once<Value>(name: string, make: () => Promise<Value>): Promise<Value>;
}

export interface Moments {
  /**
   * Does the work at a moment that has not begun.
   * @param properties that are in no group and wanted
   * @throws AppError as `readSnapshot`
   */
  at<Result>(
    projectId: number,
    properties: readonly string[],
    work: (moment: Moment) => Promise<Result>,
  ): Promise<Result>;
}

/** A question that shares a moment. */
interface Asked {
  properties: readonly string[];
  /** Null, or what went wrong. */
  ask(moment: Moment): Promise<unknown>;
  fail(error: unknown): void;
}

/** A moment that takes longer does not hold up the others. */
const LONG_MS = 1_000;

/** @param breathe before each of those who shared a moment goes on: most of what they have to do is then known to all at once */
export function createMoments(db: Knex, tails: Pick<Tails, 'before'>, breathe: Breath): Moments {
  /** By project, those that wait for a moment to begin. */
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
      const moment = momentOf(
        client,
        all.flatMap(({ properties }) => properties),
      );
      moment.before = tails.before(projectId);
      let beside: Promise<Beside | null> | null = null;
      moment.elsewhere = (work) => readSnapshot(db, work);
      moment.second = async () => {
        beside ??= openBeside(db, moment.client);
        return (await beside)?.client ?? null;
      };
      try {
        const failures: unknown[] = (await Promise.all(all.map((each) => each.ask(moment)))).filter(
          (failure) => failure !== null,
        );
        failures.push(...(await moment.settled()));
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

  function askAlone<Result>(work: (moment: Moment) => Promise<Result>, properties: readonly string[]): Promise<Result> {
    return readSnapshot(db, async (client) => {
      const moment = momentOf(client, properties);
      try {
        return await work(moment);
      } finally {
        await moment.settled();
      }
    });
  }

  return {
    at(projectId, properties, work) {
      const all = waiting.get(projectId) ?? begin(projectId);
      return new Promise((resolve, reject) => {
        all.push({
          properties,
          fail: reject,
          ask: (moment) =>
            work(moment).then(
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
async function endOf(beside: Promise<Beside | null> | null): Promise<void> {
  const opened = await beside?.catch(() => null);
  await opened?.end();
}

/** A moment that is shared with nobody else. @returns also what waits until nothing is under way any more, and tells what failed */
export function momentOf(
  client: ClientBase,
  properties: readonly string[],
): Moment & { settled(): Promise<unknown[]> } {
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
