/** Single occurrences of an issue: the newest ones, one with its stack and what happened before, and the values they have in common. */
import { groupKinds } from '#src/events/contract.ts';
import type { History, ListedEvent } from '#src/events/history.ts';
import { notFound } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { Breadcrumb, Exception, IssueGroup, IssueOccurrence, IssueProperty, Occurrence } from './contract.ts';
import { culpritOf, readExceptions, readRelease } from './exception.ts';
import type { ResolveFrames } from './grouping.ts';
import { countFingerprints } from './moves-queries.ts';
import { isOccurrence, listOccurrences } from './queries.ts';
import { BREADCRUMBS_SHOWN, GROUPS_SHOWN, OCCURRENCES_SHOWN } from './values.ts';

/** Breadcrumbs go back so far. */
const BEFORE_MS = 30 * 60_000;
/** Newest occurrences whose properties are counted. */
const PROPERTIES_OF = 500;
const VALUES_SHOWN = 5;
/** Newest events of the project that they are compared with. */
const COMPARED_EVENTS = 2_000;
/** Fewest values on either side, and fewest of a value, to say how much more frequent it is. */
const MIN_COMPARED = 20;
const MIN_USUAL = 5;
const MAX_STEPS = 20;
const MAX_STEP = 300;

export interface OccurrenceParts {
  history: Pick<History, 'listed'>;
  people: Pick<People, 'get' | 'identityOf'>;
  resolve: ResolveFrames;
}

export function createOccurrences({ db }: Pick<Deps, 'db'>, { history, people, resolve }: OccurrenceParts) {
  async function eventsAt(
    projectId: ProjectId,
    places: readonly { ts: number; uuid: string }[],
  ): Promise<ListedEvent[]> {
    if (places.length === 0) return [];
    const times = places.map(({ ts }) => ts);
    const where = sql`
      ts = any(${times.map((ts) => new Date(ts).toISOString())}::timestamptz[]) and uuid = any(${places.map(({ uuid }) => uuid)}::uuid[])`;
    const span = { from: Math.min(...times), to: Math.max(...times) + 1 };
    return history.listed(projectId, { ...span, where, isPartial: true, limit: places.length });
  }

  async function newest(projectId: ProjectId, issue: number): Promise<Occurrence[]> {
    const rows = await listOccurrences(db, projectId, issue, OCCURRENCES_SHOWN);
    const events = new Map((await eventsAt(projectId, rows)).map((event) => [event.uuid, event]));
    return rows.flatMap(({ ts, uuid, events: count, release }) => {
      const event = events.get(uuid);
      if (event === undefined) return [];
      const { person, identified, label, distinctId, properties } = event;
      return [
        {
          ts,
          uuid,
          events: count,
          person: { uuid: person, identified, label, distinctId },
          browser: withVersion(properties['$browser'], properties['$browser_version']),
          os: textOf(properties['$os']),
          release: release === '' ? null : release,
        },
      ];
    });
  }

  /** @throws AppError `not_found` */
  async function one(
    projectId: ProjectId,
    issue: number,
    at: { ts: number; uuid: string } | undefined,
  ): Promise<IssueOccurrence> {
    if (at !== undefined && !(await isOccurrence(db, projectId, issue, at))) throw notFound('event');
    const place = at ?? (await listOccurrences(db, projectId, issue, 1))[0];
    const [event] = place === undefined ? [] : await eventsAt(projectId, [place]);
    if (event === undefined) throw notFound('event');
    const { ts, uuid, properties, person, session } = event;
    const release = readRelease(properties);
    return {
      ts,
      uuid,
      exceptions: await resolve(projectId, readExceptions(properties), release),
      breadcrumbs: await breadcrumbsOf(projectId, event),
      person,
      session,
      page: textOf(properties['$pathname']) ?? textOf(properties['$screen_name']),
      release,
    };
  }

  async function breadcrumbsOf(projectId: ProjectId, event: ListedEvent): Promise<Breadcrumb[]> {
    const steps = stepsOf(event.properties['$exception_steps']);
    const before = event.session === null ? [] : await sessionBefore(projectId, event, event.session);
    const events = before.map(({ ts, event: name, detail }) => ({ ts, event: name, detail }));
    return [...steps, ...events].sort((one, other) => one.ts - other.ts).slice(-BREADCRUMBS_SHOWN);
  }

  /** Events of the session, found by its person. */
  async function sessionBefore(
    projectId: ProjectId,
    { ts, uuid, person }: ListedEvent,
    session: string,
  ): Promise<ListedEvent[]> {
    const found = await people.get(projectId, person);
    if (found === null) return [];
    const { persons } = await people.identityOf(projectId, [found.number]);
    const where = sql`
      session_id = (select id from sessions where project_id = ${projectId} and uuid = ${session}::uuid) and uuid <> ${uuid}::uuid`;
    const span = { from: ts - BEFORE_MS, to: ts + 1, isPartial: true };
    return history.listed(projectId, { ...span, persons, where, limit: BREADCRUMBS_SHOWN }, { profiles: false });
  }

  /** Fingerprints of an issue with their newest occurrence. */
  async function groups(projectId: ProjectId, issue: number): Promise<IssueGroup[]> {
    const counts = await countFingerprints(db, projectId, issue, GROUPS_SHOWN);
    if (counts.length < 2) return [];
    const events = new Map((await eventsAt(projectId, counts)).map((event) => [event.uuid, event]));
    return Promise.all(
      counts.map(async ({ fingerprint, events: count, people: met, uuid }) => {
        const properties = events.get(uuid)?.properties ?? {};
        const release = readRelease(properties);
        const exceptions = await resolve(projectId, readExceptions(properties), release);
        const message = exceptions[0]?.value ?? '';
        return { fingerprint, events: count, people: met, culprit: culpritOf(exceptions), message, release };
      }),
    );
  }

  /** Exceptions of an event; null: it is gone. */
  async function read(
    projectId: number,
    place: { ts: number; uuid: string },
  ): Promise<{ exceptions: Exception[]; event: ListedEvent } | null> {
    const [event] = await eventsAt(projectId as ProjectId, [place]);
    if (event === undefined) return null;
    const { properties } = event;
    return { event, exceptions: await resolve(projectId, readExceptions(properties), readRelease(properties)) };
  }

  return {
    newest,
    one,
    groups,
    read,
    properties: (projectId: ProjectId, issue: number) => propertiesOf(db, projectId, issue),
  };
}

interface PropertyRow {
  events: number;
  release: string | null;
  browser: string | null;
  os: string | null;
  device: string | null;
  page: string | null;
  country: string | null;
}

/** The commonest values among the newest occurrences, and how much more frequent they are than in other events. */
async function propertiesOf(
  on: Queryable,
  projectId: number,
  issue: number,
): Promise<{ properties: IssueProperty[]; compared: { occurrences: number; events: number } }> {
  const hours = sql`
    select ts, uuid, hours.events, hours.release from (
      select last_ts as ts, last_uuid as uuid, events, release from issue_hours
       where project_id = ${projectId} and issue = ${issue} order by hour desc, last_ts desc limit ${PROPERTIES_OF}) as hours`;
  const others = sql`
    select ts, uuid, 1 as events, null as release from events
     where project_id = ${projectId} order by ts desc limit ${COMPARED_EVENTS}`;
  const [rows, usual] = [await valuesOf(on, projectId, hours), await valuesOf(on, projectId, others)];
  const names: IssueProperty['name'][] = ['page', 'browser', 'os', 'device', 'release', 'country'];
  const properties = names.flatMap((name) => {
    const own = countValues(rows, name);
    const base = countValues(usual, name);
    const values = [...own.counts].map(([value, events]) => ({ value, events, lift: liftOf(value, own, base) }));
    values.sort((one, other) => other.events - one.events || (one.value < other.value ? -1 : 1));
    return values.length === 0 ? [] : [{ name, values: values.slice(0, VALUES_SHOWN) }];
  });
  const occurrences = rows.reduce((sum, { events }) => sum + events, 0);
  return { properties, compared: { occurrences, events: usual.length } };
}

function valuesOf(on: Queryable, projectId: number, places: Sql): Promise<PropertyRow[]> {
  const group = (alias: 'device' | 'page' | 'geo') => sql`
    left join property_groups as ${sql.id(`${alias}`)}
      on ${sql.id(alias)}.project_id = event.project_id and ${sql.id(alias)}.kind = ${groupKinds[alias]}::smallint
     and ${sql.id(alias)}.number = event.${sql.id(alias)}`;
  return query(
    on,
    sql`select place.events, nullif(place.release, '') as release, device.properties ->> '$browser' as browser,
               device.properties ->> '$os' as os, device.properties ->> '$device_type' as device,
               page_spelling(page.properties ->> '$pathname') as page, geo.properties ->> '$geoip_country_code' as country
          from (${places}) as place
          join events as event on event.project_id = ${projectId} and event.ts = place.ts and event.uuid = place.uuid
          ${group('device')} ${group('page')} ${group('geo')}`,
  );
}

interface ValueCounts {
  counts: ReadonlyMap<string, number>;
  total: number;
}

function countValues(rows: readonly PropertyRow[], name: IssueProperty['name']): ValueCounts {
  const counts = new Map<string, number>();
  let total = 0;
  for (const row of rows) {
    const value = row[name];
    if (value === null) continue;
    counts.set(value, (counts.get(value) ?? 0) + row.events);
    total += row.events;
  }
  return { counts, total };
}

/** Null while there is too little to compare with. */
function liftOf(value: string, own: ValueCounts, base: ValueCounts): number | null {
  const usual = base.counts.get(value) ?? 0;
  if (own.total < MIN_COMPARED || base.total < MIN_COMPARED || usual < MIN_USUAL) return null;
  return (own.counts.get(value) ?? 0) / own.total / (usual / base.total);
}

/** Steps that the code noted with `addExceptionStep`. */
function stepsOf(value: JsonValue | undefined): Breadcrumb[] {
  if (!Array.isArray(value)) return [];
  return value.slice(-MAX_STEPS).flatMap((step) => {
    if (typeof step !== 'object' || step === null || Array.isArray(step)) return [];
    const { $message, $timestamp } = step as JsonObject;
    const ts = typeof $timestamp === 'number' ? $timestamp : Date.parse(String($timestamp));
    if (typeof $message !== 'string' || !Number.isFinite(ts)) return [];
    return [{ ts, event: null, detail: $message.slice(0, MAX_STEP) }];
  });
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function withVersion(name: JsonValue | undefined, version: JsonValue | undefined): string | null {
  const text = textOf(name);
  if (text === null) return null;
  return typeof version === 'number' || typeof version === 'string' ? `${text} ${version}` : text;
}
