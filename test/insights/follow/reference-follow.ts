/** Funnels, retention and paths once more, in the plainest way: every attempt of everybody is tried out, every pair of periods looked at. */
import type { Happened, Reference } from '../reference.ts';
import { pageRead } from '../reference-tables.ts';
import { eventsOf, type Rule, saidBy } from './reference-trends.ts';

export interface FunnelWish {
  steps: Rule[][];
  /** The first is 1. */
  optional?: number[];
  order: 'ordered' | 'strict' | 'any';
  windowMs: number;
  exclusions: { rules: Rule[]; after: number; before: number }[];
  per: 'persons' | 'visits';
}

type IsOneOf = (person: string) => boolean;

/** The event of each step; null: it was not done. */
export type Attempt = (Happened | null)[];

/** Of those who began: the events of the best attempt. @param until when is counted */
export function attemptsOf(reference: Reference, wish: FunnelWish, isOneOf: IsOneOf, until: number) {
  const does = wish.steps.map((rules) => new Set(eventsOf(reference, rules, isOneOf)));
  const found = { attempts: [] as Attempt[], excluded: 0, open: 0, doers: [] as Happened[][] };
  for (const own of doersOf(reference, wish, isOneOf)) {
    const all = own.map((_, at) => attemptFrom(wish, own, does, at)).filter((attempt) => attempt.length > 0);
    if (all.length === 0) continue;
    const needed = neededOf(wish);
    const whole = all.filter((attempt) => attempt.length === needed.length).map((attempt) => attempt.at(-1) as number);
    const end = Math.min(...whole, Number.POSITIVE_INFINITY);
    const isOut = wish.exclusions.some(({ rules, after, before }) => {
      const wrong = new Set(eventsOf(reference, rules, isOneOf));
      const [from, to] = [needed.indexOf(after - 1) + 1, needed.indexOf(before - 1) + 1];
      return own.some(
        (each, at) =>
          wrong.has(each) && at <= end && all.some((attempt) => standsBetween(wish, own, attempt, at, from, to)),
      );
    });
    if (isOut) {
      found.excluded++;
      continue;
    }
    found.doers.push(own);
    found.attempts.push(bestOf(wish, own, does) as Attempt);
    const last = Math.max(...all.map(([begin]) => (own[begin as number] as Happened).ts));
    if (whole.length === 0 && last + wish.windowMs > until) found.open++;
  }
  return found;
}

/** The attempts with the value that each has; those of a chosen step: the first is 1. */
export function valuedAttempts(
  reference: Reference,
  wish: FunnelWish,
  isOneOf: IsOneOf,
  attribution: 'first' | 'last' | 'all' | { step: number },
  said: (happened: Happened) => string,
): { value: string; attempt: Attempt }[] {
  const { attempts, doers } = attemptsOf(reference, wish, isOneOf, 0);
  const does = wish.steps.map((rules) => new Set(eventsOf(reference, rules, isOneOf)));
  return attempts.flatMap((attempt, place) => {
    const done = attempt.filter((each) => each !== null);
    if (attribution === 'first') return { value: said(done[0] as Happened), attempt };
    if (attribution === 'last') return { value: said(done.at(-1) as Happened), attempt };
    const step = attribution === 'all' ? null : attribution.step - 1;
    if (step !== null && attempt[step] === null) return { value: '', attempt };
    const own = doers[place] as Happened[];
    return [...new Set(own.map(said))].flatMap((value) => {
      const saying = does.map(
        (events, at) => new Set([...events].filter((each) => (step !== null && step !== at) || said(each) === value)),
      );
      const best = bestOf(wish, own, saying);
      return best === null || (step !== null && best[step] === null) ? [] : { value, attempt: best };
    });
  });
}

function doersOf(reference: Reference, wish: FunnelWish, isOneOf: IsOneOf): Happened[][] {
  const doers = new Map<string, Happened[]>();
  for (const each of inRange(reference, isOneOf)) {
    const doer = wish.per === 'persons' ? reference.personOf(each.distinctId) : each.session;
    if (doer !== null) doers.set(doer, [...(doers.get(doer) ?? []), each]);
  }
  return [...doers.values()];
}

/** Steps that are not optional; the first is 0. */
function neededOf({ steps, optional = [] }: FunnelWish): number[] {
  return steps.map((_, at) => at).filter((at) => !optional.includes(at + 1));
}

/** The attempt that comes furthest, of several the first; null: nobody began. */
function bestOf(wish: FunnelWish, own: Happened[], does: Set<Happened>[]): Attempt | null {
  const all = own.map((_, at) => attemptFrom(wish, own, does, at));
  const most = Math.max(...all.map(({ length }) => length));
  const best = all.find(({ length }) => length === most) as number[];
  if (most === 0) return null;
  const needed = neededOf(wish);
  const begin = (own[best[0] as number] as Happened).ts;
  const places: (number | undefined)[] = wish.steps.map((_, step) => best[needed.indexOf(step)]);
  for (const step of wish.steps.keys()) {
    if (needed.includes(step)) continue;
    const before = Math.max(...places.slice(0, step).map((place) => place ?? -1));
    const isReached = places[needed.filter((each) => each < step).at(-1) as number] !== undefined;
    const next = places[needed.find((each) => each > step) as number] ?? own.length;
    const at = own.findIndex((each, place) => place > before && place < next && does[step]?.has(each));
    if (isReached && at >= 0 && (own[at] as Happened).ts - begin <= wish.windowMs) places[step] = at;
  }
  return places.map((place) => (place === undefined ? null : (own[place] as Happened)));
}

/** At this event: the attempt has done the one step and not yet the other, and may go on. */
function standsBetween(
  wish: FunnelWish,
  own: Happened[],
  attempt: number[],
  at: number,
  after: number,
  before: number,
) {
  const begin = attempt[0] as number;
  if ((own[at] as Happened).ts - (own[begin] as Happened).ts > wish.windowMs) return false;
  if (wish.order === 'any')
    return at > begin && (attempt.length < wish.steps.length || at <= (attempt.at(-1) as number));
  const done = attempt.filter((place) => place < at).length;
  // Whatever comes after what lies between ends a strict attempt.
  if (wish.order === 'strict' && at !== begin + done) return false;
  return done >= after && done < before;
}

/** Places in the list of the steps that an attempt needs and does, if one begins here. */
function attemptFrom(wish: FunnelWish, own: Happened[], all: Set<Happened>[], begin: number): number[] {
  const does = neededOf(wish).map((step) => all[step] as Set<Happened>);
  const from = (own[begin] as Happened).ts;
  const inTime = (at: number) => (own[at] as Happened).ts - from <= wish.windowMs;
  if (wish.order === 'any') {
    const places: number[] = [];
    for (let at = begin; at < own.length && inTime(at); at++) {
      const most = mostSteps(own.slice(begin, at + 1), does);
      if (at === begin && most === 0) return [];
      if (most > places.length) places.push(at);
    }
    return places;
  }
  if (!does[0]?.has(own[begin] as Happened)) return [];
  const places = [begin];
  for (let at = begin + 1; at < own.length && inTime(at) && places.length < does.length; at++) {
    if (does[places.length]?.has(own[at] as Happened)) places.push(at);
    else if (wish.order === 'strict') break;
  }
  return places;
}

/** How many steps these events do at most, if each does one. */
function mostSteps(events: Happened[], does: Set<Happened>[]): number {
  const [first, ...others] = does;
  if (first === undefined) return 0;
  const without = mostSteps(events, others);
  const candidates = events.filter((each) => first.has(each));
  // Events that do the same are as good as each other: only different ones are tried.
  const kinds = new Map(candidates.map((each) => [others.map((other) => other.has(each)).join(), each]));
  const withFirst = [...kinds.values()].map(
    (each) =>
      1 +
      mostSteps(
        events.filter((other) => other !== each),
        others,
      ),
  );
  return Math.max(without, ...withFirst);
}

/** Events that count at all, of the range, in order: ties in the order of storage. */
function inRange(reference: Reference, isOneOf: IsOneOf): Happened[] {
  return ordered(eventsOf(reference, [{ event: null }], isOneOf).filter(({ ts }) => reference.current(ts)));
}

function ordered(events: Happened[]): Happened[] {
  return events
    .map((each, order) => ({ each, order }))
    .sort((one, other) => one.each.ts - other.each.ts || one.order - other.order)
    .map(({ each }) => each);
}

export interface RetentionWish {
  start: Rule[];
  back: Rule[];
  kind: 'firstEver' | 'firstMatching' | 'recurring';
  least: number;
  rolling: boolean;
  period: string;
  /** Ends of columns; absent: each period is one. */
  brackets?: number[];
}

/** Periods after the beginning of each column, both included. */
export function columnsOf({ brackets }: Pick<RetentionWish, 'brackets'>, periods: number) {
  const ends = brackets ?? Array.from({ length: periods }, (_, at) => at);
  return ends.map((to, at) => ({ from: (ends[at - 1] ?? -1) + 1, to })).filter(({ from }) => from < periods);
}

/** The same as numbers. */
export function cohortsOf(...asked: Parameters<typeof cohortPeopleOf>) {
  return cohortPeopleOf(...asked).map(({ began, back }) => ({
    size: began.length,
    returned: back.map(({ length }) => length),
  }));
}

/** By period: who began, and who of them came back, by columns. @param value of the breakdown; undefined: without one */
export function cohortPeopleOf(
  reference: Reference,
  wish: RetentionWish,
  starts: number[],
  isOneOf: IsOneOf,
  by: string | null,
  value: string,
) {
  const { keys, keyOf, known, isFirst, person } = startsOf(reference, wish, starts, isOneOf);
  const said = (each: Happened) => by === null || saidBy(each, by) === value;
  const [start, back] = [known(wish.start).filter(said), known(wish.back).filter(said)];
  return keys.map((key, period) => {
    const began = start.filter((each) => keyOf(each.ts) === key && isFirst(each));
    const people = [...new Set(began.map(person))];
    const cameIn = (one: string, place: number) =>
      back.filter((each) => person(each) === one && keyOf(each.ts) === keys[place]).length >= wish.least;
    const columns = columnsOf(wish, keys.length).filter(({ from }) => period + from < keys.length);
    return {
      began: people,
      back: columns.map(({ from, to }) => {
        const all = keys.map((_, place) => place);
        const places = all.slice(period + from, wish.rolling ? all.length : period + to + 1);
        return people.filter((one) => places.some((place) => cameIn(one, place)));
      }),
    };
  });
}

/** What each start in the range says of a breakdown; of kinds with one start, that of each person. */
export function startValues(
  reference: Reference,
  wish: RetentionWish,
  starts: number[],
  isOneOf: IsOneOf,
  by: string,
): string[] {
  const { keys, keyOf, known, isFirst } = startsOf(reference, wish, starts, isOneOf);
  const inRange = known(wish.start).filter((each) => keys.includes(keyOf(each.ts)) && isFirst(each));
  return inRange.map((each) => saidBy(each, by));
}

function startsOf(reference: Reference, wish: RetentionWish, starts: number[], isOneOf: IsOneOf) {
  const keyOf = (ts: number) => reference.key(wish.period, reference.clock(ts));
  const keys = starts.map(keyOf);
  const now = reference.question.now;
  const known = (rules: Rule[]) => {
    const all = ordered(eventsOf(reference, rules, isOneOf)).filter(({ ts }) => ts < now);
    return all.filter(({ ts }) => keyOf(ts) <= (keys.at(-1) as string));
  };
  const person = ({ distinctId }: Happened) => reference.personOf(distinctId);
  const firsts = known(wish.kind === 'firstEver' ? wish.start.map(({ event }) => ({ event })) : wish.start);
  const isFirst = (each: Happened) =>
    wish.kind === 'recurring' || firsts.find((other) => person(other) === person(each)) === each;
  return { keys, keyOf, known, person, isFirst };
}

export interface PathsWish {
  of: 'pages' | 'events' | 'all';
  length: number;
  start?: string;
  end?: string;
  grouped: string[];
  excluded: string[];
}

/** `step from to` with how often, and how long in all; how often in each person's paths; and how many paths there are. */
export function transitionsOf(
  reference: Reference,
  wish: PathsWish,
  isOneOf: IsOneOf,
  /** Only the paths that begin there; null: all. */
  starts: readonly { person: string; since: number }[] | null = null,
) {
  const people = new Map<string, { node: string; ts: number }[]>();
  for (const each of inRange(reference, isOneOf)) {
    const node = nodeOf(each, wish);
    const person = reference.personOf(each.distinctId);
    if (node !== null) people.set(person, [...(people.get(person) ?? []), { node, ts: each.ts }]);
  }
  const found = {
    paths: 0,
    edges: new Map<string, [count: number, ms: number]>(),
    people: new Map<string, Map<string, number>>(),
  };
  const pathsOf = (person: string, all: readonly { node: string; ts: number }[]) => {
    if (starts !== null) {
      return starts
        .filter((each) => each.person === person)
        .map(({ since }) => {
          const later = all.filter(({ ts }) => ts >= since);
          const end = later.findIndex(({ ts }, at) => ts - (later[at - 1]?.ts ?? since) >= 30 * 60_000);
          return end < 0 ? later : later.slice(0, end);
        });
    }
    const breaks = all.flatMap(({ ts }, at) => (at === 0 || ts - (all[at - 1]?.ts ?? 0) >= 30 * 60_000 ? at : []));
    return breaks.map((from, place) => all.slice(from, breaks[place + 1]));
  };
  for (const [person, all] of people) {
    for (const path of pathsOf(person, all)) {
      const whole = path.filter(({ node }, at, own) => own[at - 1]?.node !== node);
      const told = toldOf(whole, wish);
      if (told.length > 0) found.paths++;
      for (let at = 1; at < told.length; at++) {
        const [one, other] = [told[at - 1], told[at]] as [{ node: string; ts: number }, { node: string; ts: number }];
        const key = [at, one.node, other.node].join(' ');
        const [count, ms] = found.edges.get(key) ?? [0, 0];
        found.edges.set(key, [count + 1, ms + other.ts - one.ts]);
        const own = found.people.get(key) ?? new Map<string, number>();
        found.people.set(key, own.set(person, (own.get(person) ?? 0) + 1));
      }
    }
  }
  return found;
}

function nodeOf(each: Happened, { of, grouped, excluded }: PathsWish): string | null {
  const isView = each.event === '$pageview' || each.event === '$screen';
  const isOwn = !each.event.startsWith('$');
  const name = isView && of !== 'events' ? pageRead(each.path) : isOwn && of !== 'pages' ? each.event : null;
  if (name === null || excluded.includes(name)) return null;
  return grouped.includes(name) ? '/*' : name;
}

function toldOf(path: { node: string; ts: number }[], { start, end, length }: PathsWish) {
  const begin = start === undefined ? 0 : path.findIndex(({ node }) => node === start);
  if (begin === -1) return [];
  const rest = path.slice(begin);
  if (end === undefined) return rest.slice(0, length);
  const last = rest.findIndex(({ node }) => node === end);
  if (last === -1) return [];
  const whole = rest.slice(0, last + 1);
  if (whole.length <= length) return whole;
  if (start === undefined) return whole.slice(whole.length - length);
  const half = Math.floor((length - 1) / 2);
  const before = length - 1 - half;
  return [...whole.slice(0, before), { node: 'null', ts: whole[before]?.ts ?? 0 }, ...whole.slice(whole.length - half)];
}
