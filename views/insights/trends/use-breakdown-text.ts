/** Values of a breakdown of trends in words: one for each of its properties. */
import {
  type BreakdownPart,
  breakdownParts,
  rowValues,
  type TrendsInput,
} from '#src/insights/kinds/trends/contract.ts';
import { useReading } from '#views/question/filters/reading.ts';
import { shownValue } from '#views/question/filters/wording.ts';
import { filterWords } from '#views/words/filters.ts';
import { insightWords } from '#views/words/insights.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { eventName } from '../names.ts';
import { isCountry } from '../use-value-text.ts';
import { isCohortPart } from './breakdown-parts.ts';

/** A value of a row in words; null: of all that have no row of their own. */
export function useBreakdownText(breakdown: TrendsInput['breakdown']): (value: string | null) => string {
  const shared = usePart(insightWords);
  const own = usePart(trendsWords);
  const text = usePart(filterWords);
  const reading = useReading();
  const { format } = useWords();
  const parts = breakdownParts({ breakdown });

  function textOf(part: BreakdownPart | undefined, value: string): string {
    if (part === undefined) return value;
    if (isCohortPart(part)) return value === '' ? own.notInCohort(part.values[0]) : part.values[0];
    if (value === '') return shared.notSet;
    if (part.about === 'name') return eventName(value, shared);
    if (part.bins !== undefined) return binText(value);
    if (isCountry(part)) return format.country(value);
    return shownValue(part, value, text, reading);
  }

  /** As the answer writes it: `<10`, `10..20`, `>=20`. */
  function binText(value: string): string {
    const number = (each: string | undefined): string => format.decimal(Number(each));
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
