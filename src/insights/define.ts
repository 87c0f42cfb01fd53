/** Definition of an insight kind. Procedures, public API, files, cache and Explain are generated from these definitions: they need only (kind, input). */
import type * as zod from 'zod';
import type * as mini from 'zod/mini';
import type { Columns, People, PointQuestion } from '#src/columns/columns.ts';
import type { Filters, Traffic } from '#src/columns/contract.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Sql } from '#src/store/sql.ts';
import type { Goal } from './goals/contract.ts';
import type { RangeInput, ResultSummary } from './query/contract.ts';
import type { ExplainedNumbers } from './query/explained-numbers.ts';
import type { InsightFile } from './query/file.ts';
import type { EventsQuery, PeopleQuery } from './query/people/contract.ts';
import type { RulesOf } from './query/people/rules.ts';
import type { QueryScope } from './query/scope.ts';

export type QueryColumns = Pick<
  Columns,
  | ('firstEvent' | 'firstEvents' | 'series' | 'tables' | 'conversions' | 'cells' | 'values')
  | 'cancellable'
  | ('trends' | 'funnel' | 'arms' | 'retention' | 'paths' | 'activity' | 'pointPeople' | 'pointGroups')
>;

/** How the result of a query is calculated: SQL over the rows, with all values filled in; null: not every query of the kind can be written so. */
export interface QueryExplanation {
  sql: string | null;
}

/** How a result is drawn (`display` of a saved insight). */
export type SummaryDisplay = Readonly<Record<string, unknown>>;

/** Common input of all kinds. */
export interface QueryInput {
  range: RangeInput;
  filters?: Filters | undefined;
  people?: PeopleQuery | undefined;
  include?: readonly Traffic[] | undefined;
  /** Number of a goal of the project. */
  goal?: number | undefined;
}

/** Context of a query: all references of the input are resolved in the project. */
export interface QueryContext {
  columns: QueryColumns;
  scope: QueryScope;
  /** Persons with counted events; null: all. */
  people: People | null;
  /** Rules of the events that the input names. */
  rulesOf: RulesOf;
  /** The goal that the input names; null without one. */
  goal: Goal | null;
  /** All goals of the project, of kinds that use them. */
  goals: readonly Goal[];
  now: number;
}

/** The engine's query of a number, with the time span (ms) of the listed events of each person. */
export interface ResolvedPoint {
  question: PointQuestion;
  span: { from: number; until: number };
}

/** Numbers of a result, identified by points, whose people can be listed. */
export interface KindPoints<Input, Point = unknown> {
  point: mini.ZodMiniType<Point>;
  /** @throws AppError `invalid` for a point that the result does not have, and as the query */
  resolve(context: QueryContext, input: Input, point: Point): Promise<ResolvedPoint>;
}

/** Checks a definition, and leaves out what only it knows of its points. */
export function definePoints<Input, Point>(points: KindPoints<Input, Point>): KindPoints<Input> {
  return points as unknown as KindPoints<Input>;
}

export interface InsightKind<Name extends string, Input extends QueryInput, Result, Given = unknown> {
  /** Stable: in addresses, in stored insights and in cache keys. */
  name: Name;
  /** Without project and segment, which the doors resolve. */
  input: mini.ZodMiniObject & mini.ZodMiniType<Input, Given>;
  /** Result schema of the public API, with descriptions. */
  result: zod.ZodObject & zod.ZodType<Result>;
  /** The least role in the team of the project. */
  access: Role;
  /** One line for the description of the public API. */
  summary: string;
  /** Makes the query a GET with these parameters beside those that all have; absent: it is posted as JSON. */
  parameters?: zod.ZodRawShape;
  /** Events that the input names besides those of `people`. */
  events?(input: Input): EventsQuery[];
  /** True when input of this kind makes the result reveal personal data. */
  revealsPersons?(input: Input): boolean;
  /** True when the result depends on all goals of the project. */
  usesGoals?: boolean;
  /** True when the result is small enough to be cached; absent: always. */
  isCached?(input: Input): boolean;
  /** Its rows as a file; absent: it has none. */
  csv?: InsightFile<Input, Result>;
  /** Numbers with people to list; absent: none. */
  points?: KindPoints<Input>;
  /** Numbers of the result that are explained one by one, with what they exclude; absent: the result is explained as a whole. */
  numbers?: ExplainedNumbers;
  /** The statement that gives the whole result from the rows, for readers: the program never runs it, a test does. Null: it cannot be written. */
  explain?(context: QueryContext, input: Input): Promise<Sql | null>;
  /** The shape of a result, for lists of insights. */
  summarize(result: Result, display: SummaryDisplay): ResultSummary;
  /** @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long */
  run(context: QueryContext, input: Input): Promise<Result>;
}

/** What it takes to compute a query. */
export type RunnableKind<Name extends string, Input extends QueryInput, Result> = Omit<
  InsightKind<Name, Input, Result>,
  'result' | 'summary' | 'csv' | 'explain' | 'summarize'
>;

/** Checks a definition and keeps its types. */
export function defineKind<const Name extends string, Input extends QueryInput, Result, Given>(
  kind: InsightKind<Name, Input, Result, Given>,
): InsightKind<Name, Input, Result, Given> {
  return kind;
}
