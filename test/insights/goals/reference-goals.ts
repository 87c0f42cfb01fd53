/** Goals once more, in the plainest way: every event of a history is looked at. Shares no code with src/insights. */
import type { Happened, Reference } from '../reference.ts';
import { pageRead } from '../reference-tables.ts';

/** What an event sent of its worth, and what that means: an amount in decimals, a code. Null: nothing that can be read, or that names one. */
export interface Sent {
  total: [sent: unknown, amount: string | null, beside?: string];
  currency: [sent: unknown, code: string | null];
}

/** By the uuid of the event. */
export type Worth = ReadonlyMap<string, Sent>;

/** A way of reaching a goal. */
export type Way =
  | { event: string; plan: string | null; path: string | null }
  /** Views of a page: `*` at its end stands for anything. */
  | { page: string };

export interface Reached {
  visitors: number;
  conversions: number;
  /** Who did it. */
  who: ReadonlySet<string>;
  people: number;
  converted: number;
  /** Visits that count, and those in which it was reached. */
  visits: number;
  reachedVisits: number;
  /** By currency: how many amounts, and their sum in parts of 10^-12. */
  revenue: Map<string, { count: number; parts: bigint }>;
  /** Conversions without an amount. */
  withoutAmount: number;
}

/** @param otherwise the currency of events that name none */
export function reachedIn(
  reference: Reference,
  isAsked: (ts: number) => boolean,
  ways: readonly Way[],
  worth: Worth,
  otherwise: string,
): Reached {
  const all = reference.history.filter(
    (each) => isAsked(each.ts) && reference.isCounted(each) && reference.isWished(each),
  );
  const visitors = new Set(all.filter(isView).map(({ distinctId }) => reference.personOf(distinctId)));
  const done = all.filter((each) => ways.some((way) => isReached(each, way)));
  const people = new Set(done.map(({ distinctId }) => reference.personOf(distinctId)));
  const revenue: Reached['revenue'] = new Map();
  let withoutAmount = 0;
  for (const { uuid } of done) {
    const { total, currency } = worth.get(uuid) as Sent;
    const [, amount, beside = null] = total;
    if (amount === null) {
      withoutAmount++;
      continue;
    }
    const parts = partsOf(amount);
    const named = currency[1] ?? beside ?? otherwise;
    const before = revenue.get(named) ?? { count: 0, parts: 0n };
    revenue.set(named, { count: before.count + 1, parts: before.parts + parts });
  }
  const visits = reference.visits(isAsked);
  const isDone = (each: Happened) => reference.isWished(each) && ways.some((way) => isReached(each, way));
  return {
    ...{ visitors: visitors.size, conversions: done.length, who: people, people: people.size, revenue, withoutAmount },
    ...{ visits: visits.length, reachedVisits: visits.filter(({ events }) => events.some(isDone)).length },
    converted: [...people].filter((person) => visitors.has(person)).length,
  };
}

function isReached(happened: Happened, way: Way): boolean {
  if (!('page' in way)) {
    const { event, plan, path } = way;
    return (
      happened.event === event &&
      (plan === null || happened.plan === plan) &&
      (path === null || pageRead(happened.path) === pageRead(path))
    );
  }
  if (!isView(happened) || happened.path === null) return false;
  const [path, page] = [pageRead(happened.path) as string, pageRead(way.page) as string];
  return page.endsWith('*') ? path.startsWith(page.slice(0, -1)) : path === page;
}

function isView({ event }: Happened): boolean {
  return event === '$pageview' || event === '$screen';
}

/** Written out with twelve decimals, without its point. */
function partsOf(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(12, '0'));
}
