/** Characters and padding that numbers and dates share. */
export const MINUS = '\u2212';
export const NBSP = '\u00a0';
export const EN_DASH = '\u2013';

/** 7 → "07". */
export function two(value: number): string {
  return String(value).padStart(2, '0');
}
