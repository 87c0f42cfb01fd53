/** Names of web vitals, and their pages sorted and searched: the same for the answer, the screen and the file. Read by the browser, so without schemas. Pure. */
import { asSent, readable } from '#src/events/values.ts';
import { searchable } from '#src/kit/search/values.ts';

/** Measured vitals; CLS without a unit, the others in ms. */
export const vitalNames = ['LCP', 'INP', 'CLS', 'FCP'] as const;

/** The property that holds a vital. */
export function vitalProperty(name: (typeof vitalNames)[number]): `$web_vitals_${string}_value` {
  return `$web_vitals_${name}_value`;
}

/** Percentiles to choose from. */
export const vitalPercentiles = [75, 90, 99] as const;

/** With fewer measurements a page shows no figure. */
export const MIN_SAMPLES = 10;

/** Sort columns of pages: number of measurements, page, value, share of good ones. */
export const vitalColumns = ['count', 'value', 'percentile', 'good'] as const;
export type VitalColumn = (typeof vitalColumns)[number];

/** Summary of a vital's measurements: good, poor, and between. */
export interface Vital {
  /** At the percentile that was asked for; null without any. */
  value: number | null;
  samples: number;
  good: number;
  poor: number;
  /** Rating of the value. */
  rating: 'good' | 'fair' | 'poor' | null;
}

/** A vital on a page ('' = none), with its host when there are several. */
export type VitalPage = Vital & { page: string; host?: string | undefined };

/** Pages that hold what was typed, without regard to case, accents and spelling. */
export function matchingPages(pages: readonly VitalPage[], typed: string): readonly VitalPage[] {
  const wanted = searchable(readable(typed.trim()));
  if (wanted === '') return pages;
  return pages.filter(({ page, host = '' }) =>
    [host + page, host + asSent(page), host + readable(page)].some((text) => searchable(text).includes(wanted)),
  );
}

/**
 * A sorted copy: texts ascending, numbers descending, or the other way round. Equal pages keep the order they came in, which is by
 * measurements; those with too few of them come last where it is by their figures.
 */
export function sortedPages(
  pages: readonly VitalPage[],
  { sort, reversed }: { sort: VitalColumn; reversed: boolean },
): VitalPage[] {
  if (sort === 'count') return reversed ? pages.toReversed() : [...pages];
  const sign = reversed ? -1 : 1;
  if (sort === 'value') return pages.toSorted((one, other) => sign * byText(textOf(one), textOf(other)));
  const figureOf = ({ value, good, samples }: VitalPage) => {
    if (samples < MIN_SAMPLES) return null;
    return sort === 'percentile' ? value : good / samples;
  };
  return pages.toSorted((one, other) => {
    const [a, b] = [figureOf(one), figureOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (b - a);
  });
}

function textOf({ page, host = '' }: VitalPage): string {
  return host + readable(page);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
