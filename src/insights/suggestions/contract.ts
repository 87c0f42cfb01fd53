/** What filters can be about, and what they can say. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type FilterSubject, filters } from '#src/columns/contract.ts';
import { filterSubjects } from '#src/columns/values.ts';
import { storedName } from '#src/kit/name.ts';
import { rangeInput } from '../contract.ts';

/** A property that a filter can be about; fields of visits are always the same and are not listed. */
export interface FilterProperty {
  about: Exclude<FilterSubject, 'session'>;
  name: string;
  /** As far as one value told. */
  type: 'string' | 'number' | 'boolean' | 'datetime' | 'list' | 'object';
  /** Only where events are looked at one by one: no number can be filtered by it. */
  rowsOnly?: true;
}

/** The commonest first; those of persons after those of events, and none of them for viewers. */
export type FilterProperties = FilterProperty[];

export const valuesInput = z.object({
  project: z.string().check(z.minLength(1), z.maxLength(64)),
  range: rangeInput,
  about: z.enum(filterSubjects),
  name: storedName,
  /** Only values with this in it, without regard to case and accents. */
  search: z._default(z.string().check(z.maxLength(1000)), ''),
});
export type ValuesInput = z.infer<typeof valuesInput>;

/** Filters before anything is asked with them. */
export const triedFilters = z.object({ project: z.string().check(z.minLength(1), z.maxLength(64)), filters });

/** What a property says, the commonest first. */
export interface FilterValues {
  /** What is counted; persons as they are now, the others in the range, without bots and internal traffic. */
  of: 'visits' | 'events' | 'persons';
  rows: [value: string, count: number][];
  /** There are more. */
  more: boolean;
}

/** As many as one looks through. */
export const MAX_VALUES = 300;
