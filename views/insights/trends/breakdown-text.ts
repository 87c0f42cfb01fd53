/** Values of a breakdown of trends in words: one for each of its properties. Pure. */
import {
  type BreakdownPart,
  breakdownParts,
  rowValues,
  type TrendsInput,
} from '#src/insights/kinds/trends/contract.ts';
import { shownValue } from '#views/question/filters/wording.ts';
import type { FilterWords } from '#views/words/filters.ts';
import type { InsightWords } from '#views/words/insights.ts';
import type { TrendsWords } from '#views/words/trends.ts';
import type { Reading } from '#views/words/value-text.ts';
import { eventName, isCountry } from '../names.ts';
import { isCohortPart } from './breakdown-parts.ts';

/** Words of values of breakdowns. */
export interface BreakdownWords {
  shared: InsightWords;
  own: TrendsWords;
  text: FilterWords;
  reading: Reading;
}

/** A value of a row in words; null: all values without a row. Pure. */
export function breakdownTextBy(
  breakdown: TrendsInput['breakdown'],
  { shared, own, text, reading }: BreakdownWords,
): (value: string | null) => string {
  const parts = breakdownParts({ breakdown });

  function textOf(part: BreakdownPart | undefined, value: string): string {
    if (part === undefined) return value;
    if (isCohortPart(part)) return value === '' ? own.notInCohort(part.values[0]) : part.values[0];
    if (value === '') return shared.notSet;
    if (part.about === 'name') return eventName(value, shared);
    if (part.bins !== undefined) return binText(value);
    if (isCountry(part)) return reading.format.country(value);
    return shownValue(part, value, text, reading);
  }

  /** As the answer writes it: `<10`, `10..20`, `>=20`. */
  function binText(value: string): string {
    const number = (each: string | undefined): string => reading.format.decimal(Number(each));
    if (value.startsWith('<')) return own.below(number(value.slice(1)));
    if (value.startsWith('>=')) return own.from(number(value.slice(2)));
    const [from, to] = value.split('..');
    return own.between(number(from), number(to));
  }

  return (value) => {
    if (value === null) return shared.other;
    return rowValues(value, parts.length)
      .map((each, at) => textOf(parts[at], each))
      .join(' · ');
  };
}
