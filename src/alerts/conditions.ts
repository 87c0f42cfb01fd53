/** Whether the value of a finished interval fires an alert. Pure. */
import type { AlertCondition } from './contract.ts';
import { type Calendar, type Span, sameSlots } from './schedule.ts';
import type { AlertInterval } from './values.ts';

/** Values by start of their interval, ms; null: no data. */
export type Values = ReadonlyMap<number, number | null>;

export interface Judged {
  value: number | null;
  /** Median of the same weekday and hour; null: of another condition, or too little history. */
  expected: number | null;
  low: number | null;
  high: number | null;
  /** Null: no data to decide by. */
  fires: boolean | null;
}

export interface Watching {
  interval: AlertInterval;
  condition: AlertCondition;
  calendar: Calendar;
  /** True for counts, whose noise grows with their square root. */
  isCount: boolean;
}

/** Fewest weeks that a median is taken from. */
const MIN_WEEKS = 3;
/** Spreads from the median within which a value is noise. */
const NOISE_WIDTH = 4;
/** The noise of small counts is greater than their square root. */
const SMALL_COUNTS = 4;
/** Standard deviation of a normal distribution per median absolute deviation. */
const DEVIATION_PER_MAD = 1.4826;

export function judge(span: Span, values: Values, watching: Watching): Judged {
  const { condition } = watching;
  const value = values.get(span.from) ?? null;
  const plain = { value, expected: null, low: null, high: null };
  switch (condition.kind) {
    case 'above':
      return { ...plain, fires: value === null ? null : value > condition.value };
    case 'below':
      return { ...plain, fires: value === null ? null : value < condition.value };
    case 'silence':
      return { ...plain, fires: isSilent(span, values, condition.intervals) };
    case 'change':
      return judgeChange(span, value, values, { ...watching, condition });
  }
}

/** True when this interval and those just before it have no event. Null: not as many are known. */
function isSilent(span: Span, values: Values, count: number): boolean | null {
  const starts = [...values.keys()].filter((start) => start <= span.from).sort((a, b) => b - a);
  const last = starts.slice(0, count).map((start) => values.get(start) ?? null);
  if (last.some((value) => value !== null && value > 0)) return false;
  return last.length < count || last.includes(null) ? null : true;
}

function judgeChange(
  span: Span,
  value: number | null,
  values: Values,
  watching: Watching & { condition: AlertCondition & { kind: 'change' } },
): Judged {
  const { condition, interval, calendar, isCount } = watching;
  const before = known(sameSlots(interval, span.from, calendar).map((start) => values.get(start)));
  const expected = before.length < MIN_WEEKS ? null : medianOf(before);
  if (value === null || expected === null) return { value, expected, low: null, high: null, fires: null };
  const noise =
    NOISE_WIDTH *
    Math.max(
      DEVIATION_PER_MAD * medianOf(before.map((each) => Math.abs(each - expected))),
      usualSpread(values, span.from, watching) * (isCount ? Math.sqrt(Math.max(expected, 1)) : 1),
      isCount ? Math.sqrt(expected + SMALL_COUNTS) : 0,
    );
  const width = Math.max(noise, Math.abs(expected) * condition.share);
  const [low, high] = [expected - width, expected + width];
  const fires =
    (condition.direction !== 'up' && value <= low && value < expected) ||
    (condition.direction !== 'down' && value >= high && value > expected);
  return { value, expected, low: isCount ? Math.max(0, low) : low, high, fires };
}

/**
 * How far values of the last weeks usually are from the others of their weekday and hour: four values alone say little of that. Of counts in
 * square roots of those.
 */
function usualSpread(values: Values, until: number, { interval, calendar, isCount }: Watching): number {
  if (interval === 'week') return 0;
  const bySlot = new Map<number, number[]>();
  for (const [start, value] of values) {
    if (start >= until || value === null) continue;
    const slot = slotOf(start, calendar);
    const known = bySlot.get(slot);
    if (known) known.push(value);
    else bySlot.set(slot, [value]);
  }
  const distances = [...bySlot.values()].flatMap((slot) => {
    if (slot.length < MIN_WEEKS) return [];
    const middle = medianOf(slot);
    const scale = isCount ? Math.sqrt(Math.max(middle, 1)) : 1;
    return slot.map((value) => Math.abs(value - middle) / scale);
  });
  return distances.length === 0 ? 0 : DEVIATION_PER_MAD * medianOf(distances);
}

function slotOf(start: number, { zone }: Calendar): number {
  const local = zone.localAt(start);
  return ((local % WEEK_MS) + WEEK_MS) % WEEK_MS;
}

const WEEK_MS = 7 * 86_400_000;

function known(values: readonly (number | null | undefined)[]): number[] {
  return values.filter((value) => value !== null && value !== undefined);
}

/** @param values at least one */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
