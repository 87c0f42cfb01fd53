/** Recordings as people look for them and watch them. Owner of `replay_views` and `replay_comments`. */

import { isAtLeast } from '#src/accounts/values.ts';
import type { Columns } from '#src/columns/columns.ts';
import { localeOf, placeConditions } from '#src/columns/filters/date-times.ts';
import { filterSql, namesSql } from '#src/columns/filters/filter-sql.ts';
import type { History } from '#src/events/history.ts';
import type { Insights } from '#src/insights/insights.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { pageOfProperties } from '#src/kit/reading/page.ts';
import { type Reader, readerOf, rulesIn } from '#src/kit/reading/reader.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId, Role } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { Reading } from '../reading.ts';
import type {
  ReplayComment,
  ReplayDetail,
  ReplayEvent,
  ReplayList,
  ReplayListQuery,
  ReplaySummary,
} from './contract.ts';
import * as queries from './queries.ts';
import { LIVE_MS, MAX_REPLAY_COMMENTS, MAX_REPLAY_EVENTS } from './values.ts';

/** A project as the reader reaches it: `seesPersons`, with access to persons. */
export interface WatchedProject extends Project {
  seesPersons: boolean;
}

export interface Watching {
  /** @throws AppError `invalid`, `timeout` */
  list(project: WatchedProject, asked: ReplayListQuery, reader: number): Promise<ReplayList>;
  /** @throws AppError `not_found` */
  get(project: WatchedProject, session: string, reader: number): Promise<ReplayDetail>;
  /** Events of the session, oldest first; none for those who don't see single events. */
  events(project: WatchedProject, session: string): Promise<ReplayEvent[]>;
  /** Those of the sessions that are recorded. */
  recorded: (projectId: ProjectId, sessions: readonly string[]) => ReturnType<typeof queries.recordedOf>;
  /** Those of the people, by uuid, who were recorded. */
  recordedPeople(projectId: ProjectId, persons: readonly string[]): Promise<string[]>;
  /** Notes that someone watches. @returns true once an hour */
  view(projectId: ProjectId, session: string, reader: number): Promise<boolean>;
  comments(projectId: ProjectId, session: string, reader: number): Promise<ReplayComment[]>;
  /** @throws AppError `not_found`, `conflict` when there are too many */
  comment(projectId: ProjectId, comment: { session: string; at: number; text: string }, reader: number): Promise<void>;
  /** Their own; of anybody for admins. @throws AppError `not_found` */
  removeComment(
    projectId: ProjectId,
    comment: { session: string; comment: number },
    by: { id: number; role: Role },
  ): Promise<void>;
}

export interface WatchingParts {
  reading: Pick<Reading, 'readSession'>;
  history: Pick<History, 'listed'>;
  insights: Pick<Insights, 'range' | 'people'>;
  columns: Pick<Columns, 'persons'>;
  people: Pick<People, 'get' | 'identityOf'>;
}

const VIEW_EVERY_MS = 3_600_000;
const MAX_DETAIL = 300;
/** Events beside a recording may begin a little before it. */
const AROUND_MS = 60_000;

export function createWatching({ db, clock }: Pick<Deps, 'db' | 'clock'>, parts: WatchingParts): Watching {
  const { reading, history, insights, columns, people } = parts;

  /** The condition on events of the sessions; null: none. */
  async function eventOf(
    project: WatchedProject,
    asked: ReplayListQuery,
    from: number,
    to: number,
  ): Promise<Sql | null> {
    const rows = { projectId: project.id, from, until: to, reading: rulesIn(project.settings) };
    const set = await insights.people(project, asked.people);
    const whose = set === null ? null : await columns.persons({ projectId: project.id, people: set });
    const placed = placeConditions(asked.filters ?? null, localeOf(project));
    const conditions = [
      asked.event !== undefined && namesSql(rows, [asked.event]),
      placed !== null && placed.of.length > 0 && filterSql(rows, placed),
      whose !== null &&
        (whose.isExcept
          ? sql`events.person <> all(${whose.numbers}::int[])`
          : sql`events.person = any(${whose.numbers}::int[])`),
    ].filter((condition) => condition !== false);
    return conditions.length === 0 ? null : sql.join(conditions, sql` and `);
  }

  async function numbersOf(projectId: ProjectId, person: string | undefined): Promise<readonly number[] | null> {
    if (person === undefined) return null;
    const found = await people.get(projectId, person);
    if (found === null) throw notFound('person');
    return (await people.identityOf(projectId, [found.number])).persons;
  }

  return {
    async list(project, asked, reader) {
      const { from, to } = await insights.range(project, asked.range);
      const { search, minSeconds, maxSeconds, show, sort, page } = asked;
      const wanted: queries.WantedReplays = {
        projectId: project.id,
        from,
        to,
        search,
        minSeconds,
        maxSeconds,
        show,
        sort,
        page,
        reader,
        seesPersons: project.seesPersons,
        event: await eventOf(project, asked, from, to),
        persons: await numbersOf(project.id, asked.person),
      };
      const [rows, counts] = await Promise.all([queries.listReplays(db, wanted), queries.countReplays(db, wanted)]);
      const { all, people: persons, median, ...rest } = counts;
      const read = readerOf(rulesIn(project.settings));
      return {
        replays: rows.map((row) => summaryOf(row, read, project.seesPersons)),
        total: show === 'all' ? all : rest[show],
        counts: rest,
        people: persons,
        medianSeconds: median,
        hasAny: all > 0 || (await queries.hasReplays(db, project.id)),
      };
    },
    async get(project, session, reader) {
      const [row, read] = await Promise.all([
        queries.findReplay(db, project.id, session, reader),
        reading.readSession(project.id, session),
      ]);
      if (row === null) throw notFound('recording');
      const rules = readerOf(rulesIn(project.settings));
      return {
        ...summaryOf(row, rules, project.seesPersons),
        channel: textOf(row.source, '$channel_type'),
        blocks: read.blocks.map(({ window, seq, fromAt, toAt, hasFull, bytes }) => ({
          window,
          seq,
          fromAt,
          toAt,
          hasFull,
          bytes,
        })),
        isLive: clock.now() - read.receivedAt < LIVE_MS,
      };
    },
    async events(project, session) {
      const visit = project.seesPersons ? await queries.visitOf(db, project.id, session) : null;
      if (visit === null) return [];
      const { persons } = await people.identityOf(project.id, [visit.person]);
      const span = { from: visit.firstTs - AROUND_MS, to: visit.lastTs + 1 };
      const where = sql`events.session_id = ${visit.id}`;
      const reader = readerOf(rulesIn(project.settings));
      const options = { profiles: false, reader };
      const rows = await history.listed(project.id, { ...span, persons, where, limit: MAX_REPLAY_EVENTS }, options);
      return rows.reverse().map(({ ts, uuid, event, detail, properties }) => ({
        ts,
        uuid,
        event,
        detail: detail.slice(0, MAX_DETAIL),
        window: textOf(properties, '$window_id'),
      }));
    },
    recorded: (projectId, sessions) => queries.recordedOf(db, projectId, sessions),
    recordedPeople: (projectId, persons) => queries.recordedPeople(db, projectId, persons),
    view: (projectId, session, user) =>
      queries.noteView(db, { projectId, session, user, now: clock.now(), everyMs: VIEW_EVERY_MS }),
    async comments(projectId, session, reader) {
      const rows = await queries.listComments(db, projectId, session, MAX_REPLAY_COMMENTS);
      return rows.map(({ id, at, text, createdAt, userId, userName }) => ({
        id,
        at,
        text,
        createdAt,
        by: userName === null ? null : { id: userId, name: userName },
        isOwn: userId === reader,
      }));
    },
    async comment(projectId, { session, at, text }, user) {
      const made = { projectId, session, at, text, user, now: clock.now(), max: MAX_REPLAY_COMMENTS };
      if (await queries.insertComment(db, made)) return;
      if ((await queries.recordedOf(db, projectId, [session])).length === 0) throw notFound('recording');
      throw new AppError('conflict', `A recording has at most ${MAX_REPLAY_COMMENTS} comments.`);
    },
    async removeComment(projectId, { session, comment }, { id, role }) {
      const user = isAtLeast(role, 'admin') ? null : id;
      if (!(await queries.deleteComment(db, { projectId, session, comment, user }))) throw notFound('comment');
    },
  };
}

function summaryOf(row: queries.ReplayRow, reader: Reader, seesPersons: boolean): ReplaySummary {
  const { personUuid, identified, personProperties, distinctId, urls } = row;
  const person =
    seesPersons && personUuid !== null
      ? { uuid: personUuid, identified: identified ?? false, label: labelOf(personProperties), distinctId }
      : null;
  return {
    session: row.session,
    person,
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    activeSeconds: Math.round(row.activeMs / 1000),
    clicks: row.clicks,
    keys: row.keys,
    errors: row.errors,
    rageClicks: row.rageClicks,
    pages: row.pages,
    entryPath: urls[0] ?? pageOfProperties(reader, row.page),
    exitPath: row.exit === null ? (urls.at(-1) ?? null) : pageOfProperties(reader, row.exit),
    country: textOf(row.geo, '$geoip_country_code'),
    city: textOf(row.geo, '$geoip_city_name'),
    device: textOf(row.device, '$device_type'),
    browser: textOf(row.device, '$browser'),
    os: textOf(row.device, '$os'),
    width: row.width,
    windows: row.windows,
    isWatched: row.isWatched,
  };
}

function labelOf(properties: JsonObject | null): string | null {
  return textOf(properties, 'name') ?? textOf(properties, 'email');
}

function textOf(properties: JsonObject | null, name: string): string | null {
  const value = properties?.[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null;
}
