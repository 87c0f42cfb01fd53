/**
 * Numbers, times and dates as people read them, in both languages. Locale and time zone are always given, so server and
 * browser write the same text. Minus is U+2212; units hang on their number by a no-break space. Pure.
 */
import type { Words } from './en.ts';
import { dateIn, offsetName, type WallTime, wallDate, wallTime } from './zone.ts';

const MINUS = '\u2212';
const NBSP = '\u00a0';
const EN_DASH = '\u2013';

/** What stands where a number would, when there is none. */
export const missing = EN_DASH;

/** A value and its unit, for places that set the unit smaller. */
export interface Part {
  value: string;
  unit: string;
}

/** A change between two values, in words: see `change`. */
export interface Change {
  text: string;
  /** Which way the value moved; null when it did not, or cannot be said. */
  direction: 'up' | 'down' | null;
}

export type ChangeKind = 'count' | 'share' | 'mean' | 'seconds' | 'difference' | `money ${string}`;

export type Format = ReturnType<typeof create>;

const formats = new WeakMap<Words, Format>();

/** The formatters of a catalogue; made once per catalogue. */
export function formatOf(words: Words): Format {
  const known = formats.get(words);
  if (known) return known;
  const made = create(words);
  formats.set(words, made);
  return made;
}

function create(words: Words) {
  const { writing } = words;
  const whole = new Intl.NumberFormat(writing.locale, { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat(writing.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const countries = new Intl.DisplayNames(writing.locale, { type: 'region' });
  const upTo3 = new Intl.NumberFormat(writing.locale, { maximumFractionDigits: 3 });

  const signed = (text: string): string => text.replace('-', MINUS);
  const number = (value: number): string => signed(whole.format(value));
  /** 3.18 → "3.2". */
  const oneDecimal = (value: number): string => signed(tenths.format(value));

  /** 0.386 → "38.6%". Never 100% for 99.96, nor 0% for a few in a million. */
  function percent(share: number): string {
    return `${percentNumber(share)}%`;
  }

  function percentNumber(share: number): string {
    if (share === 0 || share === 1) return number(share * 100);
    const tenth = Math.round(share * 1000);
    if (share > 0 && tenth === 0) return `<${oneDecimal(0.1)}`;
    if (share < 1 && tenth === 1000) return oneDecimal(99.9);
    return oneDecimal(tenth / 10);
  }

  /** A difference of two shares: 0.026 → "+2.6 pp". */
  function points(difference: number): string {
    return `${plus(oneDecimal(difference * 100))}${NBSP}${writing.points}`;
  }

  /** A relative change: 0.195 → "+19.5%", from ten times on without a decimal. */
  function relative(ratio: number): string {
    return `${plus(Math.abs(ratio) >= 10 ? number(ratio * 100) : oneDecimal(ratio * 100))}%`;
  }

  /**
   * How `value` compares with `before`. Shares move in points, everything else in percent. From nothing: "new". Below
   * 0.05% (or points): "no change". Of fewer than 20 events on both sides, or kind `difference`: how much more or less.
   *
   * @param events on the side that has more of them; not said: counts are of so many as they say, other kinds of enough
   */
  function change(value: number | null, before: number | null, kind: ChangeKind, events?: number): Change | null {
    if (value === null || before === null) return null;
    const difference = value - before;
    const direction = difference > 0 ? 'up' : 'down';
    if (kind === 'share') {
      return Math.abs(difference) < 0.0005
        ? { text: words.change.none, direction: null }
        : { text: points(difference), direction };
    }
    if (difference === 0) return { text: words.change.none, direction: null };
    if (before === 0) return { text: words.change.new, direction };
    const most = events ?? (kind === 'count' ? Math.max(value, before) : 20);
    if (kind === 'difference' || most < 20) return { text: plus(differenceText(difference, kind)), direction };
    const ratio = difference / before;
    if (Math.abs(ratio) < 0.0005) return { text: words.change.none, direction: null };
    return { text: relative(ratio), direction };
  }

  function differenceText(difference: number, kind: ChangeKind): string {
    if (!kind.startsWith('money')) return number(difference);
    return money(difference, kind.slice(6), Math.abs(difference) >= 1000);
  }

  /** Axis labels: "12k", "1.2M"; `largest` is the axis's largest label, so that one axis uses one unit. */
  function short(value: number, largest = value): string {
    const { thousand, million, billion } = writing.short;
    if (value === 0 || largest < 10_000) return number(value);
    const [divisor, unit] = largest >= 1e9 ? [1e9, billion] : largest >= 1e6 ? [1e6, million] : [1e3, thousand];
    return decimal(value / divisor) + unit.replace(' ', NBSP);
  }

  /** 164 → [2 m, 44 s]; under a minute only seconds, from an hour on no seconds. */
  function durationParts(seconds: number): Part[] {
    const rounded = Math.round(seconds);
    const hours = Math.floor(rounded / 3600);
    const minutes = Math.floor((rounded % 3600) / 60);
    const rest = rounded % 60;
    const part = (value: string, unit: string): Part => ({ value, unit });
    if (hours > 0) return [part(number(hours), 'h'), part(two(minutes), 'm')];
    if (minutes > 0) return [part(number(minutes), 'm'), part(two(rest), 's')];
    return [part(number(rest), 's')];
  }

  /** A duration without its empty parts, for axes: "1m", "1h 30m". */
  function shortDuration(seconds: number): string {
    const parts = durationParts(seconds);
    const full = parts.filter(({ value }) => Number(value) !== 0);
    return (full.length > 0 ? full : parts).map(({ value, unit }) => Number(value) + unit).join(NBSP);
  }

  /** At most three decimals, none that are zero. */
  function decimal(value: number): string {
    return signed(upTo3.format(value));
  }

  /** 164 → "2m 44s". */
  function duration(seconds: number): string {
    return durationParts(seconds)
      .map(({ value, unit }) => value + unit)
      .join(NBSP);
  }

  /** A short wait: 4.2 ms → "4 ms", 412 ms → "0.4 s"; from a minute on as a duration. */
  function delay(ms: number): string {
    if (ms < 99.5) return `${number(ms)}${NBSP}ms`;
    if (ms >= 59_950) return duration(ms / 1000);
    return `${ms >= 9_950 ? number(ms / 1000) : oneDecimal(ms / 1000)}${NBSP}s`;
  }

  const monthOf = (wall: WallTime): string => writing.months[wall.month - 1] ?? '';
  const two = (value: number): string => String(value).padStart(2, '0');
  const dayMonth = (wall: WallTime, year: number | null): string =>
    `${wall.day}${NBSP}${monthOf(wall)}${year === null || year === wall.year ? '' : `${NBSP}${wall.year}`}`;

  /** "12 Nov"; with its year when that is not `year`. */
  function day(date: string, year: number | null = null): string {
    return dayMonth(wallDate(date), year);
  }

  /** "24 Oct – 20 Nov", "1 – 20 Nov", "20 Nov"; years only where one differs from `year`. */
  function range(from: string, to: string, year: number | null = null): string {
    const first = wallDate(from);
    const last = wallDate(to);
    if (from === to) return dayMonth(last, year);
    const showYear = year !== null && (first.year !== year || last.year !== year);
    const end = dayMonth(last, showYear ? 0 : null);
    if (first.year === last.year && first.month === last.month) return `${first.day}${NBSP}${EN_DASH} ${end}`;
    const start = dayMonth(first, showYear && first.year !== last.year ? 0 : null);
    return `${start}${NBSP}${EN_DASH} ${end}`;
  }

  /** The dates from one moment to another: "9 – 15 Nov". */
  function span(from: number, to: number, timeZone: string): string {
    return range(dateIn(from, timeZone), dateIn(to, timeZone));
  }

  /** "Thu 12 Nov". */
  function weekdayDay(ms: number, timeZone: string): string {
    const wall = wallTime(ms, timeZone);
    return `${writing.weekdays[wall.weekday]} ${dayMonth(wall, null)}`;
  }

  /** "14:32". */
  function time(ms: number, timeZone: string): string {
    const wall = wallTime(ms, timeZone);
    return `${two(wall.hour)}:${two(wall.minute)}`;
  }

  /** "14:32:08". */
  function clock(ms: number, timeZone: string): string {
    return `${time(ms, timeZone)}:${two(wallTime(ms, timeZone).second)}`;
  }

  /** "Thu 12 Nov, 14:32". */
  function dayTime(ms: number, timeZone: string): string {
    return `${weekdayDay(ms, timeZone)}, ${time(ms, timeZone)}`;
  }

  /** "12 Nov, 14:32". */
  function dayMoment(ms: number, timeZone: string): string {
    return `${dayMonth(wallTime(ms, timeZone), null)}, ${time(ms, timeZone)}`;
  }

  /** "Nov 2026", "nov de 2026". */
  function monthYear(ms: number, timeZone: string): string {
    const wall = wallTime(ms, timeZone);
    return writing.monthYear(monthOf(wall), wall.year);
  }

  /** "BR" → "Brazil"; a code that is none stays as it is. */
  function country(code: string): string {
    return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
  }

  /** "R$ 1.234,50", or without decimals; a plain number for '', a currency that is not known. */
  function money(value: number, currency: string, isShort = false): string {
    const digits = isShort ? 0 : currency === '' ? 2 : undefined;
    const style = currency === '' ? {} : { style: 'currency' as const, currency };
    const fraction = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return signed(new Intl.NumberFormat(writing.locale, { ...style, ...fraction }).format(value));
  }

  /** "America/Sao_Paulo (UTC−3)"; a zone that is called after its offset, alone. */
  function zone(ms: number, timeZone: string): string {
    const offset = offsetName(ms, timeZone);
    return offset === timeZone ? offset : `${timeZone} (${offset})`;
  }

  return {
    number,
    percent,
    percentNumber,
    change,
    short,
    duration,
    shortDuration,
    decimal,
    oneDecimal,
    durationParts,
    delay,
    day,
    range,
    span,
    weekdayDay,
    time,
    clock,
    dayTime,
    dayMoment,
    monthYear,
    country,
    money,
    zone,
  };
}

function plus(text: string): string {
  return text.startsWith(MINUS) || text === '0' ? text : `+${text}`;
}
