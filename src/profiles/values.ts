/** Constants of people that the browser reads too: no schemas, so no zod comes along. */
import type { FilterOperator } from '#src/columns/filters/operators.ts';

/** How the list of people can be filtered by a property. */
export const propertyOperators = ['equals', 'contains', 'isSet'] as const satisfies FilterOperator[];

/** Characters of what people are searched by. */
export const MAX_TEXT_LENGTH = 400;
/** Maximum visits of a person that the list counts; more are shown as "at least". */
export const MAX_VISITS = 1_000;
/** Counts of one person stop here; more are shown as "more". */
export const MAX_COUNTED = 100_000;
/**
 * People that are put in order by when they were seen; more of them are searched for among the latest events, and day by day before. Those
 * without an event come last.
 */
export const MAX_ORDERED = 5_000;

/** Orders of the list: by time, or by what people did in a range, the most first. */
export const activitySorts = ['events', 'visits', 'revenue'] as const;
export const peopleSorts = ['seen', 'created', ...activitySorts] as const;
/** Properties that the list shows as columns. */
export const MAX_COLUMNS = 6;
/** The range whose events count unless another is chosen. */
export const DEFAULT_RANGE = 'last_30_days';
