/** Retention: the same figures as those of the engine (src/columns/queries/retentions.ts). */
import type { Retention, RetentionQuery } from '#src/columns/columns.ts';
import type { RetentionPick } from '#src/columns/queries/retentions.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { actorSql } from './actors.ts';
import { firstEventsSql } from './attempts.ts';
import { MAX_NUMBERS } from './conditions.ts';
import { bucketOf, fromEvents, type QueryParts, type Span } from './events.ts';
import { type Keys, keysOf, rankKeys } from './keys.ts';
import { rulesSql, scopeSql } from './scope.ts';

interface Cell {
  number: number;
  period: number;
  size: number;
  returned: number[];
}

/** @throws Unsupported for too many values or groups */
export async function clickhouseRetention(parts: QueryParts, asked: RetentionQuery): Promise<Retention> {
  const { shown, values, every } = await readRetention(parts, asked, null);
  const cells = shown.length === 0 ? [] : await cellsOf(parts, every);
  return {
    rows: shown.map(({ number, text }) => ({
      value: text,
      cohorts: cohortsOf(
        asked,
        cells.filter((cell) => cell.number === number),
      ),
    })),
    values,
  };
}

/** Those who are behind a number, by their numbers; null: its value has no row. @param given SQL: number of the actor of an event; null: its own */
export async function retentionActors(
  parts: QueryParts,
  asked: RetentionQuery,
  { value, period, later }: RetentionPick,
  given: Sql | null,
): Promise<number[] | null> {
  const { shown, every } = await readRetention(parts, asked, given);
  const row = shown.find(({ text }) => text === value);
  if (row === undefined) return null;
  const came = later === null ? sql`1` : sql`cells[${later + 1}]`;
  const rows = await parts.house.query<{ actor: number }>(
    sql`select actor from (${every}) where number = ${row.number} and period = ${period + 1} and ${came}
         order by actor limit ${MAX_NUMBERS + 1}`,
  );
  return rows.map(({ actor }) => actor);
}

/** Values that have rows, and how many there are; of each row every actor (`every`, see `cellsSql`). */
async function readRetention(parts: QueryParts, asked: RetentionQuery, given: Sql | null) {
  const { edges, back, by, of = 'persons', most } = asked;
  const span = { from: edges[0] as number, until: edges.at(-1) as number };
  const [actor, keys] = await Promise.all([
    given ?? actorSql(parts, of, wholeOfRetention(asked)),
    by && keysOf(parts, by, wholeOfRetention(asked)),
  ]);
  const actors = { actor, keys };
  const [scope, returning, started] = await Promise.all([
    scopeSql(parts, asked, span),
    rulesSql(parts, back, span),
    startedSql(parts, asked, actors),
  ]);
  const ranked = keys && rankKeys(keys, await countStarts(parts, asked, keys, started), most);
  const returns = sql`
    select actor, key, groupArray(period) as own from (
      select ${actor} as actor, ${keySql(keys)} as key, ${bucketOf(edges, sql`ts`)} as period
        ${fromEvents(parts, span, sql`${scope} and ${returning} and ${actor} <> 0`, keys?.join)}
       group by actor, key, period having count() >= ${asked.least})
     group by actor, key`;
  const shown = ranked?.shown ?? [{ number: 0, text: '' }];
  const numbers = shown.map(({ number }) => number);
  return { shown, values: ranked?.values ?? 1, every: cellsSql(asked, { started, returns, numbers }) };
}

/** From when on events matter: first ones may lie before the first period. */
export function wholeOfRetention({ edges, kind, first }: RetentionQuery): Span {
  const [begin, until] = [edges[0] as number, edges.at(-1) as number];
  return { from: kind === 'recurring' ? begin : Math.min(begin, first), until };
}

function keySql(keys: Keys | null): Sql {
  return keys?.number ?? sql`toInt64(0)`;
}

/** A row for each `actor`, `number` of the value and `period` in which they began, with the columns in which they came back (`cells`). */
function cellsSql(
  { isRolling, columns }: RetentionQuery,
  { started, returns, numbers }: { started: Sql; returns: Sql; numbers: readonly number[] },
): Sql {
  // Of several returns in a column one counts; of rolling ones, the last is one in all columns up to its own.
  const [froms, tos] = [columns.map(({ from }) => from), columns.map(({ to }) => to)];
  const later = sql`arrayMap(p -> p - began, arrayFilter(p -> p >= began, own))`;
  const cells = isRolling
    ? sql`arrayMap(f -> notEmpty(later) and arrayMax(later) >= f, ${froms})`
    : sql`arrayMap((f, t) -> arrayExists(l -> l >= f and l <= t, later), ${froms}, ${tos})`;
  return sql`
    select started.actor as actor, number, began as period, ${later} as later, ${cells} as cells
      from (select actor, key as number, toInt64(arrayJoin(periods)) as began from (${started}) as every
             where has(${[...numbers]}, key)) as started
      left any join (${returns}) as returned on returned.actor = started.actor and returned.key = started.number`;
}

function cellsOf(parts: QueryParts, every: Sql): Promise<Cell[]> {
  return parts.house.query<Cell>(
    sql`select number, period, count() as size, sumForEach(cells) as returned from (${every}) group by number, period`,
  );
}

function cohortsOf({ edges, columns }: RetentionQuery, cells: readonly Cell[]) {
  const periods = edges.length - 1;
  return Array.from({ length: periods }, (_, period) => {
    const cell = cells.find((each) => each.period === period + 1);
    const begun = columns.filter(({ from }) => period + from < periods);
    return { size: cell?.size ?? 0, returned: begun.map((_each, at) => cell?.returned[at] ?? 0) };
  });
}

/** By value: start events, or of first ones how many people have theirs there. */
async function countStarts(
  parts: QueryParts,
  asked: RetentionQuery,
  keys: Keys,
  started: Sql,
): Promise<Map<number, number>> {
  const { kind, start } = asked;
  const span = wholeOfRetention(asked);
  const [scope, starting] = await Promise.all([scopeSql(parts, asked, span), rulesSql(parts, start, span)]);
  const from =
    kind === 'recurring'
      ? sql`select ${keys.number} as key ${fromEvents(parts, span, sql`${scope} and ${starting}`, keys.join)}`
      : sql`select key from (${started}) as started`;
  const rows = await parts.house.query<{ key: number; count: number }>(
    sql`select key, count() as count from (${from}) as starts group by key`,
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** The periods in which each actor starts with a value, from 1 on. */
async function startedSql(
  parts: QueryParts,
  asked: RetentionQuery,
  { actor, keys }: { actor: Sql; keys: Keys | null },
): Promise<Sql> {
  const { edges, start, kind } = asked;
  const span = wholeOfRetention(asked);
  const [scope, starting] = await Promise.all([scopeSql(parts, asked, span), rulesSql(parts, start, span)]);
  if (kind === 'recurring') {
    return sql`
      select ${actor} as actor, ${keySql(keys)} as key, groupUniqArray(${bucketOf(edges, sql`ts`)}) as periods
        ${fromEvents(parts, span, sql`${scope} and ${starting} and ${actor} <> 0`, keys?.join)} group by actor, key`;
  }
  const byName = await rulesSql(
    parts,
    start.map(({ names }) => ({ names, filters: [] })),
    span,
  );
  const counted = kind === 'firstEver' ? byName : starting;
  const firsts = firstEventsSql(parts, span, {
    actor,
    kept: sql`${scope} and ${counted}`,
    values: { counts: starting, key: keySql(keys) },
    join: keys?.join,
  });
  return sql`
    select actor, key, [${bucketOf(edges, sql`moment`)}] as periods from (${firsts}) as firsts
     where counts and moment >= ${edges[0] as number}`;
}
