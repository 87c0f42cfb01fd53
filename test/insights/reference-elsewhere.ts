/** What other products' rules give on the same events, the plain way. */
import type { Happened, Reference } from './reference.ts';
import { measurements, quantile } from './reference-values.ts';

/** Whether an event reaches a goal. */
export type Reaches = (happened: Happened) => boolean;

/** Visitors who are new in each piece of time. @param length of the part of the clock that tells the pieces apart */
export function visitorsBy(reference: Reference, length: number): number {
  return new Set(
    counted(reference)
      .filter(isView)
      .map((each) => pieceOf(reference, each, length)),
  ).size;
}

/** Of the visitors of each day, those who reached the goal on that day. */
export function rateByDays(reference: Reference, reaches: Reaches): number | null {
  const some = (isWanted: Reaches) =>
    new Set(
      counted(reference)
        .filter(isWanted)
        .map((each) => pieceOf(reference, each, 10)),
    );
  const [visitors, reached] = [some(isView), some(reaches)];
  return share([...visitors].filter((visitor) => reached.has(visitor)).length, visitors.size);
}

/** Bounces of Plausible, GA4 and OpenPanel. */
export function bouncesBy(reference: Reference, goals: Reaches[]): Record<string, number | null> {
  const visits = reference.visits(reference.current);
  const single = visits.filter(({ views }) => views === 1);
  const silent = single.filter(({ events }) => events.every(({ event }) => event.startsWith('$')));
  const idle = single.filter(
    ({ events, seconds }) => seconds <= 10 && !events.some((each) => goals.some((reaches) => reaches(each))),
  );
  return {
    plausible: share(silent.length, visits.length),
    ga4: share(idle.length, visits.length),
    openpanel: share(single.length, visits.length),
  };
}

export function durationWithoutZeros(reference: Reference): number | null {
  const some = reference.visits(reference.current).filter(({ seconds }) => seconds > 0);
  return share(
    some.reduce((sum, { seconds }) => sum + seconds, 0),
    some.length,
  );
}

/** Visits in which the goal was reached, and their share. */
export function visitsReaching(reference: Reference, reaches: Reaches): [number, number | null] {
  const visits = reference.visits(reference.current);
  const some = visits.filter(({ events }) => events.some(reaches)).length;
  return [some, share(some, visits.length)];
}

export function percentile90(reference: Reference, vital: string): number | null {
  return quantile(
    measurements(reference, vital).map(({ value }) => value),
    0.9,
  );
}

function counted(reference: Reference): Happened[] {
  return reference.history.filter(
    (each) => reference.current(each.ts) && reference.isCounted(each) && reference.isWished(each),
  );
}

function pieceOf(reference: Reference, { ts, distinctId }: Happened, length: number): string {
  return `${reference.clock(ts).slice(0, length)} ${reference.personOf(distinctId)}`;
}

function isView({ event }: Happened): boolean {
  return event === '$pageview' || event === '$screen';
}

function share(some: number, all: number): number | null {
  return all === 0 ? null : some / all;
}
