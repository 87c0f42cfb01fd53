/** SQL of what an event says of a breakdown: the same texts as the engine's (src/columns/conditions/key-places.ts), which tests hold it to. */
import type { Breakdown } from '#src/columns/columns.ts';
import type { FilterCondition } from '#src/columns/contract.ts';
import {
  filterSql,
  keyText,
  keyTextSql,
  personTextSql,
  propertySql,
  visitColumn,
} from '#src/columns/filters/filter-sql.ts';
import { numberSql, textNumberSql } from '#src/columns/filters/number-sql.ts';
import { visitProperties } from '#src/columns/filters/visit-fields.ts';
import { COHORT, GROUP_KEY, type GroupSubject, groupTypeOf, sessionFieldNamed } from '#src/columns/values.ts';
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { groupValue } from './group-value.ts';
import { eventPerson, type Rows } from './rows.ts';

type Combined = Extract<Breakdown, { about: 'combined' }>['of'][number];
type OfProperty = Extract<Combined, { about: 'event' | 'person' | 'session' | GroupSubject }>;

/** SQL text of an event; '' without the property. @param decimal how texts write numbers */
export function valueSql(rows: Rows, by: Breakdown, decimal: DecimalSeparator): Sql {
  if (by.about === 'step') throw new Error('paths write their steps');
  if (by.about !== 'combined') return partSql(rows, by, decimal);
  const texts = by.of.map((one) => partSql(rows, one, decimal));
  if (texts.length === 1) return texts[0] as Sql;
  const json = texts.map((text) => sql`to_json(${text})::text`);
  return sql`'[' || ${sql.join(json, sql` || ',' || `)} || ']'`;
}

function partSql(rows: Rows, part: Combined, decimal: DecimalSeparator): Sql {
  if (part.about === 'name') {
    return sql`(select name from event_names where project_id = ${rows.projectId} and number = events.event)`;
  }
  if (part.about === 'cohort') {
    const isMember: FilterCondition = { about: 'person', name: COHORT, operator: 'equals', values: [part.name] };
    return sql`case when ${filterSql(rows, { match: 'all', of: [isMember] })} then ${part.name}::text else '' end`;
  }
  const edges = 'edges' in part ? part.edges : undefined;
  return edges === undefined ? textSql(rows, part) : intervalSql(numbersSql(rows, part, decimal), edges);
}

function textSql(rows: Rows, part: OfProperty): Sql {
  if (part.about === 'event') return eventTextSql(rows, [part.name]);
  if (part.about === 'person') return personValueSql(rows, part.name);
  return part.about === 'session' ? visitSql(rows, part.name) : groupSql(rows, part.about, part.name);
}

/** The name of the interval in which a number lies; '' without one. */
function intervalSql(number: Sql, edges: readonly number[]): Sql {
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  const between = edges.slice(1).map((edge, at) => sql`when number < ${edge} then ${`${edges[at]}..${edge}`}`);
  const cases = [sql`when number < ${first} then ${`<${first}`}`, ...between];
  return sql`(select case when number is null then '' ${sql.join(cases, sql` `)} else ${`>=${last}`} end from (select ${number} as number) as own)`;
}

function numbersSql(rows: Rows, part: OfProperty, decimal: DecimalSeparator): Sql {
  if (part.about === 'event') return eventNumberSql(rows, part.name, decimal);
  return textNumberSql(textSql(rows, part), decimal);
}

/** The text of the first of these properties that an event has, in its property groups or in the event itself; '' without one. */
export function eventTextSql(rows: Rows, names: readonly string[]): Sql {
  const places = names.map((name) => inGroupsSql(rows, name, (value) => sql`nullif(${keyTextSql(value)}, '')`));
  const own = names.map((name) => {
    const value = sql`(events.properties -> ${name})`;
    return sql`nullif(${keyTextSql(propertySql(rows, names[0] ?? name, value, null))}, '')`;
  });
  return sql`coalesce(${sql.join([...places, ...own])}, '')`;
}

function eventNumberSql(rows: Rows, name: string, decimal: DecimalSeparator): Sql {
  const inGroups = inGroupsSql(rows, name, (value) => numberSql(value, decimal));
  return sql`coalesce(${inGroups}, ${numberSql(sql`(events.properties -> ${name})`, decimal)})`;
}

const places = Object.keys(groupKinds).map((kind) => sql`(${groupKinds[kind as GroupKind]}, events.${sql.id(kind)})`);

/** From the property group of the event that has the property; null without one. */
function inGroupsSql(rows: Rows, name: string, of: (value: Sql) => Sql): Sql {
  const value = propertySql(rows, name, sql`(properties -> ${name})`, sql`properties`);
  return sql`(
            select ${of(value)}
            from property_groups
            where project_id = ${rows.projectId} and properties ->> ${name} is not null
              and (kind, number) in (${sql.join(places)})
            order by kind
            limit 1)`;
}

/** Properties of persons are those of now, after merges. */
function personValueSql(rows: Rows, name: string): Sql {
  return sql`coalesce((
            select ${personTextSql(rows, name)}
            from persons
            where project_id = ${rows.projectId} and number = ${eventPerson}), '')`;
}

function groupSql({ projectId }: Rows, about: GroupSubject, name: string): Sql {
  if (name === GROUP_KEY) return sql`coalesce(${keyText(about)}, '')`;
  return sql`coalesce((
            select properties ->> ${name}
            from groups
            where project_id = ${projectId} and type_index = ${groupTypeOf(about)} and key = ${keyText(about)}), '')`;
}

/** What the visit of an event says; '' without a visit. */
function visitSql(rows: Rows, name: string): Sql {
  const field = sessionFieldNamed(name);
  if (field === undefined) throw new Error(`visits have no ${name}`);
  return sql`coalesce((
            select ${visitTextSql(rows, field)}
            from sessions as visit
            where visit.project_id = ${rows.projectId} and visit.id = events.session_id), '')`;
}

function visitTextSql(rows: Rows, field: NonNullable<ReturnType<typeof sessionFieldNamed>>): Sql {
  if (field === 'views') return sql`(visit.views + visit.screens)::text`;
  if (field === 'seconds') {
    return sql`((extract(epoch from visit.last_ts - visit.first_ts) * 1000)::int8 / 1000.0)::float8::text`;
  }
  const property = visitProperties[field];
  return groupValue(rows, property, sql`visit.${visitColumn(property)}`);
}
