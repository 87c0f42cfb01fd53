/**
 * How the public API writes queries into an address, and the filters of events that all have. Query kinds name their own parameters beside these.
 */

import * as z from 'zod';
import { filters as filterSchema } from '#src/columns/contract.ts';
import { traffic } from '#src/columns/values.ts';
import { invalid } from '#src/kit/errors.ts';
import { MAX_ROW_ID } from '#src/kit/row.ts';
import { comparisons, goalPers, rangePresets } from './contract.ts';
import { asJson } from './json-parameter.ts';
import { peopleQuery } from './people/contract.ts';

/** An id in a URL. */
export const rowId = z.coerce.number().int().min(0).max(MAX_ROW_ID);
export const ofSegment = {
  description: 'ID of a team segment or a segment of the key’s owner. Its filters are applied too.',
};

export const date = z.iso.date().meta({ override: { type: 'string', format: 'date' } });

/** The same conditions as on the screens: what they may be is for the schema of the questions to say. */
const filters = asJson(filterSchema, {
  description:
    'Conditions as JSON; without them everything but bots and the team’s own traffic. Those about persons need the scope `persons:read`.',
  example: '{"match":"all","of":[{"about":"event","name":"$pathname","operator":"equals","values":["/"]}]}',
  wrong: 'Invalid filters.',
});

const people = asJson(peopleQuery, {
  description:
    'People whose events count, as JSON: who did something so often in a range, or was first seen in one; without it everybody’s. Sets by properties, and lists, need the scope `persons:read`.',
  example: '{"match":"all","of":[{"did":{"event":"purchase"},"times":2,"within":"last_90_days"}]}',
  wrong: 'This is no set of people.',
});

const takenIn = (what: string) =>
  z
    .enum(['include'])
    .optional()
    .meta({ description: `\`include\`: include ${what}. Excluded by default.` });

/** Parameters of every query that is asked by GET. */
export const rangeParameters = {
  range: z
    .enum(rangePresets)
    .optional()
    .meta({ description: 'Date range preset. Default: `last_28_days`, unless `from` and `to` are set.' }),
  from: date.optional().meta({ description: 'Start date in the project’s time zone. Use instead of `range`.' }),
  to: date.optional().meta({ description: 'End date (inclusive).' }),
  filters,
  people,
  segment: rowId.optional().meta(ofSegment),
  bots: takenIn('bots'),
  internal: takenIn('the team’s own traffic'),
};

/** Parameters of kinds with a comparison. */
export const compareParameters = {
  compare: z.enum(comparisons).optional().meta({ description: 'Comparison period. Default: `none`.' }),
  compareFrom: date.optional().meta({ description: 'Start date of the comparison. Use instead of `compare`.' }),
  compareTo: date.optional().meta({ description: 'End date of the comparison (inclusive).' }),
};

export const per = z
  .enum(goalPers)
  .optional()
  .meta({ description: 'Denominator of the conversion rate: visitors (default) or visits.' });

/** Parameters of tables: order, search and page. */
export const ordered = <Column extends string>(columns: readonly Column[]) => ({
  sort: z
    .enum([...columns, ...columns.map((column) => `-${column}` as const)])
    .optional()
    .meta({ description: 'Sort column. Default: `count`. Prefix with `-` to reverse.' }),
  find: z.string().max(200).optional().meta({ description: 'Only rows whose value contains this text.' }),
  page: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .meta({ description: 'Of `limit` rows each; `total` says how many rows there are.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

/** Parameters of an address, as their schemas read them. */
interface Parameters {
  segment?: number | undefined;
  range?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  compare?: string | undefined;
  compareFrom?: string | undefined;
  compareTo?: string | undefined;
  bots?: 'include' | undefined;
  internal?: 'include' | undefined;
  sort?: string | undefined;
  find?: string | undefined;
  page?: number | undefined;
}

/**
 * The input that parameters stand for, to be read by the schema of its kind.
 * @throws AppError `invalid` for one of two dates, or for dates beside a name
 */
export function readParameters(given: Parameters): Record<string, unknown> {
  const { range, from, to, compare, compareFrom, compareTo, bots, internal, sort, find, page, ...others } = given;
  const dates = datesOf(['from', from], ['to', to]);
  const compared = datesOf(['compareFrom', compareFrom], ['compareTo', compareTo]);
  if (dates && range !== undefined) throw invalid('range', 'Use either `range`, or `from` and `to`.');
  if (compared && compare !== undefined) {
    throw invalid('compare', 'Use either `compare`, or `compareFrom` and `compareTo`.');
  }
  const included = { bots, internal };
  const include = traffic.filter((each) => included[each] === 'include');
  return {
    ...others,
    range: dates ?? range ?? 'last_28_days',
    compare: compared ?? compare ?? 'none',
    ...(include.length > 0 && { include }),
    ...orderOf({ sort, find, page }),
  };
}

/** The order of a table, unless it is the default. */
function orderOf({ sort, find, page }: Pick<Parameters, 'sort' | 'find' | 'page'>) {
  if ((sort ?? find ?? page) === undefined) return {};
  const by = { sort: sort?.replace('-', '') ?? 'count', reversed: sort?.startsWith('-') ?? false };
  return { order: { ...by, find: find ?? '', page: page ?? 1 } };
}

/** Both dates, or null without any. @throws AppError `invalid` for one of two */
export function datesOf(...given: readonly (readonly [name: string, date: string | undefined])[]) {
  const [from, to] = given.map(([, date]) => date);
  const missing = given.find(([, date]) => date === undefined);
  if (missing === undefined) return { from, to };
  if (from !== undefined || to !== undefined) {
    throw invalid(missing[0], `${given.map(([name]) => `\`${name}\``).join(' and ')} must be used together.`);
  }
  return null;
}
