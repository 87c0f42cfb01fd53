/** Constants of people that the browser reads too: no schemas, so no zod comes along. */
import type { FilterOperator } from '#src/columns/filters/operators.ts';

/** How the list of people can be filtered by a property. */
export const propertyOperators = ['equals', 'contains', 'isSet'] as const satisfies FilterOperator[];

/** Characters of what people are searched by. */
export const MAX_TEXT_LENGTH = 400;
/** Visits of a person that the list counts; it says "at least" of more. */
export const MAX_VISITS = 1_000;
/** What one person has is counted up to here; more is "more". */
export const MAX_COUNTED = 100_000;
/**
 * People that are put in order by when they were seen; more of them are searched for among the latest events, and day by day before. Those
 * without an event come last.
 */
export const MAX_ORDERED = 5_000;
