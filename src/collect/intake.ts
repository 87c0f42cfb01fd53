/**
 * One request's events from raw to answered: the project, the steps, the visits of cookieless visitors, the writer. Also what
 * happens when the database is away before the project is known: the events are finished as the strictest project would have it,
 * kept with their token, and given to their project when they are replayed.
 */
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { unavailable } from '#src/kit/errors.ts';
import { uuidV5, uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { Log } from '#src/kit/log.ts';
import { createRecent } from '#src/kit/recent.ts';
import { dayMs } from '#src/kit/zone.ts';
import { projectSettings } from '#src/projects/contract.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import { takeBreath } from './breath.ts';
import type { DropReason } from './contract.ts';
import type { Cookieless } from './cookieless.ts';
import { isAbsence, withDeadline } from './deadline.ts';
import { type RawBatch, unknownToken } from './envelope.ts';
import { createNotes, type Note, type NoteSet, type Notes } from './notes.ts';
import type { Spool, UnroutedRecord } from './spool.ts';
import { isCookieless } from './steps/cookieless.ts';
import type { Lookups, RequestFacts, StepContext, StepProject } from './steps/draft.ts';
import { createGroupCache, type GroupCache } from './steps/group-cache.ts';
import { withInternalMark } from './steps/internal.ts';
import { COOKIELESS_ID, isOriginAllowed } from './steps/names.ts';
import { withoutIgnoredReferrer } from './steps/source.ts';
import { type Dropped, runSteps } from './steps.ts';
import type { WriteOutcome, Writer } from './writer.ts';

/** What is known of the request besides its events. */
export type Sender = Pick<
  RequestFacts,
  'receivedAt' | 'address' | 'userAgent' | 'origin' | 'unclean' | 'asksNotToTrack'
> & {
  /** Length of the whole request's JSON. */
  length: number;
  maxEventLength: number;
};

/** What became of one raw event, in the order they were sent. */
export interface EventResult {
  uuid: string;
  outcome: WriteOutcome | DropReason;
}

/** One whose project is known otherwise may have no token. */
type UnnamedBatch = Omit<RawBatch, 'token'> & Partial<Pick<RawBatch, 'token'>>;

export interface Intake {
  /**
   * Resolves when every event is stored, spooled on a durable disk, or dropped with a reason that is counted. Empties the
   * batch as it goes.
   * @throws unauthenticated for a token of no project, unavailable when nothing can be promised
   */
  take(batch: RawBatch, sender: Sender): Promise<EventResult[]>;
  takeFor(project: Project, batch: UnnamedBatch, sender: Sender): Promise<EventResult[]>;
  /** Finishes events that were kept without a project: none when there is none after all. @throws unavailable */
  finishKept(record: UnroutedRecord): Promise<FinishedEvent[]>;
  /** Events received since the start, and those dropped by reason. */
  counts(): { received: number; dropped: Record<string, number> };
}

export interface IntakeParts {
  projects: Pick<Projects, 'byToken' | 'known'>;
  writer: Writer;
  cookieless: Cookieless;
  lookups: Lookups;
  spool: Spool | null;
  /** Counts notes, each set once. @throws while the database is away */
  countOnce(sets: readonly NoteSet[]): Promise<void>;
  log: Log;
}

/** More events of one request are finished in pieces, ... */
const EVENTS_AT_ONCE = 250;
/** ... of about a millisecond. */
const EVENTS_PER_PIECE = 20;
/** Projects whose groups are remembered. */
const MAX_CACHES = 50;
/** Of all projects together. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** What came of the events of a request. */
interface Ran {
  /** Of those that were dropped, in the order sent; null for the others, ... */
  results: (EventResult | null)[];
  /** ... which are these. */
  finished: FinishedEvent[];
}

export function createIntake(parts: IntakeParts): Intake {
  const { projects, writer, cookieless, lookups, spool, countOnce, log } = parts;
  const caches = createRecent<string, GroupCache>(MAX_CACHES);
  let usage = { bytes: 0 };
  const dropped: Record<string, number> = {};
  let received = 0;

  function take(batch: RawBatch, sender: Sender): Promise<EventResult[]> {
    const project = projects.known(batch.token);
    return project ? takeFor(project, batch, sender) : takeUnknown(project, batch, sender);
  }

  async function takeUnknown(known: null | undefined, batch: RawBatch, sender: Sender): Promise<EventResult[]> {
    let project: Project | null | undefined = known;
    if (project === undefined) {
      try {
        project = await withDeadline(projects.byToken(batch.token));
      } catch (error) {
        if (!isAbsence(error)) throw error;
        return keepUnrouted(batch, sender, error);
      }
    }
    if (project === null) throw unknownToken();
    return takeFor(project, batch, sender);
  }

  async function takeFor(project: Project, batch: UnnamedBatch, sender: Sender): Promise<EventResult[]> {
    received += batch.events.length;
    const notes = createNotes();
    const salts =
      project.settings.cookieless && batch.events.some(isCookieless)
        ? await cookieless.salts(project, sender.receivedAt)
        : NO_SALTS;
    const context = contextOf(project, batch, sender, salts, notes);
    const running = runAll(batch.events, context, notes);
    const { results, finished } = running instanceof Promise ? await running : running;
    if (salts !== NO_SALTS) await cookieless.assignVisits(finished);
    if (finished.length === 0 && notes.list.length === 0) return answered(results, finished, []);
    return answered(results, finished, await writer.write(finished, notes.list));
  }

  /**
   * Runs the steps over all events, and lets go of each raw one when it is done: requests wait for the database with what is stored of
   * their events, not with five times as much. Large requests are taken in turns with others.
   */
  function runAll(events: JsonValue[], context: StepContext, notes: Notes): Ran | Promise<Ran> {
    const ran: Ran = { results: [], finished: [] };
    if (events.length > EVENTS_AT_ONCE) return runInTurns(events, context, notes, ran);
    for (let at = 0; at < events.length; at++) runOne(events, at, context, notes, ran);
    return ran;
  }

  async function runInTurns(events: JsonValue[], context: StepContext, notes: Notes, ran: Ran): Promise<Ran> {
    for (let at = 0; at < events.length; at++) {
      if (at % EVENTS_PER_PIECE === 0) await takeBreath();
      runOne(events, at, context, notes, ran);
    }
    return ran;
  }

  function runOne(events: JsonValue[], at: number, context: StepContext, notes: Notes, ran: Ran): void {
    const result = runSteps(events[at] as JsonValue, context);
    if ('drop' in result) {
      ran.results.push(noteDrop(result, events[at] as JsonValue, context, notes));
    } else {
      ran.results.push(null);
      ran.finished.push(result);
    }
    events[at] = null;
  }

  function noteDrop(
    { drop, draft }: Dropped,
    raw: JsonValue,
    { project, facts }: StepContext,
    notes: Notes,
  ): EventResult {
    dropped[drop] = (dropped[drop] ?? 0) + 1;
    const sent = draft?.raw ?? {};
    const uuid = typeof sent['uuid'] === 'string' ? sent['uuid'] : '';
    notes.drop(project.id, drop, facts.receivedAt, {
      event: draft?.event || sent['event'],
      distinctId: draft?.distinctId || idIn(sent),
      uuid,
      detail: draft === null ? `(${Array.isArray(raw) ? 'list' : typeof raw})` : noticeOf(drop, draft.sent),
    });
    return { uuid, outcome: drop };
  }

  function contextOf(
    project: StepProject,
    { token, events, sentAt, historical }: UnnamedBatch,
    { length, ...sender }: Sender,
    salts: ReadonlyMap<string, Buffer>,
    notes: Notes,
  ): StepContext {
    const facts: RequestFacts = {
      ...sender,
      token: token ?? null,
      sentAt,
      historical,
      small: length <= sender.maxEventLength,
    };
    return {
      project,
      facts,
      lookups,
      cache: cacheOf(project.id),
      salts,
      earlier: events.length > 1 ? { told: new Map(), derived: new Map() } : null,
      warn: (reason, { event, distinctId, uuid, raw }, detail) =>
        notes.warn(project.id, reason, facts.receivedAt, {
          event: event || raw['event'],
          distinctId: distinctId || idIn(raw),
          uuid: uuid || raw['uuid'],
          detail,
        }),
    };
  }

  function cacheOf(projectId: number): GroupCache {
    const key = String(projectId);
    if (usage.bytes > MAX_CACHE_BYTES) {
      // Also what caches took that are forgotten already.
      caches.clear();
      usage = { bytes: 0 };
    }
    let cache = caches.get(key);
    if (cache === undefined) {
      cache = createGroupCache(usage);
      caches.set(key, cache);
    }
    return cache;
  }

  /** Without the project's settings nothing may be kept that the strictest of them forbids: no address, no visitor's hash. */
  async function keepUnrouted(batch: RawBatch, sender: Sender, cause: unknown): Promise<EventResult[]> {
    if (spool === null || batch.events.some(isCookieless))
      throw unavailable('Database unavailable. Retry in a moment.', 5, cause);
    received += batch.events.length;
    const notes = createNotes();
    const context = contextOf(STRICTEST, batch, { ...sender, origin: null }, NO_SALTS, notes);
    const { results, finished } = await runAll(batch.events, context, notes);
    const record = {
      token: batch.token,
      receivedAt: sender.receivedAt,
      uuids: finished.map(({ uuid }) => uuid),
      raw: {
        id: uuidV7(sender.receivedAt),
        origin: sender.origin,
        asksNotToTrack: sender.asksNotToTrack === true,
        events: finished,
        notes: notes.list,
      } satisfies KeptRaw as unknown as JsonObject,
    };
    if (finished.length > 0) {
      await spool.append(record);
      if (!spool.durable) throw unavailable('Database unavailable. Retry in a moment.', 5, cause);
    } else if (notes.list.length > 0) {
      await spool.append(record).catch((error: unknown) => {
        log.warn({ err: error }, 'failed to spool ingestion warnings');
      });
    }
    return answered(results, finished, []);
  }

  async function finishKept(record: UnroutedRecord): Promise<FinishedEvent[]> {
    const { id, origin, asksNotToTrack, events, notes: noted = [] } = record.raw as unknown as KeptRaw;
    const project = await projects.byToken(record.token);
    if (project === null) {
      dropped['unknown_token'] = (dropped['unknown_token'] ?? 0) + events.length;
      log.warn({ events: events.length }, 'spooled events dropped: unknown project token');
      return [];
    }
    const { allowedOrigins, retentionDays, respectDnt, bots } = project.settings;
    const oldest = retentionDays === null ? Number.NEGATIVE_INFINITY : record.receivedAt - retentionDays * dayMs;
    const notes = createNotes();
    notes.add(noted.map((note) => ({ ...note, projectId: project.id })));
    const dropOf = ({ ts, marks }: FinishedEvent): DropReason | null => {
      if (!isOriginAllowed(origin, allowedOrigins)) return 'origin';
      if (respectDnt && asksNotToTrack === true) return 'do_not_track';
      if (ts < oldest) return 'expired';
      return bots === 'dropped' && (marks & eventMarks.bot) !== 0 ? 'bot' : null;
    };
    const kept = events.filter((finished) => {
      const { event, distinctId, uuid, receivedAt } = finished;
      const drop = dropOf(finished);
      if (drop !== null) notes.drop(project.id, drop, receivedAt, { event, distinctId, uuid });
      return drop === null;
    });
    // The record may be read again: what is dropped of it counts once.
    const once = id ?? uuidV5(`dropped of ${record.uuids.join()}`);
    if (notes.list.length > 0) await countOnce([{ id: once, notes: notes.list }]);
    const { id: projectId, settings } = project;
    return kept.map((event) => withoutIgnoredReferrer(withInternalMark({ ...event, projectId }, settings), settings));
  }

  return { take, takeFor, finishKept, counts: () => ({ received, dropped: { ...dropped } }) };
}

/** Each event's result: what dropped it, or else what became of it, 'stored' unless the writer says more. */
function answered(
  drops: readonly (EventResult | null)[],
  finished: readonly FinishedEvent[],
  outcomes: readonly WriteOutcome[],
): EventResult[] {
  let next = 0;
  return drops.map((drop) => {
    if (drop !== null) return drop;
    const outcome = outcomes[next] ?? 'stored';
    return { uuid: (finished[next++] as FinishedEvent).uuid, outcome };
  });
}

/** What is kept of events whose project is not known yet. */
interface KeptRaw {
  /** Under which its notes count once. This and the notes are absent in what an earlier version kept. */
  id?: string;
  /** Of what was dropped at once, and of what is left: the project is not known yet. */
  notes?: readonly Note[];
  origin: string | null;
  /** Absent in what an earlier version kept. */
  asksNotToTrack?: boolean;
  events: FinishedEvent[];
}

/** The id of an example before a step has read it; none of visitors without storage. */
function idIn(raw: JsonObject): JsonValue | undefined {
  return isCookieless(raw) ? COOKIELESS_ID : raw['distinct_id'];
}

const NO_SALTS: ReadonlyMap<string, Buffer> = new Map();

const STRICTEST: StepProject = {
  id: 0,
  timeZone: 'UTC',
  settings: projectSettings.parse({ ipHandling: 'none', cookieless: false }),
};

/** What a client says about itself is the point of its notice. */
function noticeOf(drop: DropReason, sent: JsonObject): string | undefined {
  const message = sent['$$client_ingestion_warning_message'];
  return drop === 'client_notice' && typeof message === 'string' ? message : undefined;
}
