/**
 * The graduated rule under a chart: a short tick for every interval, a longer one where a day, week or month begins, and as
 * many labels as fit without touching. Pure.
 */
import type { TrendInterval } from '#src/insights/contract.ts';
import type { Words } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { type WallTime, wallTime } from '#views/words/zone.ts';
import { middle } from './paths.ts';

export interface RuleTick {
  /** Place on the rule, 0 to 1. */
  at: number;
  size: 'short' | 'medium' | 'long';
}

export interface RuleLabel {
  at: number;
  text: string;
  /** Text anchor at `at`. */
  anchor: 'middle' | 'end';
  /** False where it would touch another on a phone. */
  onPhone: boolean;
}

export interface TimeRule {
  ticks: RuleTick[];
  labels: RuleLabel[];
}

export interface RuleInput {
  starts: readonly number[];
  interval: TrendInterval;
  timeZone: string;
  weekStart: 0 | 1;
  /** Index of the interval that still runs, or null. */
  running: number | null;
  words: Words;
}

/** Widths of the plot, in pixels, in which labels must not touch: the narrowest beside the navigation, and a phone. */
const WIDE = 560;
const PHONE = 290;
/** Pixels for a character of an 11 px label, and between two labels. */
const CHARACTER = 6.2;
const SPACE = 14;
/** How far a label may stand out over the plot's right edge. */
const EDGE = 10;

/** Ticks and labels for a row of intervals. */
export function timeRule(input: RuleInput): TimeRule {
  const count = input.starts.length;
  const ticks: RuleTick[] = [];
  const wishes: Wish[] = [];
  for (const [index, start] of input.starts.entries()) {
    const at = middle(index, count);
    const { size, text, isYear = false } = mark(index, wallTime(start, input.timeZone), input);
    ticks.push({ at, size });
    if (text !== null) wishes.push({ at, text, isYear });
  }
  return { ticks, labels: fitting(wishes, input) };
}

interface Mark {
  size: RuleTick['size'];
  text: string | null;
  /** The text names a year. */
  isYear?: boolean;
}

interface Wish {
  at: number;
  text: string;
  isYear: boolean;
}

function mark(index: number, wall: WallTime, input: RuleInput): Mark {
  if (index === input.running && index === input.starts.length - 1) {
    if (input.interval === 'day') return { size: 'long', text: input.words.chart.today };
    if (input.interval === 'hour' || input.interval === 'minute') return { size: 'long', text: input.words.chart.now };
  }
  switch (input.interval) {
    case 'minute':
      return minuteMark(wall, input);
    case 'hour':
      return hourMark(wall, input);
    case 'day':
      return dayMark(wall, input);
    case 'week':
      return weekMark(index, wall, input);
    case 'month':
      return monthMark(wall, input);
  }
}

/** A label every ten minutes of up to two hours, and every two hours of a date. */
function minuteMark(wall: WallTime, { starts, words }: RuleInput): Mark {
  const isShort = starts.length <= 125;
  if (wall.hour === 0 && wall.minute === 0) return { size: 'long', text: dayText(wall, words) };
  if (wall.minute % (isShort ? 10 : 60) !== 0) return { size: 'short', text: null };
  const isNamed = isShort || wall.hour % 2 === 0;
  return { size: 'medium', text: isNamed ? clockText(wall) : null };
}

function clockText({ hour, minute }: WallTime): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function hourMark(wall: WallTime, { starts, words }: RuleInput): Mark {
  if (wall.hour === 0) return { size: 'long', text: dayText(wall, words) };
  if (wall.hour % 6 !== 0) return { size: 'short', text: null };
  return { size: 'medium', text: starts.length <= 50 ? `${String(wall.hour).padStart(2, '0')}:00` : null };
}

function dayMark(wall: WallTime, { starts, weekStart, words }: RuleInput): Mark {
  if (starts.length <= 10) return { size: 'long', text: `${words.writing.weekdays[wall.weekday]} ${wall.day}` };
  const startsWeek = wall.weekday === weekStart;
  const startsMonth = wall.day === 1;
  if (starts.length <= 45) {
    return {
      size: startsWeek ? 'long' : startsMonth ? 'medium' : 'short',
      text: startsWeek ? dayText(wall, words) : null,
    };
  }
  return {
    size: startsMonth ? 'long' : startsWeek ? 'medium' : 'short',
    ...(startsMonth ? monthText(wall, words) : { text: null }),
  };
}

function weekMark(index: number, wall: WallTime, { starts, timeZone, words }: RuleInput): Mark {
  if (starts.length <= 14) return { size: 'long', text: dayText(wall, words) };
  // The first week that starts in a month labels the month. The very first may be clipped by the range.
  const before = starts[index - 1];
  const isFirst = before === undefined ? wall.day <= 7 : wall.month !== wallTime(before, timeZone).month;
  return isFirst ? { size: 'long', ...monthText(wall, words) } : { size: 'short', text: null };
}

function monthMark(wall: WallTime, { starts, words }: RuleInput): Mark {
  if (starts.length <= 14) return { size: 'long', ...monthText(wall, words) };
  if (wall.month === 1) return { size: 'long', text: String(wall.year) };
  return { size: wall.month % 3 === 1 ? 'medium' : 'short', text: null };
}

function dayText(wall: WallTime, words: Words): string {
  return `${wall.day}\u00a0${words.writing.months[wall.month - 1]}`;
}

function monthText(wall: WallTime, words: Words): { text: string; isYear: boolean } {
  const month = words.writing.months[wall.month - 1] ?? '';
  const isYear = wall.month === 1;
  return { text: isYear ? words.writing.monthYear(month, wall.year) : month, isYear };
}

/** Keeps the last label (now), then those that name a year, then every one that leaves room to those: from the right, where now is. */
function fitting(wishes: Wish[], { running, starts }: RuleInput): RuleLabel[] {
  const nowIsLast = running === starts.length - 1;
  const wide = kept(wishes, WIDE, nowIsLast);
  const phone = new Set(kept(wide, PHONE, nowIsLast));
  return wide.map((wish) => ({
    at: wish.at,
    text: wish.text,
    anchor: anchorAt(wish, PHONE),
    onPhone: phone.has(wish),
  }));
}

function kept(wishes: Wish[], width: number, fromRight: boolean): Wish[] {
  const ordered = fromRight ? wishes.toReversed() : wishes;
  const first = fromRight ? ordered.slice(0, 1) : [];
  const rest = ordered.slice(first.length);
  const extents: { from: number; to: number }[] = [];
  const result = new Set<Wish>();
  for (const wish of [...first, ...rest.filter(({ isYear }) => isYear), ...rest.filter(({ isYear }) => !isYear)]) {
    const { from, to } = extentOf(wish, width);
    if (extents.some((other) => from < other.to + SPACE && to > other.from - SPACE)) continue;
    extents.push({ from, to });
    result.add(wish);
  }
  return wishes.filter((wish) => result.has(wish));
}

function extentOf(wish: { at: number; text: string }, width: number): { from: number; to: number } {
  const size = wish.text.length * CHARACTER;
  const anchor = anchorAt(wish, width);
  const from = wish.at * width - (anchor === 'middle' ? size / 2 : anchor === 'end' ? size : 0);
  return { from, to: from + size };
}

/** At the right edge a label turns inwards; at the left there is the room of the value axis. */
function anchorAt({ at, text }: { at: number; text: string }, width: number): RuleLabel['anchor'] {
  return (1 - at) * width < (text.length * CHARACTER) / 2 - EDGE ? 'end' : 'middle';
}

export interface PeriodInput {
  starts: readonly number[];
  /** End of the last interval. */
  to: number;
  interval: TrendInterval;
  timeZone: string;
  words: Words;
}

/** The name of the `index`-th interval: "Thu 12 Nov, 14:00", "Thu 12 Nov", "9 – 15 Nov", "Nov 2026". */
export function periodName(index: number, { starts, to, interval, timeZone, words }: PeriodInput): string {
  const start = starts[index];
  if (start === undefined) return '';
  const format = formatOf(words);
  if (interval === 'hour' || interval === 'minute') return format.dayTime(start, timeZone);
  if (interval === 'day') return format.weekdayDay(start, timeZone);
  if (interval === 'month') return format.monthYear(start, timeZone);
  const end = Math.max(start, (starts[index + 1] ?? to) - 1);
  return format.span(start, end, timeZone);
}

/** How many hours a day has, when it is not 24; null otherwise and for other intervals. */
export function oddDayHours(index: number, { starts, to, interval }: PeriodInput): number | null {
  const start = starts[index];
  if (interval !== 'day' || start === undefined) return null;
  const hours = ((starts[index + 1] ?? to) - start) / 3_600_000;
  return hours === 23 || hours === 25 ? hours : null;
}
