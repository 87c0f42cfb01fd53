/** Adding up what events were worth: the work handed to the threads, and what they found added up. */

import { DecimalSum } from '#src/kit/numbers/decimals.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { Amount } from '../conditions/selections.ts';
import type { SumPart, SumPlan, UnreadableText } from '../kernels/sum-events.ts';
import { type Gathered, touches } from '../snapshot/gather.ts';
import { PROPERTY } from '../storage/encode.ts';
import type { Span } from '../storage/span.ts';
import type { CountParts } from './count-parts.ts';
import { countOnce } from './counting.ts';
import { cut, edgesOf, placesOf } from './edges.ts';
import { keyOfEvents } from './result-keys.ts';

/** Revenue of events in one currency. */
export interface Sum {
  /** Events that say an amount. */
  count: number;
  /** The number nearest to the exact sum. */
  value: number;
}

/** Revenue of events of a span. */
export interface AmountSums {
  sums: { currency: string; total: Sum; stretches: Sum[] }[];
  unreadable: {
    count: number;
    /** The commonest first. */
    texts: UnreadableText[];
  };
}

/** @param at which span of the question */
export async function sumEventsOf(
  parts: CountParts,
  span: Span & { starts: readonly number[] },
  at: number,
  amount: Amount,
  decimal: DecimalSeparator,
): Promise<AmountSums> {
  const edges = edgesOf(span);
  const found = await sumPartsOf(parts, edges, at, amount, decimal);
  const currencies = new Map<string, Map<number, Adding>>();
  const texts = new Map<string | null, number>();
  let unreadable = 0;
  for (const { part, shift } of found) {
    for (const { stretch, currency, count, sum } of part.sums) {
      const own = currencies.get(currency) ?? new Map<number, Adding>();
      currencies.set(currency, own);
      const adding = own.get(stretch + shift) ?? { count: 0, sum: new DecimalSum() };
      own.set(stretch + shift, adding);
      adding.count += count;
      adding.sum.addDecimal(sum);
    }
    unreadable += part.unreadable;
    for (const { text, count } of part.texts) texts.set(text, (texts.get(text) ?? 0) + count);
  }
  const places = placesOf(span);
  return {
    sums: [...currencies].map(([currency, own]) => ({
      currency,
      total: totalOf([...own.values()]),
      stretches: places.map((place) => {
        const adding = place === null ? undefined : own.get(place);
        return { count: adding?.count ?? 0, value: adding?.sum.value ?? 0 };
      }),
    })),
    unreadable: {
      count: unreadable,
      texts: [...texts]
        .map(([text, count]) => ({ text, count }))
        .sort((one, other) => other.count - one.count || ((one.text ?? '') < (other.text ?? '') ? -1 : 1)),
    },
  };
}

interface Adding {
  count: number;
  sum: DecimalSum;
}

function totalOf(all: readonly Adding[]): Sum {
  const total = { count: 0, sum: new DecimalSum() };
  for (const { count, sum } of all) {
    total.count += count;
    total.sum.addDecimal(sum.decimal);
  }
  return { count: total.count, value: total.sum.value };
}

/** Sums by chunk, with the index of its first bucket. */
async function sumPartsOf(
  parts: CountParts,
  edges: readonly number[],
  at: number,
  { property, currencyProperty, currency }: Amount,
  decimal: DecimalSeparator,
): Promise<{ part: SumPart; shift: number }[]> {
  const { gathered, conditions, names, botMark, internalMark, include, sets, threads } = parts;
  const window = gathered.windows[at] as Gathered['windows'][number];
  const plan: SumPlan = {
    names,
    botMark,
    internalMark,
    include,
    decimal,
    where: conditions?.where ?? null,
    amount: PROPERTY + property,
    currency: currencyProperty === null ? null : PROPERTY + currencyProperty,
    otherwise: currency ?? '',
  };
  const key = keyOfEvents(parts, ['a', names, property, currencyProperty, currency, decimal]);
  const jobs = gathered.events
    .filter(({ minTs, maxTs }) => touches(window, minTs, maxTs))
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const found = await countOnce<SumPart>(parts, jobs, key, bytesOf, (some) =>
    threads.run({
      task: 'sumEvents',
      plan,
      chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges })),
      sets,
    }),
  );
  return found.map((part, place) => ({ part, shift: jobs[place]?.first ?? 0 }));
}

/** Approximate memory of a part's objects. */
const OBJECT_BYTES = 120;

function bytesOf({ sums, texts }: SumPart): number {
  return (sums.length + texts.length + 1) * OBJECT_BYTES;
}
