/** State of the steps: one event between raw and stored form, and the facts that steps may read. */
import type { FinishedEvent, GroupKind, HeatmapPoint, PersonChange } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { PersonWarningReason } from '#src/persons/contract.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { StatedLocation } from '#src/proxies/contract.ts';
import type { WarningReason } from '../contract.ts';
import type { GroupCache } from './group-cache.ts';

/** The project's part that steps read. */
export interface StepProject {
  id: number;
  timeZone: string;
  settings: ProjectSettings;
  /** See `Project`. */
  closedUntil: number | null;
}

/** Facts of the request that brought the event. */
export interface RequestFacts {
  receivedAt: number;
  /** The project token that it came with; null when it named none. */
  token: string | null;
  /** The client's time of sending, ms by its own clock. */
  sentAt: number | null;
  /** Address of the visitor, IPv4 unmapped; null when it is not known or not of interest (our own server's events). */
  address: string | null;
  /** Location of the address from a trusted proxy's headers. */
  location?: StatedLocation | null;
  /** The `User-Agent` header, '' when absent. */
  userAgent: string;
  /** The `Origin` header, null when absent. */
  origin: string | null;
  /** The browser asks not to be tracked. */
  asksNotToTrack?: boolean;
  historical: boolean;
  /** Strings may hold NUL or unpaired surrogates. */
  unclean: boolean;
  /** How long the JSON of one event may be. */
  maxEventLength: number;
  /** The whole request is shorter than that: lengths need not be counted. */
  small: boolean;
}

/** Null: not known. */
export interface Place {
  /** ISO 3166-1 code. */
  country: string | null;
  /** The part of the ISO 3166-2 code after the country. */
  region: string | null;
  regionName: string | null;
  city: string | null;
}

/** Look-ups of addresses and user agents. Deterministic. */
export interface Lookups {
  place(address: string): Place;
  isBot(userAgent: string): boolean;
  /** Browser, system and device by the names that posthog-js sends. */
  device(userAgent: string): JsonObject;
}

export interface StepContext {
  project: StepProject;
  facts: RequestFacts;
  lookups: Lookups;
  /** The project's cache. */
  cache: GroupCache;
  /** Secrets of the days that cookieless events of this request fall on, by `yyyy-mm-dd`; a day that is absent has none any more. */
  salts: ReadonlyMap<string, Buffer>;
  /** Facts of earlier events of the request; null for a single event. */
  earlier: Earlier | null;
  /** A warning about an event that goes on. */
  warn(reason: WarningReason | PersonWarningReason, draft: Draft, detail?: string): void;
}

/** Facts of a request's earlier events, in the order of sending. */
export interface Earlier {
  /** Effective time of the last person change, by distinct id. */
  lastTimes: Map<string, number>;
  /** How many had the same time and content and no uuid, by the uuid that this gives. */
  derived: Map<string, number>;
}

/** Grows from step to step; complete after the last one. */
export interface Draft {
  /** The raw event; its strings are sanitized by a step. */
  raw: JsonObject;
  /** `raw.properties`, or an empty object. Never changed by steps. */
  sent: JsonObject;
  uuid: string;
  event: string;
  distinctId: string;
  ts: number;
  /** Event time by the client's own clock, for comparison with other times of that clock. */
  clientTs: number;
  /** Receipt as `ts` counts: later than ours when the device's clock was measured by a slower request. */
  receipt: number;
  marks: number;
  session: string | null;
  groups: Partial<Record<GroupKind, JsonObject>>;
  properties: JsonObject;
  /** Replaced, never changed: events share it. */
  person: PersonChange;
  groupIdentify: FinishedEvent['groupIdentify'];
  heatmap: HeatmapPoint[] | undefined;
  orderedAt: number | undefined;
}

/** A draft before the first step. */
export function newDraft(raw: JsonObject): Draft {
  return {
    raw,
    sent: NOTHING,
    uuid: '',
    event: '',
    distinctId: '',
    ts: 0,
    clientTs: 0,
    receipt: 0,
    marks: 0,
    session: null,
    groups: {},
    properties: {},
    person: NO_WISH,
    groupIdentify: undefined,
    heatmap: undefined,
    orderedAt: undefined,
  };
}

const NOTHING: JsonObject = Object.freeze({});
/** The change of most events, and of those without person processing: one shared object. */
export const NO_WISH: PersonChange = shared(true);
export const PERSONLESS: PersonChange = shared(false);

function shared(process: boolean): PersonChange {
  const unset = Object.freeze<string[]>([]) as string[];
  return Object.freeze({ process, set: NOTHING, setOnce: NOTHING, unset, identify: false, merge: null });
}

/** The finished event, for the database and the spool. */
export function finish(draft: Draft, context: StepContext): FinishedEvent {
  const { uuid, event, distinctId, ts, session, marks, groups, properties, person, groupIdentify, orderedAt } = draft;
  const finished: FinishedEvent = {
    projectId: context.project.id,
    uuid,
    event,
    distinctId,
    ts,
    receivedAt: context.facts.receivedAt,
    session,
    marks,
    groups,
    properties,
    person,
  };
  if (groupIdentify !== undefined) finished.groupIdentify = groupIdentify;
  if (draft.heatmap !== undefined) finished.heatmap = draft.heatmap;
  if (orderedAt !== undefined) finished.orderedAt = orderedAt;
  return finished;
}

/** Sets a property safely: `__proto__` becomes plain data. */
export function put(target: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}
