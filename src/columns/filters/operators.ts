/**
 * The table of filter operators: arguments, meaning on a value, SQL, and the operator that it negates. Used by the
 * engine, SQL over rows, the contract, URLs, forms and words. Loaded by the browser and threads, so it imports types only.
 */
import type { Sql, sql } from '#src/store/sql.ts';

type SqlTag = typeof sql;

/** How an operator that is not a negation decides. */
type Meaning =
  /** Tests that the property has a value, or a numeric one. */
  | { takes: 'nothing'; asks: 'value' | 'number' }
  /** Whole values: the value's text is one of them. */
  | { takes: 'value' }
  /** Pieces of text, regardless of case: one of them fits. Text and piece are in lower case. */
  | {
      takes: 'text';
      test(text: string, piece: string): boolean;
      sql(tag: SqlTag, text: Sql, piece: Sql): Sql;
      /** True when it can be applied to host and path of a URL separately. */
      splitsAddress: boolean;
    }
  /** A regular expression, which PostgreSQL decides. */
  | { takes: 'pattern' }
  | {
      takes: 'number';
      test(value: number, bound: number): boolean;
      sql(tag: SqlTag, value: Sql, bound: Sql): Sql;
    }
  /** A date or a time: values before the bound, or those from it on. `endOfDay`: a date without a time means the end of that day. */
  | { takes: 'date'; keeps: 'before' | 'since'; endOfDay: boolean };

type Row = Meaning | { negates: string };

/** In the order in which they are listed. Stored in goals, segments and exports: a rename needs a migration and a row in `formerNames`. */
const table = {
  equals: { takes: 'value' },
  notEquals: { negates: 'equals' },
  contains: {
    takes: 'text',
    test: (text, piece) => text.includes(piece),
    sql: (tag, text, piece) => tag`position(${piece} in ${text}) > 0`,
    splitsAddress: true,
  },
  notContains: { negates: 'contains' },
  startsWith: {
    takes: 'text',
    test: (text, piece) => text.startsWith(piece),
    sql: (tag, text, piece) => tag`starts_with(${text}, ${piece})`,
    splitsAddress: false,
  },
  endsWith: {
    takes: 'text',
    test: (text, piece) => text.endsWith(piece),
    sql: (tag, text, piece) => tag`right(${text}, length(${piece})) = ${piece}`,
    splitsAddress: false,
  },
  regex: { takes: 'pattern' },
  notRegex: { negates: 'regex' },
  gt: {
    takes: 'number',
    test: (value, bound) => value > bound,
    sql: (tag, value, bound) => tag`${value} > ${bound}`,
  },
  gte: {
    takes: 'number',
    test: (value, bound) => value >= bound,
    sql: (tag, value, bound) => tag`${value} >= ${bound}`,
  },
  lt: {
    takes: 'number',
    test: (value, bound) => value < bound,
    sql: (tag, value, bound) => tag`${value} < ${bound}`,
  },
  lte: {
    takes: 'number',
    test: (value, bound) => value <= bound,
    sql: (tag, value, bound) => tag`${value} <= ${bound}`,
  },
  before: { takes: 'date', keeps: 'before', endOfDay: false },
  after: { takes: 'date', keeps: 'since', endOfDay: true },
  onOrBefore: { takes: 'date', keeps: 'before', endOfDay: true },
  onOrAfter: { takes: 'date', keeps: 'since', endOfDay: false },
  isSet: { takes: 'nothing', asks: 'value' },
  isNotSet: { negates: 'isSet' },
  isNumber: { takes: 'nothing', asks: 'number' },
  isNotNumber: { negates: 'isNumber' },
} as const satisfies Record<string, Row>;

type Table = typeof table;

/** Names before the first release of the API. Links, clients and what an older process stores may still have them. */
const formerNames: Readonly<Record<string, FilterOperator>> = {
  is: 'equals',
  isNot: 'notEquals',
  containsNot: 'notContains',
  matches: 'regex',
  matchesNot: 'notRegex',
  above: 'gt',
  below: 'lt',
};

export type FilterOperator = keyof Table;
/** Arguments of an operator. */
export type Takes = Meaning['takes'];
/** The operators that take this and negate none. */
export type OperatorTaking<What extends Takes> = {
  [Name in FilterOperator]: Table[Name] extends { takes: What } ? Name : never;
}[FilterOperator];

export const filterOperators = Object.keys(table) as [FilterOperator, ...FilterOperator[]];

/** The operator that this one negates; itself when it negates none. */
export function positiveOf(operator: FilterOperator): OperatorTaking<Takes> {
  const row: Row = table[operator];
  return ('negates' in row ? row.negates : operator) as OperatorTaking<Takes>;
}

/** True for a negation, which also matches a missing property. */
export function isNegation(operator: FilterOperator): boolean {
  return 'negates' in table[operator];
}

/** Meaning of the operator, or of the one that it negates. */
export function meaningOf(operator: FilterOperator): Meaning {
  return table[positiveOf(operator)];
}

/** The row of an operator that takes this. */
export function rowOf<What extends Takes>(operator: OperatorTaking<What>): Extract<Meaning, { takes: What }> {
  return meaningOf(operator) as Extract<Meaning, { takes: What }>;
}

export function takesOf(operator: FilterOperator): Takes {
  return meaningOf(operator).takes;
}

/** True when values are parsed as numbers, with the project's decimal separator. */
export function readsNumbers(operator: FilterOperator): boolean {
  const meaning = meaningOf(operator);
  return meaning.takes === 'number' || (meaning.takes === 'nothing' && meaning.asks === 'number');
}

export function isFilterOperator(text: string): text is FilterOperator {
  return Object.hasOwn(table, text);
}

/** The operator of this name, or of this former name; null for any other text. */
export function operatorNamed(text: string): FilterOperator | null {
  if (isFilterOperator(text)) return text;
  return Object.hasOwn(formerNames, text) ? (formerNames[text] as FilterOperator) : null;
}

/** The operators that take one of these, negations included. */
export function operatorsTaking(...takes: readonly Takes[]): FilterOperator[] {
  return takes.flatMap((what) => filterOperators.filter((operator) => takesOf(operator) === what));
}

export const MAX_VALUES = 200;

/** How many values a condition has: at least, at most. */
export function arityOf(operator: FilterOperator): readonly [min: number, max: number] {
  const takes = takesOf(operator);
  if (takes === 'nothing') return [0, 0];
  return takes === 'value' || takes === 'text' ? [1, MAX_VALUES] : [1, 1];
}
