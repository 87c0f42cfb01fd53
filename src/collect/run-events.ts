/** Runs the steps over the events of one request, and notes what they drop and warn of. */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { WriteOutcome } from './batch-store.ts';
import { takeBreath } from './breath.ts';
import type { DropReason } from './contract.ts';
import type { RawBatch } from './envelope.ts';
import { createGroupCaches } from './group-caches.ts';
import { countDropped, type IntakeCounts } from './intake-counts.ts';
import type { Notes } from './notes.ts';
import { isCookieless } from './steps/cookieless.ts';
import type { Lookups, RequestFacts, StepContext, StepProject } from './steps/draft.ts';
import { COOKIELESS_ID } from './steps/names.ts';
import { type Dropped, runSteps } from './steps.ts';

/** Facts of the request besides its events. */
export type Sender = Pick<
  RequestFacts,
  'receivedAt' | 'address' | 'location' | 'userAgent' | 'origin' | 'unclean' | 'asksNotToTrack'
> & {
  /** Length of the whole request's JSON. */
  length: number;
  maxEventLength: number;
};

/** The result of one raw event; in the order of sending. */
export interface EventResult {
  uuid: string;
  outcome: WriteOutcome | DropReason;
}

/** A batch with a known project may have no token. */
export type UnnamedBatch = Omit<RawBatch, 'token'> & Partial<Pick<RawBatch, 'token'>>;

/** A request's events and all that the steps need to know. */
export interface Run {
  project: StepProject;
  /** Emptied event by event. */
  batch: UnnamedBatch;
  sender: Sender;
  /** Salts of cookieless visitors, by day. */
  salts: ReadonlyMap<string, Buffer>;
  /** Takes drops and warnings. */
  notes: Notes;
}

/** The results of a request's events. */
export interface EventOutcomes {
  /** Results of dropped events, in the order of sending; null for the others … */
  results: (EventResult | null)[];
  /** ... which are these. */
  finished: FinishedEvent[];
}

export interface RunnerParts {
  lookups: Lookups;
  counts: IntakeCounts;
}

/** More events of one request are finished in pieces, ... */
const EVENTS_AT_ONCE = 250;
/** ... of about a millisecond. */
const EVENTS_PER_PIECE = 20;

/** Runs the steps over the events of a request. Returns a promise for large requests only: others are processed synchronously. */
export function createRunner({ lookups, counts }: RunnerParts): (run: Run) => EventOutcomes | Promise<EventOutcomes> {
  const cacheOf = createGroupCaches();

  /**
   * Runs the steps over all events and releases each raw event when it is done: requests that wait for the database hold
   * only the finished events, a fifth of the memory. Large requests yield to others.
   */
  function run({ project, batch, sender, salts, notes }: Run): EventOutcomes | Promise<EventOutcomes> {
    const { events } = batch;
    const context = contextOf({ project, batch, sender, salts, notes });
    const ran: EventOutcomes = { results: [], finished: [] };
    if (events.length > EVENTS_AT_ONCE) return runInTurns(events, context, notes, ran);
    for (let at = 0; at < events.length; at++) runOne(events, at, context, notes, ran);
    return ran;
  }

  async function runInTurns(
    events: JsonValue[],
    context: StepContext,
    notes: Notes,
    ran: EventOutcomes,
  ): Promise<EventOutcomes> {
    for (let at = 0; at < events.length; at++) {
      if (at % EVENTS_PER_PIECE === 0) await takeBreath();
      runOne(events, at, context, notes, ran);
    }
    return ran;
  }

  function runOne(events: JsonValue[], at: number, context: StepContext, notes: Notes, ran: EventOutcomes): void {
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
    countDropped(counts, drop);
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

  function contextOf({ project, batch, sender, salts, notes }: Run): StepContext {
    const { token, events, sentAt, historical } = batch;
    const { length, ...known } = sender;
    const facts: RequestFacts = {
      ...known,
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
      earlier: events.length > 1 ? { lastTimes: new Map(), derived: new Map() } : null,
      warn: (reason, { event, distinctId, uuid, raw }, detail) =>
        notes.warn(project.id, reason, facts.receivedAt, {
          event: event || raw['event'],
          distinctId: distinctId || idIn(raw),
          uuid: uuid || raw['uuid'],
          detail,
        }),
    };
  }

  return run;
}

/** The id of an example before a step has read it; none of visitors without storage. */
function idIn(raw: JsonObject): JsonValue | undefined {
  return isCookieless(raw) ? COOKIELESS_ID : raw['distinct_id'];
}

/** The text of a client's own notice. */
function noticeOf(drop: DropReason, sent: JsonObject): string | undefined {
  const message = sent['$$client_ingestion_warning_message'];
  return drop === 'client_notice' && typeof message === 'string' ? message : undefined;
}
