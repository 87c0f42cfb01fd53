/**
 * Resolves distinct ids to persons. Creates and merges persons and keeps their properties. Owner of `persons`, `distinct_ids`,
 * `person_overrides`, `groups` and `group_types`. @see docs/decisions/0010-persons-in-any-order.md
 *
 * Several processes may resolve events of the same persons at once. An id is claimed by inserting it; a person is changed only
 * with its row locked; both in the order of their keys. A batch that finds a person merged meanwhile retries its
 * transaction. The result does not depend on the order and batches in which events arrive.
 */
import type { ClientBase } from 'pg';
import { effectiveTime, type FinishedEvent, type IngestWarning } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { Deps } from '#src/store/deps.ts';
import { together } from '#src/store/message.ts';
import { createNumbers } from '#src/store/numbers.ts';
import { createPersonCache, type IdEntry, type PersonCache } from './cache.ts';
import type { PersonWarningReason } from './contract.ts';
import { createGroups, type Groups } from './groups.ts';
import * as queries from './queries.ts';
import { findSlots, idsOf, NOT_NUMBERED, type PreparedProject, remember, rememberAll } from './slots.ts';
import { type Concern, isMergeLegal, type Slot, settle, usesIllegalId } from './working.ts';
import { keepIdle, lockChanging, writePersons } from './write.ts';

/** The person and distinct id of an event, by number. */
export interface Actor {
  person: number;
  distinctId: number;
}

export interface Resolved {
  /** One per event, in the order given. */
  actors: Actor[];
  /** Properties to add to the event: its person changes and group keys. */
  additions: (JsonObject | null)[];
  warnings: IngestWarning[];
  /** To be sent on `personsChannel` with the commit; null when no other process needs to know. */
  notice: string | null;
  /** To be called after the commit: what was found out may be remembered. */
  committed(): void;
}

/** Rows read and numbers reserved for a batch before its transaction. */
export interface PreparedPersons {
  projects: Map<number, PreparedProject>;
  /** Puts back numbers that were not needed. To be called in any case. */
  release(): void;
}

export interface Persons {
  /** Reads what is not remembered and reserves numbers: outside the transaction, so that it holds nothing up. */
  prepare(batch: readonly FinishedEvent[]): Promise<PreparedPersons>;
  /**
   * Finds or makes the person of each event and does what the events ask of them. Inside the write transaction; takes row
   * locks that last to its end.
   * @param alongside begun as soon as it is known who did what: its statements go with the last ones of this
   * @throws BeginAgainError when the transaction has to start again, with a new `prepare`
   */
  resolve(
    client: ClientBase,
    events: readonly FinishedEvent[],
    prepared: PreparedPersons,
    alongside?: (actors: readonly Actor[]) => Promise<void>,
  ): Promise<Resolved>;
  /** A notice of another process. */
  receive(notice: string): void;
  /** Forgets everything: notices may have been missed. */
  forgetAll(): void;
}

/** Channel on which processes tell each other which persons changed in a way that caches cannot know. */
export const personsChannel = 'luneta_persons';

export function createPersons(deps: Pick<Deps, 'write' | 'clock'>): Persons {
  const cache = createPersonCache();
  const groups = createGroups(deps.write);
  const numbers = createNumbers(deps.write);

  async function prepareProject(projectId: number, events: readonly FinishedEvent[]): Promise<PreparedProject> {
    const ids = new Map<string, IdEntry | null>();
    const missing: string[] = [];
    for (const distinctId of idsOf(events)) {
      const entry = cache.id(projectId, distinctId) ?? null;
      ids.set(distinctId, entry);
      if (entry === null) missing.push(distinctId);
    }
    if (missing.length > 0) {
      for (const row of await queries.loadIds(deps.write, projectId, missing)) {
        ids.set(row.distinct_id, remember(cache, projectId, row));
      }
    }
    const absent = missing.filter((distinctId) => ids.get(distinctId) === null).length;
    return {
      ids,
      idNumbers: await numbers.reserve(projectId, 'distinct_id', absent),
      personNumbers: await numbers.reserve(projectId, 'person', absent),
    };
  }

  return {
    async prepare(batch) {
      const projects = new Map<number, PreparedProject>();
      const release = () => {
        for (const { idNumbers, personNumbers } of projects.values()) {
          idNumbers.release();
          personNumbers.release();
        }
      };
      try {
        for (const [projectId, indexes] of byProject(batch)) {
          const events = indexes.map((index) => batch[index] as FinishedEvent);
          await groups.prepare(projectId, events);
          projects.set(projectId, await prepareProject(projectId, events));
        }
      } catch (error) {
        release();
        throw error;
      }
      return { projects, release };
    },

    async resolve(client, events, prepared, alongside = async () => {}) {
      const all: Resolved = { actors: [], additions: [], warnings: [], notice: null, committed: () => {} };
      const parts: ProjectResult[] = [];
      const projects = byProject(events);
      for (const [place, [projectId, indexes]] of projects.entries()) {
        const own = indexes.map((index) => events[index] as FinishedEvent);
        const project = prepared.projects.get(projectId) as PreparedProject;
        const isLast = place === projects.length - 1;
        const where = { client, cache, groups, projectId, nowMs: deps.clock.now() };
        const part = await resolveProject(where, own, project, async (actors) => {
          indexes.forEach((index, at) => {
            all.actors[index] = actors[at] as Actor;
          });
          if (isLast) await alongside(all.actors);
        });
        indexes.forEach((index, at) => {
          all.additions[index] = part.additions[at] ?? null;
        });
        all.warnings.push(...part.warnings);
        parts.push(part);
      }
      const notices = parts.flatMap((part) => part.changed.map((number) => `${part.projectId}:${number}`));
      all.notice = notices.length === 0 ? null : notices.length > MAX_NOTICES ? '*' : notices.join(' ');
      all.committed = () => {
        for (const part of parts) part.committed();
      };
      return all;
    },

    receive(notice) {
      if (notice === '*') cache.clear();
      for (const [, projectId, number] of notice.matchAll(/(\d+):(\d+)/g)) {
        cache.forget(Number(projectId), Number(number));
      }
    },

    forgetAll: () => cache.clear(),
  };
}

/** A notification must stay under 8,000 bytes; with more persons than this, all caches are cleared. */
const MAX_NOTICES = 350;

interface Place {
  client: ClientBase;
  cache: PersonCache;
  groups: Groups;
  projectId: number;
  nowMs: number;
}

interface ProjectResult {
  projectId: number;
  additions: (JsonObject | null)[];
  warnings: IngestWarning[];
  /** Persons of which other processes remember something that is not true any more. */
  changed: number[];
  committed(): void;
}

async function resolveProject(
  place: Place,
  events: readonly FinishedEvent[],
  prepared: PreparedProject,
  alongside: (actors: readonly Actor[]) => Promise<void>,
): Promise<ProjectResult> {
  const slots = await findSlots(place, events, prepared);
  const concerns = events.map((event): Concern => {
    const other = isMergeLegal(event) ? (slots.get(event.person.merge?.otherDistinctId as string) ?? null) : null;
    return { event, slot: slots.get(event.distinctId) as Slot, other };
  });
  const open = await lockChanging(place, concerns);

  const warnings: IngestWarning[] = [];
  const additions = events.map((event) => place.groups.keysOf(place.projectId, event));
  for (const index of inOrderOfTime(
    concerns,
    ({ event, slot }) => event.person.merge !== null || open.has(slot.person),
  )) {
    const concern = concerns[index] as Concern;
    if (usesIllegalId(concern.event)) {
      warnings.push(warning('illegal_id', concern.event));
    }
    if (!open.has(concern.slot.person)) continue;
    const { history, refused } = settle(concern);
    for (const reason of refused) warnings.push(warning(reason, concern.event));
    if (history !== null) additions[index] = { ...additions[index], ...history };
  }

  const persons = new Set([...slots.values()].map((slot) => slot.person));
  for (const person of persons) {
    if (person.number === NOT_NUMBERED) person.number = prepared.personNumbers.next();
  }
  const keeping = keepIdle(place, persons, open);
  const writing = writePersons(place, slots, persons);
  const actors = concerns.map(({ slot }) => ({ person: slot.person.number, distinctId: slot.number }));
  const [changed] = await together([writing, alongside(actors), keeping]);
  warnings.push(...(await place.groups.write(place.client, place.projectId, events)));
  return {
    projectId: place.projectId,
    additions,
    warnings,
    changed,
    committed: () => rememberAll(place, slots, persons, changed),
  };
}

/** Indexes of the events of each project, projects in ascending order: the order in which locks are taken. */
function byProject(events: readonly FinishedEvent[]): [number, number[]][] {
  const projects = new Map<number, number[]>();
  events.forEach(({ projectId }, index) => {
    const indexes = projects.get(projectId);
    if (indexes) indexes.push(index);
    else projects.set(projectId, [index]);
  });
  return [...projects].sort(([a], [b]) => a - b);
}

/** Chronological order, ties by arrival, of the events that change persons: merges depend on it. */
function inOrderOfTime(concerns: readonly Concern[], matters: (concern: Concern) => boolean): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < concerns.length; index++) if (matters(concerns[index] as Concern)) indexes.push(index);
  const timeAt = (index: number) => effectiveTime((concerns[index] as Concern).event);
  return indexes.sort((a, b) => timeAt(a) - timeAt(b) || a - b);
}

function warning(reason: PersonWarningReason, event: FinishedEvent): IngestWarning {
  const sample: JsonObject = { event: event.event, distinct_id: event.distinctId, uuid: event.uuid };
  if (event.person.merge !== null) sample['detail'] = event.person.merge.otherDistinctId;
  return { projectId: event.projectId, reason, at: event.receivedAt, sample };
}
