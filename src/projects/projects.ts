/**
 * Projects and the public tokens that events arrive under. Owner of `projects` and `project_tokens`. Look-ups by token are
 * on the path of every event, so they are remembered for half a minute, and for as long as the database is away.
 */
import { type Config, ingestMode } from '#src/config.ts';
import { invalid } from '#src/kit/errors.ts';
import { isLate } from '#src/kit/late.ts';
import { plainReader, type Reader, readerOf, rulesIn } from '#src/kit/reading/reader.ts';
import { asAppError, isOutage } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import { changeProject, readingWith } from './change.ts';
import { type ProjectChange, type ProjectId, type ProjectSettings, projectSettings } from './contract.ts';
import * as queries from './queries.ts';
import { createProjectSecrets, type ProjectSecrets } from './secrets/secrets.ts';
import { createTokens, newToken, type Tokens } from './tokens.ts';
import { isTimeZone } from './values.ts';

export { readingWith };

export interface Project {
  id: ProjectId;
  /** The team it belongs to; null before set-up. */
  teamId: number | null;
  /** Set: it waits to be deleted at this time, ms. */
  deletesAt: number | null;
  name: string;
  /** IANA name: decides where days begin. */
  timeZone: string;
  /** 0 Sunday, 1 Monday. */
  weekStart: 0 | 1;
  /** The project of Luneta's own screens. */
  builtIn: boolean;
  settings: ProjectSettings;
  /** The token we made for it. */
  token: string;
  /** All tokens accepted now, `token` first. */
  tokens: string[];
  /** Receipt time of the first event from outside Luneta's own screens, ms; null before it. */
  outsideEventAt: number | null;
  /** End of the newest month that PostgreSQL has dropped, of all projects, ms: earlier events are refused. Null: there is none. */
  closedUntil: number | null;
}

export interface NewProject {
  name: string;
  timeZone: string;
  weekStart?: 0 | 1;
  settings?: Partial<ProjectSettings>;
  teamId?: number | null;
  /** A token that exists already, such as one of another installation, accepted besides our own. */
  extraToken?: string;
}

export interface Projects extends Tokens {
  secrets: ProjectSecrets;
  /**
   * The project that accepts this token, null when no project does.
   * @throws AppError `unavailable` when the database is away and the token is not remembered
   */
  byToken(token: string): Promise<Project | null>;
  /** The same from the cache, synchronously; undefined: not cached. */
  known(token: string): Project | null | undefined;
  /** The project of a reference in an address: its number or an accepted token. */
  byRef(ref: string): Promise<Project | null>;
  /** All projects, the built-in one first, then by name. */
  list(): Promise<Project[]>;
  get(id: number, on?: Queryable): Promise<Project | null>;
  /** How the project reads values. Up to `REMEMBER_READER_MS` old where another process changed its settings. */
  readerOf(id: number): Promise<Reader>;
  /** Projects of these teams, as `list`. */
  ofTeams(teams: readonly number[], on?: Queryable): Promise<Project[]>;
  /** Assigns projects without a team to a team. */
  adopt(on: Queryable, teamId: number): Promise<void>;
  /**
   * Makes the built-in project once; any number of processes may ask at the same time. While events are stored here,
   * PUBLIC_POSTHOG_KEY becomes one of its tokens.
   */
  ensureBuiltIn(config: Pick<Config, 'PUBLIC_POSTHOG_KEY' | 'PUBLIC_POSTHOG_HOST' | 'INGEST_MODE'>): Promise<Project>;
  /** @throws AppError `invalid` for a time zone that does not exist */
  checkTimeZone(timeZone: string): void;
  /** @throws AppError `invalid` for a time zone that does not exist, `conflict` for a token that another project has */
  create(project: NewProject): Promise<Project>;
  /** Changes name, time zone, week and settings. @returns names of what is different now @throws AppError `invalid` */
  update(id: ProjectId, change: ProjectChange): Promise<string[]>;
  /** Clears the cache, after another process changed projects or tokens. */
  forget(): void;
  /** Remembers that events arrive from outside; later calls for the same project do nothing. */
  noteOutsideEvent(id: number, at: number): Promise<void>;
}

/** A token's answer holds this long; a change of tokens or settings is seen by every process after it. */
const REMEMBER_MS = 30_000;
/** Rules for reading hold so long: *Live* needs them with every read. */
const REMEMBER_READER_MS = 2_000;
/** While the database is away, how long until the next look-up is tried. */
const RETRY_MS = 1_000;
/** How long a look-up is waited for when there is an old answer: a database that hangs must not hold up every request. */
const OLD_ANSWER_MS = 100;
/** Tokens remembered; strangers may try any number of them. */
const MAX_REMEMBERED = 10_000;

interface Remembered {
  project: Project | null;
  until: number;
}

/** @param tell waited for after each change, so that who has changed something finds it changed everywhere in this process */
export function createProjects(
  deps: Pick<Deps, 'db' | 'write' | 'clock' | 'log'>,
  tell: () => Promise<unknown> = async () => undefined,
): Projects {
  const { db, write, clock } = deps;
  const remembered = new Map<string, Remembered>();
  const running = new Map<string, Promise<Project | null>>();
  const outside = new Set<number>();
  const readers = new Map<number, { reader: Promise<Reader>; until: number }>();
  let awayUntil = 0;
  let awayBecause: unknown;

  function forget(): void {
    remembered.clear();
    readers.clear();
  }

  async function changed(): Promise<void> {
    forget();
    await tell();
  }

  async function lookUp(token: string): Promise<Project | null> {
    const [row] = await queries.byToken(write, token, clock.now());
    const project = row ? asProject(row) : null;
    remember(token, project);
    return project;
  }

  function remember(token: string, project: Project | null): void {
    remembered.delete(token);
    remembered.set(token, { project, until: clock.elapsed() + REMEMBER_MS });
    if (remembered.size <= MAX_REMEMBERED) return;
    const oldest = remembered.keys().next();
    if (!oldest.done) remembered.delete(oldest.value);
  }

  /** One look-up per token at a time; when the database is away or hangs, an old answer is better than none. */
  async function refresh(token: string, old: Remembered | undefined): Promise<Project | null> {
    if (clock.elapsed() < awayUntil) return oldAnswer(old, awayBecause);
    const look = running.get(token) ?? lookUp(token).finally(() => running.delete(token));
    running.set(token, look);
    if (old?.project) {
      if (await isLate(look, OLD_ANSWER_MS)) {
        old.until = clock.elapsed() + RETRY_MS;
        return old.project;
      }
    }
    try {
      return await look;
    } catch (error) {
      if (!isOutage(error)) throw error;
      awayUntil = clock.elapsed() + RETRY_MS;
      awayBecause = error;
      return oldAnswer(old, error);
    }
  }

  function known(token: string): Project | null | undefined {
    const held = remembered.get(token);
    return held && clock.elapsed() < held.until ? held.project : undefined;
  }

  async function byToken(token: string): Promise<Project | null> {
    const held = known(token);
    return held === undefined ? refresh(token, remembered.get(token)) : held;
  }

  async function get(id: number, on: Queryable = db): Promise<Project | null> {
    const [row] = await queries.byId(on, id, clock.now());
    return row ? asProject(row) : null;
  }

  async function lookUpReader(id: number): Promise<Reader> {
    const project = await get(id);
    return project === null ? plainReader : readerOf(rulesIn(project.settings));
  }

  function rememberedReader(id: number): Promise<Reader> {
    const now = clock.elapsed();
    for (const [each, { until }] of readers) if (until <= now) readers.delete(each);
    const held = readers.get(id);
    if (held !== undefined) return held.reader;
    const reader = lookUpReader(id);
    readers.set(id, { reader, until: now + REMEMBER_READER_MS });
    reader.catch(() => readers.delete(id));
    return reader;
  }

  async function existing(id: number): Promise<Project> {
    const project = await get(id);
    if (project === null) throw new Error(`project ${id} not found right after its creation`);
    return project;
  }

  return {
    byToken,
    known,
    get,
    readerOf: rememberedReader,
    async byRef(ref) {
      const id = /^[1-9]\d{0,8}$/.test(ref) ? Number(ref) : null;
      return (id === null ? null : await get(id)) ?? byToken(ref);
    },
    async ofTeams(teams, on = db) {
      return teams.length === 0 ? [] : (await queries.ofTeams(on, teams, clock.now())).map(asProject);
    },
    async adopt(on, teamId) {
      await queries.adopt(on, teamId);
    },
    async list() {
      return (await queries.all(db, clock.now())).map(asProject);
    },
    async ensureBuiltIn(config) {
      const extra = ingestMode(config) === 'relay' ? undefined : config.PUBLIC_POSTHOG_KEY;
      const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
      const id = await queries.ensureBuiltIn(db, { timeZone, token: newToken(), extra: extra ?? null }, clock.now());
      await changed();
      return existing(id);
    },
    checkTimeZone,
    async create(project) {
      checkTimeZone(project.timeZone);
      const id = await queries.insertProject(
        db,
        { weekStart: 1, settings: {}, extraToken: null, teamId: null, ...project, token: newToken() },
        clock.now(),
      );
      await changed();
      return existing(id);
    },
    async update(id, change) {
      const names = await changeProject(db, id, change);
      await changed();
      return names;
    },
    ...createTokens(deps, changed),
    secrets: createProjectSecrets(deps),
    forget,
    async noteOutsideEvent(id, at) {
      if (outside.has(id)) return;
      await queries.noteOutsideEvent(write, id, at);
      outside.add(id);
    },
  };
}

/** The project's summary for screens, without its team and the reader's role. */
export function summaryOf(project: Project) {
  const { id, name, timeZone, weekStart, builtIn, token, outsideEventAt, deletesAt, settings } = project;
  return {
    id,
    name,
    timeZone,
    weekStart,
    builtIn,
    token,
    deletesAt,
    hasOutsideEvents: outsideEventAt !== null,
    demo: settings.demo,
    replay: { isOn: settings.replay.mode !== 'off', viewersWatch: settings.replay.viewersWatch },
  };
}

function oldAnswer(old: Remembered | undefined, cause: unknown): Project | null {
  // Only a project is worth keeping: "no such token" must not outlive its half minute.
  if (old?.project) return old.project;
  throw asAppError(cause);
}

function asProject(row: queries.ProjectRow): Project {
  return {
    id: row.id as ProjectId,
    teamId: row.team_id,
    deletesAt: row.deletes_at,
    name: row.name,
    timeZone: row.time_zone,
    weekStart: row.week_start === 0 ? 0 : 1,
    builtIn: row.built_in,
    settings: projectSettings.parse(row.settings),
    token: row.tokens[0] ?? '',
    tokens: row.tokens,
    outsideEventAt: row.outside_event_at,
    closedUntil: row.closed_until,
  };
}

function checkTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw invalid('timeZone', 'Unknown time zone. Use an IANA name, e.g. America/Sao_Paulo.');
}
