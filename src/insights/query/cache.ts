/**
 * Query cache with single flight: per query at most one computation runs and at most one waits behind it.
 * No result is older than the last commit known at the request: a computation that started before a commit completes
 * for its own callers, and later ones get the next.
 *
 * Results of a project share one time, until a commit or for two seconds: the parts of a screen count up to the same time, and
 * cached and new results are never mixed.
 */
import type { Clock } from '#src/kit/clock.ts';

/** Notifies of changed events in a project. */
export interface Changes {
  /** Differs after every commit of the project's events; null while that cannot be known. */
  version(projectId: number): number | null;
}

/** Lifetime of a cached time, ms: ranges that end now must move on even without new events. */
const keepMs = 2_000;
const mostAnswers = 500;

/** Shared state of a project's results. */
interface Moment {
  version: number | null;
  /** Up to when ranges that end now are counted. */
  now: number;
}

interface Computation {
  moment: Moment;
  running: boolean;
  promise: Promise<unknown>;
  /** The computation that follows the running one. */
  next: Promise<unknown> | null;
}

export interface QueryCache {
  /** The kept result, or that of one computation that all share. @param compute gets the time that is now for it, ms */
  get<Answer>(projectId: number, key: string, compute: (now: number) => Promise<Answer>): Promise<Answer>;
}

export function createQueryCache(clock: Clock, changes: Changes): QueryCache {
  // In order of last start: the oldest goes first when there are too many.
  const computations = new Map<string, Computation>();
  /** By project. */
  const moments = new Map<number, Moment>();

  function momentOf(projectId: number): Moment {
    const version = changes.version(projectId);
    const now = clock.now();
    const known = moments.get(projectId);
    if (known !== undefined && version !== null && known.version === version && Math.abs(now - known.now) < keepMs)
      return known;
    const moment = { version, now };
    moments.set(projectId, moment);
    return moment;
  }

  function start(projectId: number, key: string, compute: (now: number) => Promise<unknown>): Promise<unknown> {
    const moment = momentOf(projectId);
    const computation: Computation = {
      moment,
      running: true,
      promise: Promise.resolve(null),
      next: null,
    };
    computation.promise = compute(moment.now).then(
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

  return {
    get<Answer>(projectId: number, key: string, compute: (now: number) => Promise<Answer>) {
      const found = computations.get(key);
      if (found === undefined) return start(projectId, key, compute) as Promise<Answer>;
      if (found.moment === momentOf(projectId)) return found.promise as Promise<Answer>;
      if (!found.running) return start(projectId, key, compute) as Promise<Answer>;
      const begin = (): Promise<unknown> => start(projectId, key, compute);
      found.next ??= found.promise.then(begin, begin);
      return found.next as Promise<Answer>;
    },
  };
}
