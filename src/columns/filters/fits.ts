/** Matches values against a condition, before negation. Pure: threads and the main thread must agree. */
import type { JsonValue } from '#src/kit/json.ts';
import { type DecimalSeparator, numberOf } from '#src/kit/numbers/values.ts';
import { numberIn, patternIn, textOf } from './condition-values.ts';
import { type Bound, boundOf, isBefore, type PlacedCondition } from './date-times.ts';
import { type OperatorTaking, positiveOf, readsNumbers, rowOf, takesOf } from './operators.ts';

/** Serializable form of a condition for threads. Patterns are replaced by lists of matching texts. */
export type Fit =
  | { equals: readonly string[] }
  /** Pieces in lower case. */
  | { text: OperatorTaking<'text'>; pieces: readonly string[] }
  | { number: OperatorTaking<'number'>; bound: number; decimal: DecimalSeparator }
  | { date: 'before' | 'since'; bound: Bound }
  | { isNumber: true; decimal: DecimalSeparator }
  | { isSet: true };

/** Returns the predicate of a condition. */
export function fitTest(fit: Fit): (value: JsonValue | undefined) => boolean {
  if ('equals' in fit) {
    const wanted = new Set(fit.equals);
    return (value) => isThere(value) && wanted.has(textOf(value));
  }
  if ('text' in fit) {
    const { test } = rowOf<'text'>(fit.text);
    return (value) => {
      if (!isThere(value)) return false;
      const text = textOf(value).toLowerCase();
      return fit.pieces.some((piece) => test(text, piece));
    };
  }
  if ('number' in fit) {
    const { test } = rowOf<'number'>(fit.number);
    return (value) => isThere(value) && test(numberOf(value, fit.decimal), fit.bound);
  }
  if ('isNumber' in fit) return (value) => !Number.isNaN(numberOf(value, fit.decimal));
  if ('date' in fit) {
    const isWanted = fit.date === 'before';
    return (value) => typeof value === 'string' && isBefore(value, fit.bound) === isWanted;
  }
  return isThere;
}

/**
 * The serializable form of a condition.
 * @param matching texts that match its pattern
 * @throws AppError `invalid` for values that the operator does not accept
 */
export function fitOf(condition: PlacedCondition, matching: readonly string[]): Fit {
  const { values } = condition;
  const operator = positiveOf(condition.operator);
  switch (takesOf(operator)) {
    case 'value':
      return { equals: values.map(textOf) };
    case 'text':
      return {
        text: operator as OperatorTaking<'text'>,
        pieces: values.map((value) => textOf(value).toLowerCase()),
      };
    case 'pattern':
      patternIn(condition);
      return { equals: matching };
    case 'number':
      return {
        number: operator as OperatorTaking<'number'>,
        bound: numberIn(condition),
        decimal: condition.decimal ?? 'point',
      };
    case 'date':
      return { date: rowOf<'date'>(operator as OperatorTaking<'date'>).keeps, bound: boundOf(condition) };
    case 'nothing':
      return readsNumbers(operator) ? { isNumber: true, decimal: condition.decimal ?? 'point' } : { isSet: true };
  }
}

function isThere(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}
