/** Constants of people that the browser reads too: no schemas, so no zod comes along. */
import type { FilterOperator } from '#src/columns/filters/operators.ts';

/** How the list of people can be filtered by a property. */
export const propertyOperators = ['equals', 'contains', 'isSet'] as const satisfies FilterOperator[];
