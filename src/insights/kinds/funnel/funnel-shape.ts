/** How the statement of a funnel tells attempts apart, and names its columns. */
import type { FunnelQuery } from '#src/columns/columns.ts';
import { type Sql, sql } from '#src/store/sql.ts';

/** What tells the attempts of a funnel apart. */
export interface FunnelShape {
  asked: FunnelQuery;
  /** Names of the columns of who tries what: each list of their values has its own best attempt. */
  keys: Sql;
  /** Steps (the first is 1) that decide how far an attempt came; of the order `any`, how many were done. */
  needed: number[];
  /** True when people have an attempt for each value: rows of the total have no value in `said`. */
  isByValue: boolean;
  hasComparison: boolean;
}

export function shapeOf(asked: FunnelQuery): FunnelShape {
  const { by, attribution, earlier, steps, optional } = asked;
  const isByValue = by !== null && (attribution === 'all' || typeof attribution === 'object');
  const keys = [...(earlier === null ? [] : [sql`span`]), ...(isByValue ? [sql`said`] : []), sql`person`];
  return {
    asked,
    keys: sql.join(keys),
    needed: steps.map((_, at) => at + 1).filter((step) => !optional.includes(step)),
    isByValue,
    hasComparison: earlier !== null,
  };
}

/** Name of a column of a step. */
export function ofStep(name: string, step: number): Sql {
  return sql.id(`${name}_${step}`);
}

/** Keys of an attempt, and the person of a visit. */
export function prefixed(shape: FunnelShape, table: Sql): Sql {
  const keys = prefixedKeys(shape, table);
  return shape.asked.of === 'visits' ? sql`${keys}, ${table}.visitor` : keys;
}

export function prefixedKeys({ isByValue, hasComparison }: FunnelShape, table: Sql): Sql {
  return sql.join([
    ...(hasComparison ? [sql`${table}.span`] : []),
    ...(isByValue ? [sql`${table}.said`] : []),
    sql`${table}.person`,
  ]);
}

/** True when rows of attempts have the value of each step. */
export function carriesValues({ asked, isByValue }: FunnelShape): boolean {
  return asked.by !== null && !isByValue;
}
