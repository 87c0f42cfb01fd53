/** Which events count: traffic, filters, sets of persons, rules of series and selections. */
import type { EventRule, People, PersonCriterion, Rules, Scope, Selection, SeriesRule } from '#src/columns/columns.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { querySet } from '../text.ts';
import { attemptsSql } from './attempts.ts';
import { conditionSql, filtersSql, MAX_NUMBERS } from './conditions.ts';
import { fromEvents, person, plainTraffic, type QueryParts, type Span, trafficSql, Unsupported } from './events.ts';

/** True of the events that the scope counts. */
export async function scopeSql(parts: QueryParts, scope: Scope, span: Span): Promise<Sql> {
  return sql`(${trafficSql(scope.include)} and ${await keptSql(parts, scope, span)})`;
}

/** True of the events that filters and persons keep, of any traffic. */
export async function keptSql(
  parts: QueryParts,
  { filters, people }: Pick<Scope, 'filters' | 'people'>,
  span: Span,
): Promise<Sql> {
  const conditions = [
    ...(filters === null ? [] : [await filtersSql(parts, filters, span)]),
    ...(people ? [await peopleSql(parts, people, span)] : []),
  ];
  return conditions.length === 0 ? sql`1` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** True of the events that fulfil one of the rules. */
export async function rulesSql(parts: QueryParts, rules: Rules, span: Span): Promise<Sql> {
  const found = await Promise.all(rules.map((rule) => ruleSql(parts, rule, span)));
  return found.length === 0 ? sql`0` : sql`(${sql.join(found, sql` or `)})`;
}

/** True of the events of a selection. */
export async function selectionSql(
  parts: QueryParts,
  { rules, ofOwnNames = false }: Pick<Selection, 'rules' | 'ofOwnNames'>,
  span: Span,
): Promise<Sql> {
  const byRules = await rulesSql(parts, rules, span);
  return ofOwnNames ? sql`(${await ownNamesSql(parts)} or ${byRules})` : byRules;
}

/** True of the events whose names are the project's own: they do not begin with `$`. */
export async function ownNamesSql({ db, projectId }: QueryParts): Promise<Sql> {
  const rows = await query<{ number: number }>(
    db,
    sql`select number from event_names where project_id = ${projectId} and not starts_with(name, '$')`,
  );
  return sql`event in ${querySet(rows.map(({ number }) => number))}`;
}

async function ruleSql(parts: QueryParts, { names, filters }: SeriesRule | EventRule, span: Span): Promise<Sql> {
  const conditions = await Promise.all(filters.map((each) => filtersSql(parts, each, span)));
  if (names !== null) conditions.unshift(await namesSql(parts, names));
  return conditions.length === 0 ? sql`1` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** True of the events that have one of these names. */
export async function namesSql(parts: QueryParts, names: readonly string[]): Promise<Sql> {
  return sql`event in ${querySet((await namesOf(parts, names)).values())}`;
}

/** Numbers of those names that the project knows. */
export async function namesOf(
  { db, projectId }: QueryParts,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ name: string; number: number }>(
    db,
    sql`select name, number from event_names where project_id = ${projectId} and name = any(${[...names]}::text[])`,
  );
  return new Map(rows.map(({ name, number }) => [name, number]));
}

async function peopleSql(parts: QueryParts, { match, of }: People, span: Span): Promise<Sql> {
  const conditions = await Promise.all(
    of.map(async (each) => {
      const found = 'of' in each ? await peopleSql(parts, each, span) : await criterionSql(parts, each, span);
      return each.not ? sql`not ${found}` : found;
    }),
  );
  if (conditions.length === 0) return sql`1`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

async function criterionSql(parts: QueryParts, criterion: PersonCriterion, span: Span): Promise<Sql> {
  if ('has' in criterion) return conditionSql(parts, criterion.has, span);
  if ('listed' in criterion) return listedSql(parts, criterion.listed);
  if ('sequence' in criterion) {
    const { sequence, within, windowMs } = criterion;
    const steps = await Promise.all(sequence.map((each) => rulesSql(parts, each, within)));
    const attempts = attemptsSql(parts, within, { steps, windowMs, kept: plainTraffic });
    return sql`${person} in (select actor from (${attempts}) where length(times) = ${steps.length})`;
  }
  const { did, within, least } = criterion;
  const rules = await rulesSql(parts, did, within);
  return sql`${person} in (
    select ${person} as actor ${fromEvents(parts, within, sql`${plainTraffic} and ${rules}`)} group by actor having count() >= ${least})`;
}

/** Listed by one of their distinct ids or by their uuid, also that of a merged person. */
async function listedSql(
  { db, projectId }: QueryParts,
  { distinctIds, persons }: Extract<PersonCriterion, { listed: unknown }>['listed'],
): Promise<Sql> {
  const rows = await query<{ number: number }>(
    db,
    sql`select coalesce(merged.new_person, listed.number) as number
          from (
            select person as number from distinct_ids
             where project_id = ${projectId} and distinct_id = any(${[...distinctIds]}::text[])
            union
            select number from persons where project_id = ${projectId} and uuid = any(${[...persons]}::uuid[])) as listed
          left join person_overrides as merged on merged.project_id = ${projectId} and merged.old_person = listed.number
         limit ${MAX_NUMBERS + 1}`,
  );
  if (rows.length > MAX_NUMBERS) throw new Unsupported('long list');
  return sql`${person} in ${querySet(rows.map(({ number }) => number))}`;
}
