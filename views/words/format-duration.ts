/** Durations and short waits in one language: "2m 44s", "0.4 s". Pure. */
import type { NumberFormat } from './format-number.ts';
import { NBSP, two } from './signs.ts';

/** A value and its unit, for places that set the unit smaller. */
export interface Part {
  value: string;
  unit: string;
}

/** The formatters of durations that write numbers by `numbers`. */
export function createDurationFormat({ number, oneDecimal }: NumberFormat) {
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

  return { durationParts, shortDuration, duration, delay };
}
