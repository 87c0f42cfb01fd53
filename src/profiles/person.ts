/** One person as their page shows them: who, since when, from where, by which ids, and what they did. */
import type { Knex } from 'knex';
import { namesSql } from '#src/columns/filters/filter-sql.ts';
import type { DroppedEvents } from '#src/events/dropped.ts';
import type { History, HistoryQuery } from '#src/events/history.ts';
import { notFound } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sql } from '#src/store/sql.ts';
import type {
  PersonDetail,
  PersonId,
  PersonProperty,
  PropertyChange,
  Source,
  Timeline,
  TimelineInput,
  TimelineKind,
} from './contract.ts';
import * as queries from './queries.ts';

/** A person is online within this time after an event, ms. */
const HERE_MS = 5 * 60_000;
const TIMELINE_PAGE = 50;
const MAX_CHANGES = 100;
const MAX_IDS = 200;

const kinds: Record<Exclude<TimelineKind, 'own'>, readonly string[]> = {
  views: ['$pageview', '$screen'],
  clicks: ['$autocapture', '$copy_autocapture', '$rageclick', '$dead_click'],
  identity: [...queries.mergeEvents, '$set', '$groupidentify'],
  problems: ['$exception'],
};

export interface PersonParts {
  db: Knex;
  people: Pick<People, 'get' | 'identityOf' | 'stamped' | 'ids'>;
  history: Pick<History, 'listed'>;
  dropped: Pick<DroppedEvents, 'countOf'>;
  /** How a project reads values. */
  readerOf(projectId: ProjectId): Promise<Reader>;
}

/** Null when there is no such person. */
export async function readPerson(
  { db, people, dropped, readerOf }: PersonParts,
  projectId: ProjectId,
  uuid: string,
  now: number,
): Promise<PersonDetail | null> {
  const person = await people.get(projectId, uuid);
  if (person === null) return null;
  const [{ persons }, reader] = await Promise.all([people.identityOf(projectId, [person.number]), readerOf(projectId)]);
  const [figures, first, last, stamped, ids, splits, groups] = await Promise.all([
    queries.figuresOf(db, projectId, persons, dropped),
    queries.endVisit(db, projectId, persons, { which: 'first', reader }),
    queries.endVisit(db, projectId, persons, { which: 'last', reader }),
    people.stamped(projectId, person.number),
    people.ids(projectId, person.number, MAX_IDS),
    queries.splitsOf(db, projectId, persons),
    queries.groupsOfPersons(db, projectId, persons),
  ]);
  const moments = [...new Set(ids.flatMap(({ joinedAt }) => joinedAt.slice(0, 1)))];
  const [sources, merges] = await Promise.all([
    queries.eventsAt(
      db,
      projectId,
      persons,
      stamped.map(({ by }) => by),
    ),
    queries.mergesAt(db, projectId, persons, moments),
  ]);
  const { events, views, visits, lastSeen } = figures;
  return {
    state: 'there',
    uuid: person.uuid,
    ...queries.labelOf(person.properties),
    identified: person.identified,
    identifiedAt: moments.length === 0 ? null : Math.min(...moments),
    isHere: lastSeen !== null && lastSeen > now - HERE_MS && lastSeen <= now + HERE_MS,
    firstSeen: person.createdAt,
    lastSeen,
    visits,
    views,
    events,
    country: last?.country ?? null,
    browser: last?.browser ?? null,
    os: last?.os ?? null,
    device: last?.device ?? null,
    language: last?.language ?? null,
    properties: stamped.map(({ name, value: sent, by }): PersonProperty => {
      const value = reader.value(
        name,
        sent,
        reader.besides(name).map((beside) => person.properties[beside]),
      );
      return { name, value, by: by.uuid === '' ? null : (sources.get(by.uuid) ?? { ...by, event: null }) };
    }),
    ids: ids.map(({ distinctId, joinedAt }): PersonId => {
      const [at] = joinedAt;
      if (at === undefined) return { distinctId, joined: null };
      const merge = merges.find((each) => each.at === at);
      return { distinctId, joined: { at, by: merge ? { ts: merge.ts, uuid: merge.uuid, event: merge.event } : null } };
    }),
    groups,
    moreIds: Math.max(0, person.distinctIdCount - ids.length),
    firstTouch: first && touchOf(first),
    lastTouch: last && touchOf(last),
    splits,
  };
}

function touchOf({ at, channel, referrer, source, medium, campaign, page, country }: queries.Visited) {
  return { at, channel, referrer, source, medium, campaign, page, country };
}

/** @throws AppError `not_found` */
export async function readTimeline(
  { db, people, history, readerOf }: PersonParts,
  projectId: ProjectId,
  { person: uuid, kind, after }: Omit<TimelineInput, 'project'>,
): Promise<Timeline> {
  const [persons, reader] = await Promise.all([numbersOf(people, projectId, uuid), readerOf(projectId)]);
  const asked = { persons, after, limit: TIMELINE_PAGE + 1, ...(kind && conditionOf(projectId, kind)) };
  const events = await history.listed(projectId, asked, { reader });
  const shown = events.slice(0, TIMELINE_PAGE);
  const last = shown.at(-1);
  const visits = [...new Set(shown.flatMap(({ session }) => session ?? []))];
  return {
    rows: shown.map(({ ts, uuid: id, event, detail, distinctId, session }) => ({
      ts,
      uuid: id,
      event,
      detail: detail.slice(0, 200),
      distinctId,
      visit: session,
    })),
    visits: await queries.visitsAt(db, projectId, visits, reader),
    next: events.length > TIMELINE_PAGE && last !== undefined ? { ts: last.ts, uuid: last.uuid } : null,
  };
}

function conditionOf(projectId: number, kind: TimelineKind): Pick<HistoryQuery, 'where' | 'chosen'> {
  if (kind !== 'own') {
    const names = kinds[kind];
    return { where: namesSql({ projectId }, names), chosen: { names } };
  }
  const where = sql`events.event in (
    select number from event_names where project_id = ${projectId} and left(name, 1) <> '$')`;
  return { where, chosen: { ofOwnNames: true } };
}

/**
 * History of a person's properties. Events store only effective changes; automatic properties
 * (`$browser` …) are not included. @throws AppError `not_found`
 */
export async function readChanges(
  { people, history }: PersonParts,
  projectId: ProjectId,
  uuid: string,
): Promise<PropertyChange[]> {
  const persons = await numbersOf(people, projectId, uuid);
  const events = await history.listed(projectId, {
    persons,
    limit: MAX_CHANGES,
    where: sql`jsonb_exists_any(events.properties, ${['$set', '$set_once', '$unset']}::text[])`,
  });
  return events.flatMap(({ ts, uuid: id, event, distinctId, properties }) => {
    const by: Source = { ts, uuid: id, event };
    const { $set, $set_once: once, $unset } = properties;
    const said = [...entriesOf($set), ...entriesOf(once), ...namesOf($unset).map((name) => [name, null] as const)];
    return said.map(([name, value]): PropertyChange => ({ name, value, by, distinctId }));
  });
}

function entriesOf(value: JsonValue | undefined): [name: string, value: JsonValue][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value as Record<string, JsonValue>);
}

function namesOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

async function numbersOf(
  people: Pick<People, 'get' | 'identityOf'>,
  projectId: ProjectId,
  uuid: string,
): Promise<number[]> {
  const person = await people.get(projectId, uuid);
  if (person === null) throw notFound('person');
  return (await people.identityOf(projectId, [person.number])).persons;
}
