/** Suggestions for filters: properties and values. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type FilterSubject, filters } from '#src/columns/contract.ts';
import { filterSubjects } from '#src/columns/values.ts';
import { storedName } from '#src/kit/name.ts';
import { rangeInput } from '../contract.ts';

/** A property that a filter can be about; fields of visits are always the same and are not listed. */
export interface FilterProperty {
  about: Exclude<FilterSubject, 'session'>;
  name: string;
  /** Type inferred from one value. */
  type: 'string' | 'number' | 'boolean' | 'datetime' | 'list' | 'object';
  /** Available for lists of events only, not for numbers. */
  rowsOnly?: true;
}

/** The commonest first; those of persons and groups after those of events, and none of them for viewers. */
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

/** Values of a property, most frequent first. */
export interface FilterValues {
  /** Counted unit; current persons or groups, or visits or events of the range, without bots and internal traffic. */
  of: 'visits' | 'events' | 'persons' | 'groups';
  rows: [value: string, count: number][];
  /** There are more. */
  more: boolean;
}

/** Maximum number of suggested values. */
export const MAX_VALUES = 300;
