/**
 * Answers shared by those who ask the same: at most one computation per question runs and at most one waits behind it.
 * Nobody gets an answer that is older than the last commit known when they asked: what began before a commit is finished
 * for its own askers, and later ones get the next.
 */
import type { Clock } from '#src/kit/clock.ts';

/** Tells when a project's events changed. */
export interface Changes {
  /** Differs after every commit of the project's events; null while that cannot be known. */
  version(projectId: number): number | null;
}

/** Ranges that end now move on: an answer is kept this long even if nothing arrives. */
const keepMs = 2_000;
const mostAnswers = 500;

interface Computation {
  version: number | null;
  startedAt: number;
  running: boolean;
  promise: Promise<unknown>;
  /** The one that starts when this one ends. */
  next: Promise<unknown> | null;
}

export interface QueryCache {
  /** The kept result, or that of one computation that all share. */
  get<Answer>(projectId: number, key: string, compute: () => Promise<Answer>): Promise<Answer>;
}

export function createQueryCache(clock: Clock, changes: Changes): QueryCache {
  // In order of last start: the oldest goes first when there are too many.
  const computations = new Map<string, Computation>();

  function start(projectId: number, key: string, compute: () => Promise<unknown>): Promise<unknown> {
    const computation: Computation = {
      version: changes.version(projectId),
      startedAt: clock.now(),
      running: true,
      promise: Promise.resolve(null),
      next: null,
    };
    computation.promise = compute().then(
      (answer) => {
        computation.running = false;
        return answer;
      },
      (error: unknown) => {
        computation.running = false;
        if (computations.get(key) === computation) computations.delete(key);
        throw error;
      },
    );
    computations.delete(key);
    computations.set(key, computation);
    if (computations.size > mostAnswers) computations.delete(computations.keys().next().value as string);
    return computation.promise;
  }

  function usable({ version, startedAt }: Computation, projectId: number): boolean {
    return version !== null && version === changes.version(projectId) && Math.abs(clock.now() - startedAt) < keepMs;
  }

  return {
    get<Answer>(projectId: number, key: string, compute: () => Promise<Answer>) {
      const found = computations.get(key);
      if (found === undefined) return start(projectId, key, compute) as Promise<Answer>;
      if (usable(found, projectId)) return found.promise as Promise<Answer>;
      if (!found.running) return start(projectId, key, compute) as Promise<Answer>;
      const begin = (): Promise<unknown> => start(projectId, key, compute);
      found.next ??= found.promise.then(begin, begin);
      return found.next as Promise<Answer>;
    },
  };
}
