/** A kind's explained numbers: their SQL, and what they count. */
import type { Columns, Question } from '#src/columns/columns.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { Sql } from '#src/store/sql.ts';
import type { Elsewhere, Explained } from '../explain/contract.ts';
import type { Goal } from '../goals/contract.ts';
import type { VitalName, VitalPercentile } from '../kinds/vitals/contract.ts';
import type { GoalPer } from './contract.ts';
import type { Rows } from './rows.ts';
import { viewNames } from './scope.ts';

export type ElsewhereColumns = Pick<Columns, 'series' | 'conversions' | 'values' | 'visitsWithout'>;

/** Options of a number besides the selected events. */
export interface NumberOptions {
  /** The goal that the query names; null: none, or it does not exist any more. */
  goal: Goal | null;
  /** All goals of the project, for numbers that use them. */
  goals: readonly Goal[];
  /** Currency of revenue; '' for amounts without one. */
  currency: string;
  decimal: DecimalSeparator;
  per: GoalPer;
  vital: VitalName;
  percentile: VitalPercentile;
  /** For tables: with the additional columns. */
  inFull: boolean;
  timeZone: string;
}

/** Inputs of other products' definitions. */
export interface ElsewhereParts {
  columns: ElsewhereColumns;
  /** With one span, and nothing in it. */
  question: Question;
  /** When the days and months of the range begin; null for more of them than an answer has. */
  days: readonly number[] | null;
  months: readonly number[] | null;
  /** The project's goals: what others call key events. */
  goals: readonly Goal[];
}

export interface ExplainedNumber {
  of: Explained;
  /** The SQL over the rows. A figure has the column `value`, and ratios their numerator and denominator. @param byHost separate pages by host */
  sql(rows: Rows, byHost: boolean): Sql;
  /** The events that the number is made of: of these names, or conversions of any of these goals. */
  counts: { names: readonly string[] } | { goals: readonly Goal[] };
  /** Names of the counted events (empty: any); null: names alone do not define them. */
  events: string[] | null;
  /** True when visits are counted. */
  ofVisits: boolean;
  /** For goals: the denominator of the rate. */
  per?: GoalPer;
  /** For pages: rows with hosts, to detect several hosts. */
  pages?(
    columns: Pick<Columns, 'tables' | 'values'>,
    question: Question,
  ): Promise<readonly { value: string; count: number }[]>;
  /** Numbers by other products' definitions; absent: the engine can compute none. */
  elsewhere?(parts: ElsewhereParts): Promise<Elsewhere[]>;
}

export interface ExplainedNumbers {
  names: readonly Explained[];
  explain(name: Explained, options: NumberOptions): ExplainedNumber;
}

/** Checks that exactly the numbers with these names are explained. */
export function defineNumbers<const Name extends Explained>(
  names: readonly Name[],
  explain: (name: Name, options: NumberOptions) => ExplainedNumber,
): ExplainedNumbers {
  return { names, explain: (name, options) => explain(name as Name, options) };
}

/** A number made of views, of which each is counted. */
export function ofViews(of: Explained, sql: ExplainedNumber['sql']): ExplainedNumber {
  return { of, sql, counts: { names: viewNames }, events: [...viewNames], ofVisits: false };
}
