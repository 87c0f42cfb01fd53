/** Results as tables of files. Names of columns are the same in every language. */
import type * as mini from 'zod/mini';
import { withoutNoise } from '#src/kit/numbers/decimals.ts';
import { formatDate, type Zone } from '#src/kit/zone.ts';
import type { TrendInterval } from './contract.ts';

export type Cell = string | number | null;

export interface FileParts<Input, Options> {
  input: Input;
  options: Options;
  /** A value of a dimension as its reader sees it: by that tables are searched and sorted. */
  textOf(dimension: string, value: string): string;
}

/** The file of a kind. */
export interface InsightFile<Input, Result, Options = unknown> {
  /** Options of a file besides the input. */
  options: mini.ZodMiniType<Options>;
  /** The input of all rows, where it has a limit. */
  inFull?(input: Input): Input;
  /** Subject in the file name; absent: the kind's name. */
  name?(result: Result, options: Options): string;
  /** The head first. */
  rows(result: Result, parts: FileParts<Input, Options>): Iterable<readonly Cell[]>;
}

/** Checks a file's definition, and leaves out what only it knows of its options. */
export function defineFile<Input, Result, Options>(
  file: InsightFile<Input, Result, Options>,
): InsightFile<Input, Result> {
  return file as unknown as InsightFile<Input, Result>;
}

/** About as many rows as a spreadsheet takes; what is beyond is summed up in the last line. */
export const MAX_LINES = 1_000_000;

/** A head and rows with the same columns. */
export function* tableRows(head: readonly Cell[], rows: Iterable<readonly Cell[]>): Generator<readonly Cell[]> {
  yield head;
  yield* rows;
}

/** To the ten-thousandth, as tables show numbers. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000;
}

/** Sums of amounts and of properties: a ten-thousandth is much where others are a millionth. What dividing leaves behind goes. */
export function exact(value: number | null): number | null {
  return value === null ? null : withoutNoise(value);
}

export interface Intervals {
  zone: Zone;
  interval: TrendInterval;
  /** ms. */
  starts: readonly number[];
  /** End of the last one, ms. */
  to: number;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Names and numbers of the weekdays, in the order of a project's weeks. */
export function weekdaysFrom(weekStart: 0 | 1): [name: string, day: number][] {
  return weekdays.map((_, place) => {
    const day = (place + weekStart) % weekdays.length;
    return [weekdays[day] as string, day];
  });
}

/** First and last date of an interval, or start and end of an hour or a minute; empty for a missing one. */
export function edgesOf({ zone, interval, starts, to }: Intervals, index: number): [Cell, Cell] {
  const start = starts[index];
  if (start === undefined) return [null, null];
  const end = starts[index + 1] ?? to;
  if (interval === 'hour' || interval === 'minute') return [timeIn(start, zone), timeIn(end, zone)];
  return [dateIn(start, zone), dateIn(Math.max(start, end - 1), zone)];
}

function dateIn(ms: number, zone: Zone): string {
  return formatDate(zone.dayAt(ms));
}

/** `2026-11-24T13:00-03:00`. */
export function timeIn(ms: number, zone: Zone): string {
  const minutes = (zone.localAt(ms) - ms) / 60_000;
  const two = (value: number): string => String(value).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return new Date(ms + minutes * 60_000).toISOString().slice(0, 16) + offset;
}
