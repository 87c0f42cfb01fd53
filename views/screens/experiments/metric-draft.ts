/** A metric while it is written: everything as text, with keys for lists. */
import type { Measured, MeasuredAmount, MeasuredTotal, Metric } from '#src/experiments/contract.ts';
import type { MetricKind } from '#src/experiments/values.ts';

/** A goal or event; of amounts also the property of the event. */
export interface DraftPart {
  id: number;
  /** Number of a goal, or '' for an event. */
  goal: string;
  event: string;
  /** Its amounts instead of how often it happens. Of ratios the form chooses it, of others the kind does. */
  isSum: boolean;
  property: string;
}

export interface DraftMetric {
  id: number;
  kind: MetricKind;
  /** Steps of a funnel; the total and its divisor of a ratio; one of others. */
  parts: DraftPart[];
  better: 'more' | 'fewer';
}

let unused = 0;

export function newPart(of: Measured | MeasuredAmount | null = null, isSum = false): DraftPart {
  const id = unused++;
  if (of !== null && 'goal' in of) return { id, goal: String(of.goal), event: '', isSum, property: '' };
  const property = of !== null && 'property' in of ? of.property : '';
  return { id, goal: '', event: of?.event ?? '', isSum, property };
}

export function draftOf(metric: Metric | null, better: DraftMetric['better'] = 'fewer'): DraftMetric {
  const id = unused++;
  const kind = metric?.kind ?? 'conversion';
  return { id, kind, parts: metric === null ? [newPart()] : partsOf(metric), better };
}

function partsOf(metric: Metric): DraftPart[] {
  switch (metric.kind) {
    case 'funnel':
      return metric.steps.map((step) => newPart(step));
    case 'ratio':
      return [metric.of, metric.per].map((total) =>
        'sum' in total ? newPart(total.sum, true) : newPart(total.count, false),
      );
    default:
      return [newPart(metric.of, metric.kind === 'revenue')];
  }
}

/** With as many parts as the kind has. */
export function withKind(metric: DraftMetric, kind: MetricKind): DraftMetric {
  const least = kind === 'funnel' || kind === 'ratio' ? 2 : 1;
  const most = kind === 'funnel' ? metric.parts.length : least;
  const parts = metric.parts.slice(0, Math.max(least, most));
  while (parts.length < least) parts.push(newPart());
  return { ...metric, kind, parts };
}

/** True when a part needs the property with the amount. */
export function needsProperty(kind: MetricKind, { goal, isSum }: DraftPart): boolean {
  return goal === '' && (kind === 'revenue' || (kind === 'ratio' && isSum));
}

/** Names of the fields that are missing. */
export function missingIn({ kind, parts }: DraftMetric): string[] {
  return parts.flatMap((part) => [
    ...(part.goal === '' && part.event.trim() === '' ? [`event ${part.id}`] : []),
    ...(needsProperty(kind, part) && part.property.trim() === '' ? [`property ${part.id}`] : []),
  ]);
}

export function metricOf({ kind, parts }: DraftMetric): Metric {
  const [first, second] = parts as [DraftPart, DraftPart];
  switch (kind) {
    case 'funnel':
      return { kind, steps: parts.map(measuredOf) };
    case 'ratio':
      return { kind, of: totalOf(first), per: totalOf(second) };
    case 'revenue':
      return { kind, of: amountOf(first) };
    default:
      return { kind, of: measuredOf(first) };
  }
}

function measuredOf({ goal, event }: DraftPart): Measured {
  return goal === '' ? { event: event.trim() } : { goal: Number(goal) };
}

function amountOf({ goal, event, property }: DraftPart): MeasuredAmount {
  return goal === '' ? { event: event.trim(), property: property.trim() } : { goal: Number(goal) };
}

function totalOf(part: DraftPart): MeasuredTotal {
  return part.isSum ? { sum: amountOf(part) } : { count: measuredOf(part) };
}
