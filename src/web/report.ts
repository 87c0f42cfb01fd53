/** Reports unexpected errors to the log and to analytics, once each, even when several handlers see them. */
import type { Log } from '#src/kit/log.ts';
import type { Measure } from './measure.ts';

export interface About {
  requestId: string;
  /** Pattern of a route, or name of a procedure: nothing that a person typed. */
  path: string;
}

export type Report = (error: unknown, about: About, message: string) => void;

export function createReport(log: Log, measure: Measure): Report {
  const seen = new WeakSet<object>();
  return (error, about, message) => {
    if (typeof error === 'object' && error !== null) {
      if (seen.has(error)) return;
      seen.add(error);
    }
    log.error({ ...about, err: error }, message);
    measure.exception(error, about);
  };
}
