/** Single occurrences of an issue: the newest ones, one with its stack and what happened before, and the values they have in common. */
import { groupKinds } from '#src/events/contract.ts';
import type { History, ListedEvent } from '#src/events/history.ts';
import { notFound } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { Breadcrumb, IssueOccurrence, IssueProperty, Occurrence } from './contract.ts';
import { readExceptions, readRelease } from './exception.ts';
import type { ResolveFrames } from './grouping.ts';
import { isOccurrence, listOccurrences } from './queries.ts';
import { BREADCRUMBS_SHOWN, OCCURRENCES_SHOWN } from './values.ts';

/** Breadcrumbs go back so far. */
const BEFORE_MS = 30 * 60_000;
/** Newest occurrences whose properties are counted. */
const PROPERTIES_OF = 500;
const VALUES_SHOWN = 5;
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
    return history.listed(projectId, { ...span, where, limit: places.length });
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
    const span = { from: ts - BEFORE_MS, to: ts + 1 };
    return history.listed(projectId, { ...span, persons, where, limit: BREADCRUMBS_SHOWN }, { profiles: false });
  }

  return { newest, one, properties: (projectId: ProjectId, issue: number) => propertiesOf(db, projectId, issue) };
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

/** The commonest values among the newest occurrences. */
async function propertiesOf(on: Queryable, projectId: number, issue: number): Promise<IssueProperty[]> {
  const group = (alias: 'device' | 'page' | 'geo') => sql`
    left join property_groups as ${sql.id(`${alias}`)}
      on ${sql.id(alias)}.project_id = event.project_id and ${sql.id(alias)}.kind = ${groupKinds[alias]}::smallint
     and ${sql.id(alias)}.number = event.${sql.id(alias)}`;
  const rows = await query<PropertyRow>(
    on,
    sql`select hours.events, nullif(hours.release, '') as release, device.properties ->> '$browser' as browser,
               device.properties ->> '$os' as os, device.properties ->> '$device_type' as device,
               page_spelling(page.properties ->> '$pathname') as page, geo.properties ->> '$geoip_country_code' as country
          from (select * from issue_hours where project_id = ${projectId} and issue = ${issue}
                 order by hour desc, last_ts desc limit ${PROPERTIES_OF}) as hours
          join events as event
            on event.project_id = hours.project_id and event.ts = hours.last_ts and event.uuid = hours.last_uuid
          ${group('device')} ${group('page')} ${group('geo')}`,
  );
  const names: IssueProperty['name'][] = ['page', 'browser', 'os', 'device', 'release', 'country'];
  return names.flatMap((name) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const value = row[name];
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + row.events);
    }
    const values = [...counts].map(([value, events]) => ({ value, events }));
    values.sort((one, other) => other.events - one.events || (one.value < other.value ? -1 : 1));
    return values.length === 0 ? [] : [{ name, values: values.slice(0, VALUES_SHOWN) }];
  });
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
