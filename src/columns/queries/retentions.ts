/** Retention: who came back when, by the period in which they began. */

import { type Breakdown, rankKeys, textOfKey } from '../conditions/key-places.ts';
import { countIncrementally } from '../count/incremental.ts';
import type { Rules } from '../filters/rules.ts';
import { type Actors, bytesOfTrend, type TrendPart, type TrendPlan } from '../kernels/count-trend.ts';
import type { Picked } from '../kernels/picked.ts';
import type { RetentionColumn, RetentionCounts } from '../kernels/retention.ts';
import type { Key } from '../kernels/row-keys.ts';
import type { AnswerParts } from './answer-parts.ts';
import { keyOfFirsts, listFirsts } from './firsts.ts';
import { prepareSeries } from './prepare-series.ts';
import { partsOfRow, type RetentionPiece, renewedRows } from './retention-rows.ts';
import {
  columnsOfActors,
  mergesOf,
  partsOf,
  type Ready,
  type ReadySeries,
  type Scope,
  type SeriesRequest,
} from './series.ts';

/**
 * Cohort of a person: every period with a start event; that of the first start ever, if it matches the conditions; or that of
 * the first matching start.
 */
export type RetentionKind = 'recurring' | 'firstEver' | 'firstMatching';

export interface RetentionQuery extends Scope {
  /** Who starts and returns; absent: persons. */
  of?: Exclude<Actors, 'visits'>;
  /** Moments at which periods begin, ascending, and last the one up to which the last is counted. */
  edges: readonly number[];
  start: Rules;
  back: Rules;
  kind: RetentionKind;
  /** Time of the project's first event, ms: no cohort starts earlier. */
  first: number;
  /** So many events of a period make a return. */
  least: number;
  /** A return counts for all periods before it too. */
  isRolling: boolean;
  /** Columns of the table, ascending and without gaps. */
  columns: readonly RetentionColumn[];
  /** Breakdown by a value that start and return events share. */
  by: Breakdown | null;
  most: number;
}

export interface RetentionRow {
  value: string;
  /** Cohorts by start period; `returned` by columns that have begun. */
  cohorts: { size: number; returned: number[] }[];
}

export interface Retention {
  rows: RetentionRow[];
  values: number;
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryRetention(parts: AnswerParts, asked: RetentionQuery): Promise<Retention> {
  const ready = await prepareSeries(parts, asked, wantedOfRetention(asked));
  const { retention } = await retentionOf(ready, asked, null);
  return retention;
}

/** Data to gather for retention. */
export function wantedOfRetention(asked: RetentionQuery): SeriesRequest {
  const { edges, start, back, kind, by, of = 'persons' } = asked;
  const byName = start.map(({ names }) => ({ names, filters: [] }));
  return {
    spans: [{ from: beginOf(asked), until: edges.at(-1) as number }],
    series: [start, back, kind === 'firstEver' ? byName : start],
    by,
    ...columnsOfActors(of),
    timesAt: kind === 'recurring' ? edges : undefined,
  };
}

/** From when on events matter, ms. */
function beginOf({ kind, edges, first }: RetentionQuery): number {
  const from = edges[0] as number;
  return kind === 'recurring' ? from : Math.min(from, first);
}

/** A cell: who began in a period, of events that say this value; and, unless null, came back in this column. */
export interface RetentionPick {
  value: string;
  period: number;
  later: number | null;
}

/** Retention figures, and the people of one cell; null: not requested, or no row has this value. */
export async function retentionOf(
  ready: Ready,
  asked: RetentionQuery,
  pick: RetentionPick | null,
): Promise<{ retention: Retention; picked: Picked | null }> {
  const { parts } = ready;
  const { edges, kind, least, isRolling, of = 'persons' } = asked;
  const [begin, until] = [beginOf(asked), edges.at(-1) as number];
  const [starting, returning, first] = ready.series as [ReadySeries, ReadySeries, ReadySeries];
  const { by } = ready;
  const keyOfSeries = (series: ReadySeries) =>
    series.key === null || by?.key === null ? null : JSON.stringify(['t', by?.key ?? '', of]) + series.key;
  const seriesParts = (series: ReadySeries) => {
    const plan: TrendPlan = { ...series.plan, by: by?.places ?? null, of };
    return partsOf<TrendPart>(
      ready,
      edges,
      keyOfSeries(series),
      (chunks, sets) => parts.threads.run({ task: 'countTrend', plan, chunks, sets }),
      bytesOfTrend,
    );
  };
  const firstsAsked = { of, own: starting, amongst: first };
  const firstsKey = keyOfFirsts(ready, firstsAsked);
  const [starts, returns, firsts] = await Promise.all([
    kind === 'recurring' ? seriesParts(starting) : null,
    seriesParts(returning),
    kind === 'recurring' ? [] : listFirsts(ready, firstsAsked, [begin, until]),
  ]);
  const periods = edges.length - 1;
  const { columns } = asked;
  const mergedInto = mergesOf(ready.gathered, of);
  const plan = { periods, least, isRolling, edges, columns };
  const keys = [kind === 'recurring' ? keyOfSeries(starting) : firstsKey, keyOfSeries(returning)];
  const ranked = by && rankKeys(by, starts === null ? await countsOfFirsts() : countsOf(starts), asked.most);
  const texts = ranked?.texts ?? [''];
  const find = async (pieces: readonly RetentionPiece[], into: Int32Array | null): Promise<RetentionCounts[]> =>
    Promise.all(
      texts.map((value) =>
        parts.threads.run({
          task: 'findRetention',
          plan: { ...plan, mergedInto: into, ...(pick?.value === value && { pick }) },
          parts: partsOfRow(pieces, starts !== null, by && ((key) => textOfKey(by, key) === value)),
        }),
      ),
    );
  const found = await countIncrementally<RetentionPiece, RetentionCounts[]>(parts, {
    // Up to when the last period is counted shows in the parts.
    key:
      keys.includes(null) || pick !== null
        ? null
        : JSON.stringify(['retention', asked.projectId, keys, edges.slice(0, -1), columns, least, isRolling, texts]),
    pieces: [
      ...(starts ?? []).map((each) => ({ ...each, of: 'starts' as const, as: `s${each.shift} ` })),
      ...firsts.map((part) => ({ part, of: 'firsts' as const, as: '1 ' })),
      ...returns.map((each) => ({ ...each, of: 'returns' as const, as: `r${each.shift} ` })),
    ],
    mergedInto,
    find,
    renew: renewedRows,
    bytesOf: (counts) => counts.reduce((sum, { sizes, returned }) => sum + (sizes.length + returned.length) * 4, 0),
  });
  const rows = texts.map((value, row): RetentionRow => {
    const { sizes, returned } = found[row] as RetentionCounts;
    const cellsOf = (period: number) =>
      columns.flatMap(({ from }, column) =>
        period + from < periods ? (returned[period * columns.length + column] as number) : [],
      );
    return { value, cohorts: Array.from(sizes, (size, period) => ({ size, returned: cellsOf(period) })) };
  });
  const picked = pick === null ? null : (found[texts.indexOf(pick.value)]?.picked ?? null);
  return { retention: { rows, values: ranked?.values ?? 1 }, picked };

  function countsOfFirsts(): Promise<Map<Key, number>> {
    const [from, until] = [edges[0] as number, edges.at(-1) as number];
    return parts.threads.run({ task: 'countFirsts', plan: { mergedInto, from, until }, parts: firsts });
  }
}

function countsOf(seriesParts: readonly { part: TrendPart }[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const { part } of seriesParts) {
    for (let at = 0; at < part.counts.length; at++) {
      const key = part.keys[part.keyed[at] as number] as Key;
      counts.set(key, (counts.get(key) ?? 0) + (part.counts[at] as number));
    }
  }
  return counts;
}
