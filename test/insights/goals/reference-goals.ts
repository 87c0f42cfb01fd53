/** Goals once more, in the plainest way: every event of a history is looked at. Shares no code with src/insights. */
import type { Happened, Reference } from '../reference.ts';

/** What an event said of its worth, by its uuid. */
export type Worth = ReadonlyMap<string, { total?: unknown; currency?: unknown }>;

/** A way of reaching a goal. */
export type Way =
  | { event: string; plan: string | null; path: string | null }
  /** Views of a page: `*` at its end stands for anything. */
  | { page: string };

export interface Reached {
  visitors: number;
  conversions: number;
  people: number;
  converted: number;
  /** Visits that count, and those in which it was reached. */
  visits: number;
  reachedVisits: number;
  /** By currency: how many amounts, and their sum in ten-thousandths. */
  revenue: Map<string, { count: number; parts: bigint }>;
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
  for (const { uuid } of done) {
    const { total, currency } = worth.get(uuid) ?? {};
    const parts = partsOf(total);
    if (parts === null) continue;
    const code = typeof currency === 'string' && /^ *[a-z]{3} *$/i.test(currency) ? currency.trim() : '';
    const named = code === '' ? otherwise : code.toUpperCase();
    const before = revenue.get(named) ?? { count: 0, parts: 0n };
    revenue.set(named, { count: before.count + 1, parts: before.parts + parts });
  }
  const visits = reference.visits(isAsked);
  const isDone = (each: Happened) => reference.isWished(each) && ways.some((way) => isReached(each, way));
  return {
    ...{ visitors: visitors.size, conversions: done.length, people: people.size, revenue },
    ...{ visits: visits.length, reachedVisits: visits.filter(({ events }) => events.some(isDone)).length },
    converted: [...people].filter((person) => visitors.has(person)).length,
  };
}

function isReached(happened: Happened, way: Way): boolean {
  if (!('page' in way)) {
    const { event, plan, path } = way;
    return (
      happened.event === event && (plan === null || happened.plan === plan) && (path === null || happened.path === path)
    );
  }
  if (!isView(happened) || happened.path === null) return false;
  return way.page.endsWith('*') ? happened.path.startsWith(way.page.slice(0, -1)) : happened.path === way.page;
}

function isView({ event }: Happened): boolean {
  return event === '$pageview' || event === '$screen';
}

/** Written out with four decimals, without its point. */
function partsOf(total: unknown): bigint | null {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(String(total)) ?? [];
  if (whole === undefined || (typeof total !== 'number' && typeof total !== 'string')) return null;
  return BigInt(`${sign}${whole}${decimals.padEnd(4, '0')}`);
}
