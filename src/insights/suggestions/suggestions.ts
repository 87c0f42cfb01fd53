/** Suggestions for filters: property names, and values with counts. */
import type { Knex } from 'knex';
import { isAtLeast } from '#src/accounts/contract.ts';
import type { Columns } from '#src/columns/columns.ts';
import { type Filters, type SessionField, unreadProperties } from '#src/columns/contract.ts';
import { anyLocale, placeConditions } from '#src/columns/filters/date-times.ts';
import { takesOf } from '#src/columns/filters/operators.ts';
import { COHORT, GROUP_KEY, groupSubject, groupTypeOf, isGroupSubject, sessionFields } from '#src/columns/values.ts';
import { readable } from '#src/events/values.ts';
import { forbidden, invalid } from '#src/kit/errors.ts';
import { rulesIn } from '#src/kit/reading/reader.ts';
import { searchable } from '#src/kit/search/values.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Role } from '#src/projects/contract.ts';
import { sqlState } from '#src/store/db.ts';
import { readSnapshot } from '#src/store/snapshot.ts';
import { revealsPersons } from '../contract.ts';
import { tryPatterns } from '../goals/queries.ts';
import { beginRange, type FirstEventColumns } from '../query/first-event.ts';
import { countedUntil, resolveRange } from '../query/ranges.ts';
import { type QueryProject, viewNames } from '../query/scope.ts';
import {
  type FilterProperties,
  type FilterProperty,
  type FilterValues,
  MAX_VALUES,
  type ValuesInput,
} from './contract.ts';
import * as queries from './queries.ts';

/** Values are counted over this many days. */
const DAYS = 28;

export async function fetchProperties(
  { db, columns }: { db: Knex; columns: Pick<Columns, 'propertyRows'> },
  project: QueryProject,
  role: Role,
  now: number,
): Promise<FilterProperties> {
  const isMember = isAtLeast(role, 'member');
  const today = Math.floor(now / dayMs);
  const days = { first: today - DAYS + 1, last: today };
  const counted = queries.eventProperties(db, project.id).then(async (properties) => {
    const names = properties.map(({ name }) => name);
    return { properties, rows: await columns.propertyRows(project.id, days, names) };
  });
  const [{ properties: ofEvents, rows }, ofPersons, hasCohorts, types, ofGroups] = await Promise.all([
    counted,
    isMember ? readSnapshot(db, (client) => queries.personProperties(client, project.id)) : [],
    isMember && queries.hasCohorts(db, project.id),
    isMember ? queries.groupTypes(db, project.id) : [],
    isMember ? queries.groupProperties(db, project.id) : [],
  ]);
  const howOften = (name: string) => rows?.get(name) ?? 0;
  return [
    ...ofEvents
      .map((each): FilterProperty => {
        return { about: 'event', ...each, ...(unreadProperties.has(each.name) && { rowsOnly: true }) };
      })
      .filter((each) => isMember || !revealsPersons(each))
      .sort((one, other) => howOften(other.name) - howOften(one.name)),
    ...(hasCohorts ? [{ about: 'person' as const, name: COHORT, type: 'string' as const }] : []),
    ...ofPersons.map((each) => ({ about: 'person' as const, ...each })),
    ...types.flatMap((type): FilterProperty[] => {
      const about = groupSubject(type);
      if (about === null) return [];
      const own = ofGroups.filter(({ group }) => group === type);
      return [
        { about, name: GROUP_KEY, type: 'string' },
        ...own.map((each) => ({ about, name: each.name, type: each.type })),
      ];
    }),
  ];
}

/** @throws AppError `forbidden` to viewers who ask for persons, `invalid`, `timeout` */
export async function fetchValues(
  { db, columns }: { db: Knex; columns: Pick<Columns, 'tables' | 'propertyValues'> & FirstEventColumns },
  project: QueryProject,
  role: Role,
  input: Omit<ValuesInput, 'project'>,
  now: number,
): Promise<FilterValues> {
  const { about, name, search } = input;
  if (revealsPersons(input) && !isAtLeast(role, 'member')) throw forbidden();
  if (search.includes('\0')) throw invalid('search', 'Invalid search text.');
  if (about === 'person' && name === COHORT) {
    return asked('persons', await queries.cohortNames(db, project.id, search, MAX_VALUES));
  }
  if (about === 'person') {
    const found = await readSnapshot(db, (client) =>
      queries.personValues(
        client,
        { projectId: project.id, reading: rulesIn(project.settings), name, search: readable(search) },
        MAX_VALUES,
      ),
    );
    return asked('persons', found);
  }
  if (isGroupSubject(about)) {
    const ofGroups = { projectId: project.id, type: groupTypeOf(about), name: name === GROUP_KEY ? null : name };
    const found = await readSnapshot(db, (client) =>
      queries.groupValues(client, { ...ofGroups, search: readable(search) }, MAX_VALUES),
    );
    return asked('groups', found);
  }
  const { context } = await beginRange(columns, project, input.range, now);
  const { range } = resolveRange(input.range, context);
  const span = { from: range.from, until: countedUntil(range) };
  if (about === 'event') {
    const found = await columns.propertyValues(project.id, span, name);
    return chosen(
      'events',
      [...found].map(([value, count]) => ({ value, count })),
      search,
    );
  }
  const field = sessionFields.find((each) => each === name);
  if (field === undefined) throw invalid('name', `"${name}" is not a visit property.`);
  if (isNumber(field)) return { of: 'visits', rows: [], more: false };
  const [table] = await columns.tables(
    {
      projectId: project.id,
      views: viewNames,
      filters: null,
      visitsOnly: true,
      withLengths: false,
      spans: [{ ...span, starts: [] }],
    },
    [{ of: 'sessions', field }],
  );
  return chosen('visits', table?.[0] ?? [], search);
}

/** Patterns are PostgreSQL's business. @param field which holds them @throws AppError `invalid` for one that it does not understand */
export async function tryFilters(db: Knex, filters: Filters, field = 'filters'): Promise<void> {
  const leaves = filters.of.flatMap((item) => ('of' in item ? item.of : [item]));
  const patterns = leaves
    .filter(({ operator }) => takesOf(operator) === 'pattern')
    .flatMap(({ values }) => values.map(String));
  placeConditions(filters, anyLocale); // wherever they lie, they have to be dates
  if (patterns.length === 0) return;
  await tryPatterns(db, patterns).catch((error: unknown) => {
    if (!['2201B', '22021'].includes(sqlState(error) ?? '')) throw error;
    throw invalid(field, 'Invalid regular expression. Check the brackets and stars.');
  });
}

function isNumber(field: SessionField): field is 'seconds' | 'views' {
  return field === 'seconds' || field === 'views';
}

type Row = { value: string; count: number };

function chosen(of: FilterValues['of'], rows: readonly Row[], search: string): FilterValues {
  const part = searchable(readable(search));
  const found = rows.filter(({ value }) => value !== '' && searchable(value).includes(part));
  const byCount = found.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
  return asked(of, byCount);
}

function asked(of: FilterValues['of'], rows: readonly Row[]): FilterValues {
  return {
    of,
    rows: rows.slice(0, MAX_VALUES).map(({ value, count }) => [value, count]),
    more: rows.length > MAX_VALUES,
  };
}
