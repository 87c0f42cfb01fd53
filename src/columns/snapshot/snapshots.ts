/**
 * Snapshots of a project for queries. Concurrent queries share one: their common state (sealed
 * chunks, unsealed rows, merges) is read once, on one connection. A snapshot starts after all its queries have
 * arrived, so that no result is older than its request.
 *
 * Snapshots start one after the other: concurrent ones would read the same data several times, in as many PostgreSQL backends, which
 * would slow down ingestion. Later queries of the project share the waiting snapshot.
 */
import type { Knex } from 'knex';
import type { ClientBase } from 'pg';
import type { Breath } from '#src/kit/breath.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { createTurns } from '#src/kit/turns.ts';
import { asAppError, sqlState } from '#src/store/db.ts';
import { inTurn, openSecondReader, readSnapshot, type SecondReader } from '#src/store/snapshot.ts';
import type { Before, Tails } from './tail.ts';

export interface Snapshot {
  /** Accepts concurrent queries, which run one after the other. */
  client: ClientBase;
  /** A second connection in the same snapshot, for parallel reads; null when none is free. */
  second?(): Promise<ClientBase | null>;
  /** Cached unsealed rows as of its start; absent: not to be used. */
  before?: Before;
  /** Properties in no group that any of the questions wants: rows are read once for all. */
  properties: readonly string[];
  /** Another snapshot, for what has not changed since, when this one was spoiled by a statement of someone else; absent: there is none. */
  elsewhere?<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result>;
  /** The snapshot does not end before this has settled. Callers that wait for it get its error. */
  until(work: Promise<unknown>): void;
  /** Runs `make` once per name and shares the result. */
  once<Value>(name: string, make: () => Promise<Value>): Promise<Value>;
}

export interface Snapshots {
  /**
   * Does the work at a snapshot that has not begun.
   * @param properties that are in no group and wanted
   * @param ending fires when nobody waits for this work any more: what is read for it alone ends once that is true of all who share the snapshot
   * @throws AppError as `readSnapshot`; Cancelled
   */
  withSnapshot<Result>(
    projectId: number,
    properties: readonly string[],
    work: (snapshot: Snapshot) => Promise<Result>,
    ending?: AbortSignal,
  ): Promise<Result>;
}

/** A question that shares a snapshot. */
interface WaitingQuery {
  properties: readonly string[];
  ending: AbortSignal | undefined;
  isSettled: boolean;
  /** Null, or what went wrong. */
  ask(snapshot: Snapshot): Promise<unknown>;
  fail(error: unknown): void;
}

/** A snapshot that takes longer does not hold up the others. */
const LONG_MS = 1_000;

/** @param breathe yields between the queries that shared a snapshot */
export function createSnapshots(db: Knex, tails: Pick<Tails, 'before'>, breathe: Breath): Snapshots {
  /** Queries that wait for a snapshot, by project. */
  const waiting = new Map<number, WaitingQuery[]>();
  const turns = createTurns({ longMs: LONG_MS });

  function begin(projectId: number): WaitingQuery[] {
    const all: WaitingQuery[] = [];
    const close = () => {
      if (waiting.get(projectId) === all) waiting.delete(projectId);
    };
    const over = new AbortController();
    const endIfNobodys = () => {
      if (isNobodys(all)) over.abort();
    };
    const work = async (client: ClientBase) => {
      // The transaction's snapshot is taken by its first statement, which follows.
      close();
      // Nobody joins them any more.
      for (const { ending } of all) ending?.addEventListener('abort', endIfNobodys, { once: true });
      endIfNobodys();
      if (over.signal.aborted) throw new Cancelled();
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
        const asking = all.map(async (each) => {
          const failure = await each.ask(snapshot);
          each.isSettled = true;
          endIfNobodys();
          return failure;
        });
        const failures: unknown[] = (await Promise.all(asking)).filter((failure) => failure !== null);
        failures.push(...(await snapshot.settled()));
        if (failures.length > 0) throw failures.find((failure) => !isSpoiled(failure)) ?? failures[0];
      } finally {
        for (const { ending } of all) ending?.removeEventListener('abort', endIfNobodys);
        await endOf(beside);
      }
    };
    const whole = turns.take(() => {
      if (all.length > 0 && isNobodys(all)) {
        close();
        over.abort();
      }
      return readSnapshot(db, work, over.signal);
    });
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
    ending: AbortSignal | undefined,
  ): Promise<Result> {
    const alone = async (client: ClientBase) => {
      const snapshot = snapshotOf(client, properties);
      try {
        return await work(snapshot);
      } finally {
        await snapshot.settled();
      }
    };
    return readSnapshot(db, alone, ending);
  }

  return {
    withSnapshot(projectId, properties, work, ending) {
      const all = waiting.get(projectId) ?? begin(projectId);
      return new Promise((resolve, reject) => {
        all.push({
          properties,
          ending,
          isSettled: false,
          fail: reject,
          ask: (snapshot) =>
            work(snapshot).then(
              (result) => {
                // Settled independently of the other queries.
                resolve(breathe().then(() => result));
                return null;
              },
              (error: unknown) => {
                // Another query's failure must not fail this one.
                if (isSpoiled(error)) resolve(askAlone(work, properties, ending));
                else reject(asAppError(error));
                return error;
              },
            ),
        });
      });
    },
  };
}

/** True when nobody waits for any of them. */
function isNobodys(queries: readonly WaitingQuery[]): boolean {
  return queries.every(({ isSettled, ending }) => isSettled || ending?.aborted === true);
}

/** Waits for its end. Errors were reported to its callers. */
async function endOf(beside: Promise<SecondReader | null> | null): Promise<void> {
  const opened = await beside?.catch(() => null);
  await opened?.end();
}

/** An unshared snapshot. @returns also a function that waits for all running work, and throws its failure */
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

/** True when an earlier statement failed in the transaction. */
export function isSpoiled(error: unknown): boolean {
  return sqlState(error) === '25P02';
}
