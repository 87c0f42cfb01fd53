/** The commonest values of a property that is alone in its columns, however many there are: ranked by threads, which read those that are shown. */

import { byBytes } from '#src/kit/order.ts';
import type { RankedKeys } from '../conditions/key-places.ts';
import { keepUnder } from '../count/counting.ts';
import type { RankedValues } from '../kernels/rank-values.ts';
import type { Key } from '../kernels/row-keys.ts';
import { serialOf } from '../storage/immutable.ts';
import type { Span } from '../storage/span.ts';
import { chunkPartsOf, inShares, type Ready, type ReadySeries } from './series.ts';

/**
 * @param series whose events are counted together
 * @param most so many texts have rows: those of most events in the span. Keys are those of a place with `of` these texts
 */
export async function rankTexts(
  ready: Ready,
  series: readonly ReadySeries[],
  { from, until }: Span,
  column: string,
  most: number,
): Promise<RankedKeys> {
  const { threads, cache } = ready.parts;
  const ofEach = await Promise.all(
    series.map(({ plan, key }) =>
      chunkPartsOf(
        ready,
        [from, until],
        key === null ? null : JSON.stringify(['c', column]) + key,
        (chunks, sets) => threads.run({ task: 'countCodes', plan: { ...plan, column }, chunks, sets }),
        ({ byteLength }) => byteLength,
      ),
    ),
  );
  const counted = ofEach.flat();
  const parts = counted.map(({ part, chunk }) => ({ column: chunk.columns[column], counts: part }));
  const rank = () =>
    inShares(ready.parts, (share) => threads.run({ task: 'rankValues', plan: { most, share }, parts }));
  const serials = counted.map(({ part }) => serialOf(part));
  const shares = serials.includes(null)
    ? await rank()
    : await keepUnder(cache, JSON.stringify(['r', column, most, serials]), bytesOf, rank);
  return joined(shares, most);
}

function joined(shares: readonly RankedValues[], most: number): RankedKeys {
  const none = shares.reduce((sum, share) => sum + share.none, 0);
  const ranked = [...shares.flatMap(({ top }) => top), ...(none === 0 ? [] : [{ text: '', count: none }])].sort(
    (one, other) => other.count - one.count || byBytes(one.text, other.text),
  );
  const texts = ranked.slice(0, most).map(({ text }) => text);
  const values = shares.reduce((sum, share) => sum + share.values, none === 0 ? 0 : 1);
  return { texts, values, rowOf: new Map<Key, number>(texts.map((text, row) => [text === '' ? 0 : row + 1, row])) };
}

function bytesOf(shares: readonly RankedValues[]): number {
  return shares.reduce((sum, { top }) => top.reduce((own, { text }) => own + text.length * 2 + 40, sum), 0);
}
