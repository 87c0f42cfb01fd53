/** Whether a value fits a condition, positively asked. Pure: threads and the asking side must agree. */
import type { JsonValue } from '#src/kit/json.ts';
import type { FilterValue } from '../contract.ts';
import { type Bound, isBefore } from './date-times.ts';

/** What is asked of a value; opposites are made by who asks. Patterns have become lists of the texts that match. */
export type Fit =
  | { is: readonly string[] }
  | { contains: readonly string[] }
  | { above: number }
  | { below: number }
  | { before: Bound }
  | { since: Bound }
  | { isSet: true };

/** A function that says of a value whether it fits. @param fit texts of `contains` in lower case */
export function fitTest(fit: Fit): (value: JsonValue | undefined) => boolean {
  if ('is' in fit) {
    const wanted = new Set(fit.is);
    return (value) => isThere(value) && wanted.has(textOf(value));
  }
  if ('contains' in fit) {
    return (value) => {
      if (!isThere(value)) return false;
      const text = textOf(value).toLowerCase();
      return fit.contains.some((part) => text.includes(part));
    };
  }
  if ('above' in fit) return (value) => isThere(value) && numberOf(value) > fit.above;
  if ('below' in fit) return (value) => isThere(value) && numberOf(value) < fit.below;
  if ('before' in fit) return (value) => typeof value === 'string' && isBefore(value, fit.before) === true;
  if ('since' in fit) return (value) => typeof value === 'string' && isBefore(value, fit.since) === false;
  return isThere;
}

/** A value as the text that it is compared by. */
export function textOf(value: JsonValue | FilterValue): string {
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isThere(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

/** Numbers, and texts that say nothing but a number; else NaN. */
export function numberOf(value: JsonValue): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : Number.NaN;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
