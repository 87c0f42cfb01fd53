/** Lifecycle and stickiness once more, in the plainest way: everybody is looked at for each interval. */
import type { Reference } from '../reference.ts';
import { eventsOf, type Rule } from './reference-trends.ts';

export interface ActivityWish {
  rules: Rule[];
  interval: string;
  minCount: number;
}

type IsOneOf = (person: string) => boolean;

/** By person, the keys of the intervals in which they were active; of events at these moments only. */
function activity(
  reference: Reference,
  { rules, interval, minCount }: ActivityWish,
  isOneOf: IsOneOf,
  isAsked: (ts: number) => boolean = (ts) => ts < reference.question.now,
) {
  const counts = new Map<string, Map<string, number>>();
  for (const { distinctId, ts } of eventsOf(reference, rules, isOneOf)) {
    if (!isAsked(ts)) continue;
    const person = reference.personOf(distinctId);
    const key = reference.key(interval, reference.clock(ts));
    const own = counts.get(person) ?? new Map<string, number>();
    counts.set(person, own.set(key, (own.get(key) ?? 0) + 1));
  }
  return new Map(
    [...counts].map(([person, own]) => [
      person,
      new Set([...own].filter(([, count]) => count >= minCount).map(([key]) => key)),
    ]),
  );
}

/** How many persons of each state. @param starts of the intervals */
export function lifecycleOf(...asked: Parameters<typeof lifecyclePeopleOf>) {
  return lifecyclePeopleOf(...asked).map((own) => ({
    new: own.new.length,
    returning: own.returning.length,
    resurrecting: own.resurrecting.length,
    dormant: own.dormant.length,
  }));
}

/** @param starts of the intervals */
export function lifecyclePeopleOf(
  reference: Reference,
  wish: ActivityWish,
  starts: readonly number[],
  isOneOf: IsOneOf,
) {
  const keyOf = (ts: number) => reference.key(wish.interval, reference.clock(ts));
  const firsts = new Map<string, number>();
  for (const each of reference.history) {
    if (!reference.isCounted(each) || each.ts >= reference.question.now) continue;
    const person = reference.personOf(each.distinctId);
    firsts.set(person, Math.min(each.ts, firsts.get(person) ?? Number.POSITIVE_INFINITY));
  }
  const people = [...activity(reference, wish, isOneOf)];
  return starts.map((start) => {
    const [now, before] = [keyOf(start), keyOf(start - 1)];
    const active = people.filter(([, keys]) => keys.has(now));
    const isNew = ([person]: (typeof people)[number]) => keyOf(firsts.get(person) as number) === now;
    const stayed = active.filter(([, keys]) => keys.has(before));
    return {
      new: active.filter(isNew).map(personIn),
      returning: stayed.map(personIn),
      resurrecting: active.filter((each) => !isNew(each) && !stayed.includes(each)).map(personIn),
      dormant: people.filter(([, keys]) => keys.has(before) && !keys.has(now)).map(personIn),
    };
  });
}

const personIn = ([person]: [string, unknown]) => person;

/** How many persons were active in one of the intervals, in two, and so on. */
export function stickinessOf(...asked: Parameters<typeof stickyPeopleOf>): number[] {
  return stickyPeopleOf(...asked).map(({ length }) => length);
}

/** Persons active in one of the intervals, in two, and so on; events outside the range do not count. */
export function stickyPeopleOf(reference: Reference, wish: ActivityWish, intervals: number, isOneOf: IsOneOf) {
  // Conditions on sessions look at whole sessions: what is outside the range is left out afterwards.
  const people = [...activity(reference, wish, isOneOf, reference.current)];
  return Array.from({ length: intervals }, (_, at) => people.filter(([, { size }]) => size === at + 1).map(personIn));
}
