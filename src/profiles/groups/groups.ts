/** Groups such as companies: found, listed with what they did, and looked at one by one. */
import type { Knex } from 'knex';
import type { Columns, GroupFigure } from '#src/columns/columns.ts';
import { groupSubject } from '#src/columns/values.ts';
import type { History } from '#src/events/history.ts';
import type { Clock } from '#src/kit/clock.ts';
import { notFound } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { byBytes } from '#src/kit/order.ts';
import { searchable } from '#src/kit/search/values.ts';
import type { TablePiece } from '#src/kit/table-file.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Queryable } from '#src/store/sql.ts';
import { shortened } from '../shortened.ts';
import { readGroupChanges } from './changes.ts';
import type {
  GroupChange,
  GroupDetail,
  GroupRef,
  GroupSort,
  GroupsPage,
  GroupsQuery,
  GroupTypeChange,
  GroupTypeInfo,
  ListedGroup,
} from './contract.ts';
import * as queries from './queries.ts';
import { GROUP_PAGE } from './values.ts';

export interface GroupsParts {
  db: Knex;
  clock: Pick<Clock, 'now'>;
  columns: Pick<Columns, 'groupFigures' | 'firstEvent'>;
  people: Pick<People, 'nameGroupType' | 'group' | 'eraseGroup'>;
  history: Pick<History, 'listed'>;
}

/** Groups of a project, of the types that its events name. */
export interface Groups {
  types(projectId: ProjectId): Promise<GroupTypeInfo[]>;
  /** @throws AppError `not_found` for a type that the project does not have */
  nameType(projectId: ProjectId, change: GroupTypeChange): Promise<GroupTypeInfo>;
  /** Described groups, and those with events. @throws AppError `not_found` for a type that the project does not have, `timeout` */
  list(projectId: ProjectId, asked: GroupsQuery): Promise<GroupsPage>;
  /** The same as a table, the head first. @throws AppError as `list` */
  file(
    projectId: ProjectId,
    asked: Omit<GroupsQuery, 'page'>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<TablePiece, void>>;
  /** @throws AppError `not_found`, `timeout` */
  get(projectId: ProjectId, asked: GroupRef): Promise<GroupDetail>;
  /** How its properties changed, newest first; of one that was never described nothing. @throws AppError `not_found` for an unknown type */
  changes(projectId: ProjectId, asked: GroupRef): Promise<GroupChange[]>;
  /** Deletes its name and properties; its events keep the key. @throws AppError `not_found` for one that was never described */
  erase(projectId: ProjectId, asked: GroupRef, noted: (on: Queryable, type: string) => Promise<void>): Promise<void>;
}

/** Groups of a file that are looked up at a time. */
const PIECE = 500;

type Sorted = Omit<ListedGroup, 'properties'>;

export function createGroups(parts: GroupsParts): Groups {
  const { db, people } = parts;

  async function types(projectId: ProjectId): Promise<GroupTypeInfo[]> {
    return (await queries.groupTypes(db, projectId)).map((row) => ({
      ...row,
      singular: row.singular ?? row.name,
      plural: row.plural ?? row.name,
    }));
  }

  async function typeOf(projectId: ProjectId, type: number): Promise<GroupTypeInfo> {
    const found = (await types(projectId)).find((each) => each.type === type);
    if (found === undefined) throw notFound('group type');
    return found;
  }

  return {
    types,
    async nameType(projectId, change) {
      await typeOf(projectId, change.type);
      await people.nameGroupType(projectId, change);
      return typeOf(projectId, change.type);
    },
    async list(projectId, { type, search, sort, columns, page }) {
      await typeOf(projectId, type);
      const all = await sortedGroups(parts, projectId, { type, search, sort });
      const shown = all.slice((page - 1) * GROUP_PAGE, page * GROUP_PAGE);
      const properties = await propertiesOf(db, projectId, type, shown);
      return {
        total: all.length,
        rows: shown.map((each) => ({ ...each, properties: picked(properties.get(each.key), columns) })),
      };
    },
    async file(projectId, { type, search, sort, columns }, signal) {
      await typeOf(projectId, type);
      const all = await sortedGroups(parts, projectId, { type, search, sort });
      return piecesOf(db, projectId, { type, columns }, all, signal);
    },
    async changes(projectId, { type, key }) {
      const { name } = await typeOf(projectId, type);
      const described = await people.group(projectId, type, key);
      if (described === null) return [];
      return readGroupChanges(parts.history, projectId, { type: name, key, describedAt: described.createdAt });
    },
    async erase(projectId, { type, key }, noted) {
      const { singular } = await typeOf(projectId, type);
      await db.transaction(async (trx) => {
        if (!(await people.eraseGroup(trx, projectId, type, key))) throw notFound('group');
        await noted(trx, singular);
      });
    },
    async get(projectId, { type, key }) {
      await typeOf(projectId, type);
      const [described, figures] = await Promise.all([
        people.group(projectId, type, key),
        figuresOf(parts, projectId, type, key),
      ]);
      const figure = figures.get(key);
      if (described === null && figure === undefined) throw notFound('group');
      return {
        ...listed({ key, label: nameIn(described?.properties) }, figure),
        type,
        describedAt: described?.createdAt ?? null,
        properties: Object.entries(described?.properties ?? {}).map(([name, value]) => ({
          name,
          value: value as JsonValue,
          changedAt: described?.changedAt.get(name) ?? null,
        })),
      };
    },
  };
}

/** What the groups of a type did, by key. @param only the one that is wanted; absent: all */
async function figuresOf(
  { columns, clock }: GroupsParts,
  projectId: ProjectId,
  type: number,
  only?: string,
): Promise<Map<string, GroupFigure>> {
  const of = groupSubject(type);
  const from = await columns.firstEvent(projectId);
  if (of === null || from === null) return new Map();
  const filters =
    only === undefined
      ? null
      : {
          match: 'all' as const,
          of: [{ about: of, name: '$group_key', operator: 'equals' as const, values: [only] }],
        };
  const found = await columns.groupFigures({ projectId, filters, of, span: { from, until: clock.now() } });
  return new Map(found.map((figure) => [figure.key, figure]));
}

async function sortedGroups(
  parts: GroupsParts,
  projectId: ProjectId,
  { type, search, sort }: Pick<GroupsQuery, 'type' | 'search' | 'sort'>,
): Promise<Sorted[]> {
  const [stored, figures] = await Promise.all([
    queries.storedGroups(parts.db, projectId, type, search ?? ''),
    figuresOf(parts, projectId, type),
  ]);
  const part = searchable(search ?? '');
  const known = new Set(stored.map(({ key }) => key));
  const others = [...figures.keys()].filter((key) => !known.has(key) && searchable(key).includes(part));
  return [...stored.filter(({ fits }) => fits), ...others.map((key) => ({ key, label: null }))]
    .map((group) => listed(group, figures.get(group.key)))
    .sort((one, other) => orders[sort](one, other) || byBytes(one.key, other.key));
}

const orders: Record<GroupSort, (one: Sorted, other: Sorted) => number> = {
  seen: (one, other) => (other.lastSeen ?? 0) - (one.lastSeen ?? 0),
  events: (one, other) => other.events - one.events,
  people: (one, other) => other.people - one.people,
  key: () => 0,
};

function listed({ key, label }: queries.StoredGroup, figure: GroupFigure | undefined): Sorted {
  return {
    key,
    label,
    events: figure?.events ?? 0,
    people: figure?.people ?? 0,
    firstSeen: figure?.firstSeen ?? null,
    lastSeen: figure?.lastSeen ?? null,
  };
}

/** The name among properties; null: none. */
export function nameIn(properties: JsonObject | undefined): string | null {
  const name = properties?.['name'];
  return typeof name === 'string' && name !== '' ? name : null;
}

function propertiesOf(db: Knex, projectId: ProjectId, type: number, groups: readonly Pick<Sorted, 'key'>[]) {
  return queries.groupsByKey(
    db,
    projectId,
    type,
    groups.map(({ key }) => key),
  );
}

function picked(properties: JsonObject | undefined, names: readonly string[]): Record<string, JsonValue> {
  const found = names.flatMap((name) => {
    const value = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return shortened(Object.fromEntries(found));
}

async function* piecesOf(
  db: Knex,
  projectId: ProjectId,
  { type, columns }: Pick<GroupsQuery, 'type' | 'columns'>,
  all: readonly Sorted[],
  signal: AbortSignal,
): AsyncGenerator<TablePiece, void> {
  const own = columns.map((name) => `property_${name}`);
  yield { cells: [['key', 'name', 'events', 'people', 'first_seen', 'last_seen', ...own, 'properties']], rows: 0 };
  for (let at = 0; at < all.length; at += PIECE) {
    signal.throwIfAborted();
    const some = all.slice(at, at + PIECE);
    const properties = await propertiesOf(db, projectId, type, some);
    yield {
      rows: some.length,
      cells: some.map(({ key, label, events, people, firstSeen, lastSeen }) => [
        key,
        label,
        events,
        people,
        timeText(firstSeen),
        timeText(lastSeen),
        ...columns.map((name) => cellOf(properties.get(key)?.[name])),
        JSON.stringify(properties.get(key) ?? {}),
      ]),
    };
  }
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function cellOf(value: JsonValue | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
