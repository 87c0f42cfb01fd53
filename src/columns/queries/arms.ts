/** Arms of an experiment: persons by what they were exposed to first, and what each did after it and before. */
import { type Breakdown, rankKeys } from '../conditions/key-places.ts';
import type { Amount } from '../conditions/selections.ts';
import type { Rules } from '../filters/rules.ts';
import type { ArmMetricPlan, ArmsFound, Moments } from '../kernels/arms.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import { bytesOfValues, type ValuesPart, type ValuesPlan } from '../kernels/list-values.ts';
import type { Key } from '../kernels/row-keys.ts';
import { PROPERTY } from '../storage/encode.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';
import { prepareSeries } from './prepare-series.ts';
import { partsOf, type Ready, type ReadySeries, type Scope } from './series.ts';

export type { Moments } from '../kernels/arms.ts';

export interface ArmsQuery extends Scope {
  /** Of exposures. What persons did after them is counted to its end. */
  span: Span;
  /** Exposures, an arm each. */
  arms: readonly Rules[];
  /** Divides persons by a value of their first exposure; null: not. */
  by: Breakdown | null;
  /** So many values have rows: those of most exposures. */
  most: number;
  metrics: readonly ArmMetric[];
  /** Counted for so long after the first exposure of a person, and before it. */
  windowMs: number;
  preMs: number;
  decimal?: 'point' | 'comma';
}

export type ArmMetric =
  /** Persons who do all of these, one after another. */
  | { kind: 'steps'; of: readonly Rules[] }
  /** Each person's number of events, or sum of amounts; with two of them for a ratio. */
  | { kind: 'sums'; of: readonly { rules: Rules; amount: Amount | null }[] };

export interface Arms extends Pick<ArmsFound, 'several' | 'currencies'> {
  /** By arm and metric. */
  total: Moments[][];
  segments: { value: string; moments: Moments[][] }[];
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryArms(parts: AnswerParts, asked: ArmsQuery): Promise<Arms> {
  const { span, preMs, arms, metrics, by } = asked;
  const lists = metrics.flatMap((metric): { rules: Rules; amount: Amount | null }[] =>
    metric.kind === 'sums' ? [...metric.of] : metric.of.map((rules) => ({ rules, amount: null })),
  );
  const whole = { from: span.from - preMs, until: span.until };
  const ready = await prepareSeries(parts, asked, {
    spans: [whole],
    series: [...arms, ...lists.map(({ rules }) => rules)],
    by,
    properties: lists.flatMap(({ amount }) =>
      [amount?.property, amount?.currencyProperty].filter((each) => typeof each === 'string'),
    ),
  });
  const exposures = await exposuresOf(ready, asked);
  const values = await Promise.all(
    lists.map(({ amount }, at) =>
      valuesOf(ready, ready.series[arms.length + at] as ReadySeries, amount, whole, asked.decimal),
    ),
  );
  const divided = by === null || ready.by === null ? null : segmentsOf(ready.by, exposures, asked.most);
  let next = 0;
  const found = await ready.parts.threads.run({
    task: 'findArms',
    plan: {
      mergedInto: ready.gathered.mergedInto,
      arms: arms.length,
      segmentOf: divided?.segmentOf ?? null,
      segments: divided?.texts.length ?? 0,
      metrics: metrics.map(({ kind, of }): ArmMetricPlan => ({ kind, of: of.map(() => next++) })),
      windowMs: asked.windowMs,
      preMs,
    },
    exposures,
    values,
  });
  return {
    several: found.several,
    currencies: found.currencies,
    total: found.moments.at(-1) ?? [],
    segments: (divided?.texts ?? []).map((value, at) => ({ value, moments: found.moments[at] ?? [] })),
  };
}

async function exposuresOf(ready: Ready, { arms, span }: ArmsQuery): Promise<StepsPart[]> {
  const kinds = ready.series.slice(0, arms.length);
  const plan: StepsPlan = {
    kinds: kinds.map((each) => each.plan),
    others: null,
    by: ready.by?.places ?? null,
    of: 'persons',
    firstOnly: false,
  };
  const keys = kinds.map(({ key }) => key);
  const isKept = keys.every((key) => key !== null) && ready.by?.key !== null;
  const found = await partsOf<StepsPart>(
    ready,
    [span.from, span.until],
    isKept ? JSON.stringify(['arms', ready.by?.key, keys]) : null,
    (chunks, sets) => ready.parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  return found.map(({ part }) => part);
}

async function valuesOf(
  ready: Ready,
  { plan: rows, key }: ReadySeries,
  amount: Amount | null,
  { from, until }: Span,
  decimal: ArmsQuery['decimal'] = 'point',
): Promise<ValuesPart[]> {
  const plan: ValuesPlan = {
    rows,
    amount: amount && {
      amount: PROPERTY + amount.property,
      currency: amount.currencyProperty === null ? null : PROPERTY + amount.currencyProperty,
      otherwise: amount.currency ?? '',
      decimal,
    },
  };
  const found = await partsOf<ValuesPart>(
    ready,
    [from, until],
    key === null ? null : JSON.stringify(['values', amount, decimal, key]),
    (chunks, sets) => ready.parts.threads.run({ task: 'listValues', plan, chunks, sets }),
    bytesOfValues,
  );
  return found.map(({ part }) => part);
}

/** The values of most exposures, and which of them each key of a part is. */
function segmentsOf(by: NonNullable<Ready['by']>, parts: readonly StepsPart[], most: number) {
  const counts = new Map<Key, number>();
  for (const { keys, keyed, actors } of parts) {
    if (keyed === null) continue;
    for (let at = 0; at < actors.length; at++) {
      const key = keys[keyed[at] as number] as Key;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const { texts, rowOf } = rankKeys(by, counts, most);
  return { texts, segmentOf: parts.map(({ keys }) => Int32Array.from(keys, (key) => rowOf.get(key) ?? -1)) };
}
