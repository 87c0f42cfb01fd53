/**
 * Definitions of a project's events and properties: counts, first and last seen, type, description and owner. Events with
 * a property are counted by the engine, over the last thirty days (UTC). Owner of `definition_notes`.
 */
import type { Reader } from '#src/accounts/contract.ts';
import type { Columns } from '#src/columns/columns.ts';
import { unreadProperties } from '#src/columns/contract.ts';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import { invalid, notFound } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type {
  Definition,
  DefinitionKind,
  DefinitionSort,
  Definitions,
  DefinitionsInput,
  DescribeInput,
} from './contract.ts';
import { explainDefinitions } from './explain.ts';
import { DEFINITIONS_PER_PAGE, MAX_DEFINITIONS } from './values.ts';

export interface Catalogue {
  /** One page of them. */
  list(project: Project, asked: Omit<DefinitionsInput, 'project'>): Promise<Definitions>;
  /** How the numbers of the list are counted. */
  explain(project: Pick<Project, 'id'>, kind: DefinitionKind): ScreenExplanation<'definitions'>;
  /**
   * Edits a definition; absent fields are unchanged.
   * @param noted runs in the same transaction
   * @throws AppError `not_found` for a name that was never sent, `invalid` for an owner who is not in the team
   */
  describe(project: Project, change: DescribeInput, by: Reader, noted: (on: Queryable) => Promise<void>): Promise<void>;
}

const DAYS = 30;

/** First of the counted days, today included, as days since 1970 (UTC). */
function firstDayCounted(now: number): number {
  return Math.floor(now / dayMs) - DAYS + 1;
}

type Row = Omit<Definition, 'owner' | 'events'> & {
  events: number | null;
  owner: number | null;
  ownerName: string | null;
};

export function createCatalogue(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { columns }: { columns: Pick<Columns, 'propertyRows'> },
): Catalogue {
  return {
    async list(project, { kind, sort = 'events', search = '', page: wanted = 1 }) {
      const now = clock.now();
      const days = { first: firstDayCounted(now), last: Math.floor(now / dayMs) };
      const found = await query<Row>(
        db,
        kind === 'event' ? eventRows(project.id, days.first, search) : propertyRows(project.id, search),
      );
      const hasMore = found.length > MAX_DEFINITIONS;
      if (hasMore) found.pop();
      const names = found.map(({ name }) => name);
      const volumes = kind === 'property' ? await columns.propertyRows(project.id, days, names) : null;
      const all = found.map(({ owner, ownerName, events, ...row }) => ({
        ...row,
        owner: owner === null || ownerName === null ? null : { id: owner, name: ownerName },
        events: kind === 'event' ? (events ?? 0) : volumeOf(row.name, volumes),
      }));
      const pages = Math.max(1, Math.ceil(all.length / DEFINITIONS_PER_PAGE));
      const page = Math.min(wanted, pages);
      return {
        days: DAYS,
        isCounted: kind === 'event' || volumes !== null,
        definitions: sorted(all, sort).slice((page - 1) * DEFINITIONS_PER_PAGE, page * DEFINITIONS_PER_PAGE),
        page,
        pages,
        total: all.length,
        hasMore,
        maxEvents: all.reduce((most, { events }) => Math.max(most, events ?? 0), 0),
        people: await peopleOf(db, project),
      };
    },
    explain: ({ id }, kind) => explainDefinitions(id, kind, firstDayCounted(clock.now()), clock.now()),
    async describe(project, { kind, name, description, verified, hidden, owner }, by, noted) {
      if (owner != null && !(await peopleOf(db, project)).some(({ id }) => id === owner)) {
        throw invalid('owner', 'The owner must be a member of the team.');
      }
      const table = sql.id(kind === 'event' ? 'event_names' : 'property_names');
      await db.transaction(async (trx) => {
        const rows = await query(
          trx,
          sql`insert into definition_notes as known (
                project_id, kind, name, description, verified, hidden, owner, changed_by, changed_at)
              select project_id, ${kind}::text, name, ${description ?? ''}::text, ${verified ?? false}::boolean,
                     ${hidden ?? false}::boolean, ${owner ?? null}::int, ${by.name}::text, ${sql.time(clock.now())}
                from ${table}
               where project_id = ${project.id} and name = ${name}
              on conflict (project_id, kind, name) do update set
                description = coalesce(${description ?? null}::text, known.description),
                verified = coalesce(${verified ?? null}::boolean, known.verified),
                hidden = coalesce(${hidden ?? null}::boolean, known.hidden),
                owner = ${owner === undefined ? sql`known.owner` : sql`${owner}::int`},
                changed_by = excluded.changed_by,
                changed_at = excluded.changed_at
              returning name`,
        );
        if (rows.length === 0) throw notFound(kind);
        await noted(trx);
      });
    },
  };
}

const notes = sql`
  coalesce(n.description, '') as description, coalesce(n.verified, false) as verified, coalesce(n.hidden, false) as hidden,
  n.owner, u.name as "ownerName", n.changed_by as "changedBy", n.changed_at as "changedAt"`;

function notesOf(kind: DefinitionKind): Sql {
  return sql`
    left join definition_notes as n on n.project_id = d.project_id and n.kind = ${kind} and n.name = d.name
    left join users as u on u.id = n.owner`;
}

function sorted(definitions: readonly Definition[], by: DefinitionSort): Definition[] {
  const byName = (one: Definition, other: Definition) => (one.name < other.name ? -1 : 1);
  if (by === 'name') return [...definitions].sort(byName);
  const amount = (each: Definition) => (by === 'lastSeen' ? each.lastSeen : (each.events ?? -1));
  return [...definitions].sort((one, other) => amount(other) - amount(one) || byName(one, other));
}

/** Every word is in the name or in the description, without regard to case and accents. */
function contains(search: string): Sql {
  const words = search.split(/\s+/).filter(Boolean);
  const conditions = words.map(
    (word) => sql`and strpos(search_key(d.name || ' ' || coalesce(n.description, '')), search_key(${word})) > 0`,
  );
  return conditions.length === 0 ? sql.empty : sql.join(conditions, sql` `);
}

/** Counts are of quarter hours: whole days are exact. */
function eventRows(projectId: ProjectId, firstDay: number, search: string): Sql {
  return sql`
    select d.name, null as type, d.first_seen as "firstSeen", d.last_seen as "lastSeen", ${notes},
           (select sum(c.events + c.bots)::float8 from event_counts c
             where c.project_id = d.project_id and c.event = d.number and c.quarter >= ${sql.time(firstDay * dayMs)}
           ) as events
      from event_names as d ${notesOf('event')}
     where d.project_id = ${projectId} ${contains(search)}
     order by events desc nulls last, d.name collate "C"
     limit ${MAX_DEFINITIONS + 1}`;
}

/** When there are too many: what people described, then what was there first, so that a flood of new names hides none that is in use. */
function propertyRows(projectId: ProjectId, search: string): Sql {
  return sql`
    select d.name, d.value_type as type, d.first_seen as "firstSeen", d.last_seen as "lastSeen", ${notes}, null as events
      from property_names as d ${notesOf('property')}
     where d.project_id = ${projectId} ${contains(search)}
     order by (n.name is null), d.first_seen, d.name collate "C"
     limit ${MAX_DEFINITIONS + 1}`;
}

function volumeOf(name: string, volumes: ReadonlyMap<string, number> | null): number | null {
  return volumes === null || unreadProperties.has(name) ? null : (volumes.get(name) ?? 0);
}

function peopleOf(db: Queryable, { teamId }: Pick<Project, 'teamId'>): Promise<{ id: number; name: string }[]> {
  return query(
    db,
    sql`select u.id, u.name from members as m join users as u on u.id = m.user_id
         where m.team_id = ${teamId}
         order by u.name, u.id
         limit 200`,
  );
}
