/**
 * Query cache with single flight: per query at most one computation runs and at most one waits behind it.
 * No result is older than the last commit known at the request: a computation that started before a commit completes
 * for its own callers, and later ones get the next.
 *
 * Results of a project share one time, until a commit or for two seconds: the parts of a screen count up to the same time, and
 * cached and new results are never mixed.
 *
 * A computation is cancelled once all who wait for it have gone.
 */
import { Cancelled } from '#src/kit/cancelled.ts';
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

/** A result that is on its way, or there, and who waits for it. */
interface Flight {
  promise: Promise<unknown>;
  /** Callers that may still leave, and have not; with one who stays until the end it never comes to 0. */
  waiting: number;
  /** Fires once the last caller has left. */
  ending: AbortController;
}

interface Computation extends Flight {
  moment: Moment;
  running: boolean;
  /** The computation that follows the running one. */
  next: Flight | null;
}

export interface QueryCache {
  /**
   * The kept result, or that of one computation that all share.
   * @param compute gets the time that is now for it, ms, and a signal that fires once all who wait for it have gone
   * @param gone fires when this caller does not wait any longer; absent: they stay
   * @throws Cancelled to who has gone
   */
  get<Answer>(
    projectId: number,
    key: string,
    compute: (now: number, ending: AbortSignal) => Promise<Answer>,
    gone?: AbortSignal,
  ): Promise<Answer>;
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

  type Compute = (now: number, ending: AbortSignal) => Promise<unknown>;

  function start(projectId: number, key: string, compute: Compute, flight: Flight = newFlight()): Computation {
    const moment = momentOf(projectId);
    const computation: Computation = Object.assign(flight, { moment, running: true, next: null });
    const forget = () => {
      if (!computation.running) return;
      computation.running = false;
      if (computations.get(key) === computation) computations.delete(key);
    };
    // Who asks after the last one has gone must not get what is given up.
    computation.ending.signal.addEventListener('abort', forget, { once: true });
    computation.promise = compute(moment.now, computation.ending.signal).then(
      (answer) => {
        computation.running = false;
        return answer;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    computations.delete(key);
    computations.set(key, computation);
    if (computations.size > mostAnswers) computations.delete(computations.keys().next().value as string);
    return computation;
  }

  /** A computation that begins once this one is over. */
  function follow(found: Computation, projectId: number, key: string, compute: Compute): Flight {
    const flight = newFlight();
    const begin = (): Promise<unknown> => {
      if (flight.ending.signal.aborted) throw new Cancelled();
      return start(projectId, key, compute, flight).promise;
    };
    flight.promise = found.promise.then(begin, begin);
    flight.ending.signal.addEventListener(
      'abort',
      () => {
        if (found.next === flight) found.next = null;
      },
      { once: true },
    );
    return flight;
  }

  return {
    get<Answer>(projectId: number, key: string, compute: Compute, gone?: AbortSignal) {
      const found = computations.get(key);
      const isOld = found !== undefined && found.moment !== momentOf(projectId);
      if (found === undefined || (isOld && !found.running))
        return join(start(projectId, key, compute), gone) as Promise<Answer>;
      if (!isOld) return join(found, gone) as Promise<Answer>;
      found.next ??= follow(found, projectId, key, compute);
      return join(found.next, gone) as Promise<Answer>;
    },
  };
}

function newFlight(): Flight {
  return { promise: Promise.resolve(null), waiting: 0, ending: new AbortController() };
}

/** The result, for a caller who may leave before it is there. */
function join(flight: Flight, gone: AbortSignal | undefined): Promise<unknown> {
  flight.waiting++;
  const { promise } = flight;
  if (gone === undefined) return promise;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      reject(new Cancelled());
      flight.waiting--;
      if (flight.waiting === 0) flight.ending.abort();
    };
    const end = () => {
      isOver = true;
      gone.removeEventListener('abort', leave);
    };
    promise.then(resolve, reject).finally(end);
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
  });
}
