/** What a kind says of the numbers of its result that are explained one by one: their SQL, and what they count. */
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

/** What a number depends on besides the events that count. */
export interface NumberOptions {
  /** The goal that the query names; null: none, or it does not exist any more. */
  goal: Goal | null;
  /** All goals of the project, for numbers that use them. */
  goals: readonly Goal[];
  /** Of revenue; '' for amounts without one. */
  currency: string;
  decimal: DecimalSeparator;
  per: GoalPer;
  vital: VitalName;
  percentile: VitalPercentile;
  /** Of tables: with their further columns. */
  inFull: boolean;
  timeZone: string;
}

/** What rules of other products are computed with. */
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
  /** The SQL over the rows. A figure has the column `value`, and of ratios what was divided. @param byHost pages are told apart by their hosts */
  sql(rows: Rows, byHost: boolean): Sql;
  /** The events that the number is made of: of these names, or conversions of any of these goals. */
  counts: { names: readonly string[] } | { goals: readonly Goal[] };
  /** Names of the events that are counted one by one (none: of any); null: that cannot be said by names alone. */
  events: string[] | null;
  /** Whether visits are counted. */
  ofVisits: boolean;
  /** Of numbers of goals: what the rate is a share of. */
  per?: GoalPer;
  /** Of pages: their rows with hosts, which say whether there are several. */
  pages?(
    columns: Pick<Columns, 'tables' | 'values'>,
    question: Question,
  ): Promise<readonly { value: string; count: number }[]>;
  /** What the rules of other products give; absent: there are none that the engine can compute. */
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
