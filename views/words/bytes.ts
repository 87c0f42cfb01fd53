/** Bytes as people write them, 1,000 to the kB. Units are the same in every language. */
import type { Format } from './format.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** 1234567 → "1.2 MB"; whole numbers from ten on. */
export function bytesText(bytes: number, format: Pick<Format, 'number' | 'decimal'>): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const text =
    unit === 0 || value >= 9.95 ? format.number(Math.round(value)) : format.decimal(Math.round(value * 10) / 10);
  return `${text} ${UNITS[unit]}`;
}
