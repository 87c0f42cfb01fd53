/** Trends once more, in the plainest way: each event of a history is looked at for each interval. */

import { type Happened, numberSaid, type Reference, type Wishes } from '../reference.ts';
import { addDays } from '../reference-dates.ts';
import { pageRead } from '../reference-tables.ts';

/** Events of a name (null: of any) that fulfil the wishes. */
export interface Rule {
  event: string | null;
  filters?: Wishes;
}

type Filter = (ts: number) => boolean;

/** Those that count at all, under the filters of the query, in the order of storage. */
export function eventsOf(reference: Reference, rules: Rule[], isOneOf: (person: string) => boolean = () => true) {
  return reference.history.filter(
    (each) =>
      reference.isCounted(each) &&
      isOneOf(reference.personOf(each.distinctId)) &&
      reference.isWished(each) &&
      rules.some(
        ({ event, filters }) =>
          (event === null || event === each.event) && (filters === undefined || reference.fulfils(each, filters)),
      ),
  );
}

/**
 * The first event of each person: the first that matches (`firstMatching`), or the first of these names, if it matches (`firstEver`).
 * At the same moment the one that was stored first.
 */
export function firstEventsOf(
  reference: Reference,
  rules: Rule[],
  kind: 'firstEver' | 'firstMatching',
  isOneOf: (person: string) => boolean = () => true,
): Happened[] {
  const matching = new Set(eventsOf(reference, rules, isOneOf));
  const named = kind === 'firstEver' ? rules.map(({ event }) => ({ event })) : rules;
  const firsts = new Map<string, Happened>();
  for (const each of eventsOf(reference, named, isOneOf)) {
    const person = reference.personOf(each.distinctId);
    const known = firsts.get(person);
    if (known === undefined || each.ts < known.ts) firsts.set(person, each);
  }
  return [...firsts.values()].filter((each) => matching.has(each));
}

/** Events that a measure counts. */
export function countedBy(
  reference: Reference,
  rules: Rule[],
  measure: unknown,
  isOneOf?: (person: string) => boolean,
): Happened[] {
  if (measure === 'firstEver' || measure === 'firstMatching') return firstEventsOf(reference, rules, measure, isOneOf);
  return eventsOf(reference, rules, isOneOf);
}

/** A property, or what an event says of several. */
export type By = string | null | ((happened: Happened) => string);

/** What an event says of what the answer is divided by; '' for nothing. */
export function saidBy(happened: Happened, by: By): string {
  if (by === null) return '';
  if (typeof by === 'function') return by(happened);
  const said = {
    $pathname: pageRead(happened.path),
    $browser: happened.device?.browser,
    plan: happened.plan,
    name: happened.event,
  }[by];
  return said === null || said === undefined ? '' : `${said}`;
}

/** The values of most events, and null for all others if there are any. */
export function valuesOf(events: Happened[], by: By, most: number): (string | null)[] {
  if (by === null) return [''];
  return rankedValues(
    events.map((each) => saidBy(each, by)),
    most,
  );
}

/** The commonest of these, and null for all others if there are any. */
export function rankedValues(values: string[], most: number): (string | null)[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const all = [...counts]
    .sort(
      ([one, count], [other, otherCount]) => otherCount - count || Buffer.compare(Buffer.from(one), Buffer.from(other)),
    )
    .map(([value]) => value);
  return all.length > most ? [...all.slice(0, most), null] : all;
}

/** How many visits count and began then, with one of the events, whenever in the visit it was. */
export function visitsWith(reference: Reference, events: Happened[], isWhen: Filter): number {
  return visitsOf(reference, events, isWhen).size;
}

/** The same visits. */
export function visitsOf(reference: Reference, events: Happened[], isWhen: Filter): Set<string> {
  const named = new Set(events.map(({ session }) => session));
  const visits = reference.visits(isWhen, { wished: false }).map(({ events: [first] }) => first?.session ?? '');
  return new Set(visits.filter((visit) => named.has(visit)));
}

export function figureOf(reference: Reference, events: Happened[], measure: Measure): number | null {
  const person = ({ distinctId }: Happened) => reference.personOf(distinctId);
  if (measure === 'events') return events.length;
  if (typeof measure === 'string') return new Set(events.map(person)).size;
  if ('property' in measure) {
    const numbers = events.flatMap(({ plan }) =>
      plan === null || plan === undefined || Number.isNaN(numberSaid(`${plan}`)) ? [] : numberSaid(`${plan}`),
    );
    return comeTo(numbers, measure.as);
  }
  const people = [...new Set(events.map(person))];
  return comeTo(
    people.map((one) => events.filter((each) => person(each) === one).length),
    measure.eventsPerPerson,
  );
}

export type Measure = string | { eventsPerPerson: string } | { property: string; as: string };

function comeTo(numbers: number[], as: string): number | null {
  // Of at most four decimals.
  const sum = numbers.reduce((all, each) => all + Math.round(each * 10_000), 0) / 10_000;
  if (as === 'sum') return sum;
  if (numbers.length === 0) return null;
  const inOrder = [...numbers].sort((one, other) => one - other);
  if (as === 'mean') return sum / numbers.length;
  if (as === 'min') return inOrder[0] as number;
  if (as === 'max') return inOrder.at(-1) as number;
  const share = { median: 0.5, p75: 0.75, p90: 0.9, p99: 0.99 }[as] as number;
  const place = share * (inOrder.length - 1);
  const [low, high] = [inOrder[Math.floor(place)] as number, inOrder[Math.ceil(place)] as number];
  return low + (high - low) * (place - Math.floor(place));
}

/** Is this moment in the so many days up to the end of the bucket? These are whole dates, where it ends with one. */
export function daysUpTo(reference: Reference, end: number, days: number): Filter {
  const { now } = reference.question;
  const last = reference.clock(end - 1).slice(0, 10);
  if (reference.clock(end).slice(0, 10) === last) {
    const from = sameTimeBefore(reference, end, days);
    return (ts) => ts < now && ts >= from && ts < end;
  }
  const first = addDays(last, 1 - days);
  return (ts) => {
    const date = reference.clock(ts).slice(0, 10);
    return ts < now && date >= first && date <= last;
  };
}

/** All clocks are changed by whole quarters of an hour. */
const quarterMs = 900_000;

/** When the clock showed the same time so many dates before, first; where it passed over that, when it did. */
function sameTimeBefore(reference: Reference, moment: number, days: number): number {
  const clock = reference.clock(moment);
  const wanted = `${addDays(clock.slice(0, 10), -days)}${clock.slice(10)}`;
  let at = moment - days * 96 * quarterMs - 8 * quarterMs;
  // A whole date can be missing.
  if (reference.clock(at) >= wanted) at -= 96 * quarterMs;
  while (reference.clock(at) < wanted) at += quarterMs;
  return reference.clock(at) === wanted ? at : Math.floor(at / quarterMs) * quarterMs;
}

/** The interval of a number: the last that begins at or before it. */
export function binOf(text: string, edges: readonly number[]): string {
  const number = numberSaid(text);
  if (text === '' || Number.isNaN(number)) return '';
  const begun = edges.filter((edge) => edge <= number).length;
  if (begun === 0) return `<${edges[0]}`;
  return begun === edges.length ? `>=${edges.at(-1)}` : `${edges[begun - 1]}..${edges[begun]}`;
}

/** Where intervals between the least and the greatest number begin, without the first. */
export function binsOf(numbers: readonly number[], count: number, by: 'width' | 'quantile'): number[] {
  const inOrder = [...numbers].sort((one, other) => one - other);
  const [least, greatest] = [inOrder[0], inOrder.at(-1)];
  if (least === undefined || greatest === undefined) return [0];
  const edges = Array.from({ length: count - 1 }, (_, at) => {
    const share = (at + 1) / count;
    if (by === 'width') return least + (greatest - least) * share;
    const place = share * (inOrder.length - 1);
    const [low, high] = [inOrder[Math.floor(place)] as number, inOrder[Math.ceil(place)] as number];
    return low + (high - low) * (place - Math.floor(place));
  }).map((edge) => Number(edge.toPrecision(12)));
  const divided = [...new Set(edges)].filter((edge) => edge > least);
  return divided.length === 0 ? [least] : divided;
}
