/** Values arrive as plain JSON-safe ones: int8 as number, timestamptz as milliseconds since 1970, date as `YYYY-MM-DD`. */
import { type CustomTypesConfig, types } from 'pg';

const parseTimestamp = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown;

const ownParsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.TIMESTAMPTZ, (text) => Number(parseTimestamp(text))],
  [types.builtins.DATE, (text) => text],
]);

/** How values of PostgreSQL become JavaScript's, for every connection of the program. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : ownParsers.get(oid)) ??
    types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
};
