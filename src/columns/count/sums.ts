/** Adding up what events were worth: which currencies there are, and the work handed to the threads. */

import type { Amount } from '../conditions/selections.ts';
import { currencyOf, type SumPlan } from '../kernels/sum-events.ts';
import type { TallyBytes } from '../kernels/tally.ts';
import { type Gathered, touches } from '../snapshot/gather.ts';
import { PROPERTY } from '../storage/encode.ts';
import { entriesOf, openColumn } from '../storage/format.ts';
import { type Counted, type CountParts, countOnce } from './counting.ts';
import { cut, type Edges } from './edges.ts';
import { keyOfEvents } from './result-keys.ts';

/** All currencies that events name, in order, and that of the events which name none ('': not known). */
export function currenciesOf({ events }: Gathered, { currencyProperty, currency }: Amount): string[] {
  const found = new Set([currency ?? '']);
  if (currencyProperty !== null) {
    for (const { columns } of events) {
      const bytes = columns[PROPERTY + currencyProperty];
      if (bytes !== undefined) for (const value of entriesOf(openColumn(bytes))) found.add(currencyOf(value) ?? '');
    }
    if (currency !== null) found.delete('');
  }
  return [...found].sort();
}

/** @param at which span of the question */
export async function sumEventsOf(
  parts: CountParts,
  edges: Edges,
  at: number,
  { property, currencyProperty, currency }: Amount,
  currencies: readonly string[],
): Promise<Counted[]> {
  const { gathered, conditions, names, botMark, internalMark, include, sets, threads } = parts;
  const window = gathered.windows[at] as Gathered['windows'][number];
  const plan: SumPlan = {
    names,
    botMark,
    internalMark,
    include,
    where: conditions?.where ?? null,
    currencies,
    amount: PROPERTY + property,
    currency: currencyProperty === null ? null : PROPERTY + currencyProperty,
    otherwise: currency ?? '',
  };
  const key = keyOfEvents(parts, ['a', names, property, currencyProperty, currency, currencies]);
  const jobs = gathered.events
    .filter(({ minTs, maxTs }) => touches(window, minTs, maxTs))
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const tallies = await countOnce<TallyBytes>(
    parts,
    jobs,
    key,
    (tally) => tally.length,
    (some) =>
      threads.run({
        task: 'sumEvents',
        plan,
        chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges })),
        sets,
      }),
  );
  return tallies.map((tally, place) => ({ tally, shift: (jobs[place]?.first ?? 0) * currencies.length }));
}
