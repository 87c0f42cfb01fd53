/**
 * Filters events that waited on disk: drops those of people erased meanwhile and of deleted projects.
 * The same id is a new person after the erasure, so only events received before it are dropped.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import type { Log } from '#src/kit/log.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import type { Queryable } from '#src/store/sql.ts';
import { openRequest } from './erasure.ts';
import { readClientHeaders } from './http.ts';
import { createNotes, type Note, type NoteSet } from './notes.ts';
import { mayPassOn } from './passing-on.ts';

/** A reference to a person: distinct ids, and the time of receipt. */
export interface Mention {
  ids: readonly string[];
  receivedAt: number;
}

/**
 * Runs `work` while no erasure can run. It gets who was erased after a time, and the transaction to read with: a second connection of the same
 * pool may never come free. @throws while the database is unavailable
 */
export type ErasureGuard = <Result>(work: (isGone: IsGone, on: Queryable) => Promise<Result>) => Promise<Result>;
type IsGone = (projectId: number, said: readonly Mention[]) => Promise<boolean[]>;

export interface ErasedFilter {
  store(events: FinishedEvent[]): Promise<void>;
  forward(request: ForwardRequest): Promise<void>;
  /** Counts notes once, without examples of erased people. */
  count(sets: readonly NoteSet[]): Promise<void>;
}

export interface ErasedFilterParts {
  guard: ErasureGuard;
  projects: Pick<Projects, 'byToken' | 'get'>;
  store(events: FinishedEvent[]): Promise<void>;
  forward(request: ForwardRequest): Promise<void>;
  countOnce(sets: readonly NoteSet[]): Promise<void>;
  log: Log;
}

export function createErasedFilter({
  guard,
  projects,
  store,
  forward,
  countOnce,
  log,
}: ErasedFilterParts): ErasedFilter {
  /** A project that is being deleted has no token any more. */
  async function isThere(projectId: number, on: Queryable): Promise<boolean> {
    return ((await projects.get(projectId, on))?.tokens.length ?? 0) > 0;
  }

  /** Notes of existing projects, without examples of erased people. */
  async function left(notes: readonly Note[], isGone: IsGone, on: Queryable): Promise<Note[]> {
    const all: Note[] = [];
    for (const projectId of new Set(notes.map((note) => note.projectId))) {
      if (!(await isThere(projectId, on))) continue;
      const own = notes.filter((note) => note.projectId === projectId);
      const gone = await isGone(projectId, own.map(shownBy));
      all.push(...own.map((note, at) => (gone[at] ? { ...note, sample: {} } : note)));
    }
    return all;
  }

  return {
    store: (events) =>
      guard(async (isGone, on) => {
        const kept: FinishedEvent[] = [];
        const erased: FinishedEvent[] = [];
        for (const projectId of new Set(events.map((event) => event.projectId))) {
          const own = events.filter((event) => event.projectId === projectId);
          if (!(await isThere(projectId, on))) {
            log.warn({ events: own.length, projectId }, 'spooled events dropped: project deleted');
            continue;
          }
          const gone = await isGone(projectId, own.map(saidBy));
          for (const [at, event] of own.entries()) (gone[at] ? erased : kept).push(event);
        }
        if (kept.length > 0) await store(kept);
        if (erased.length === 0) return;
        // Each by itself: when its file is read again it may come with others.
        await countOnce(erased.map(droppedOnce));
      }),
    forward: (request) =>
      guard(async (isGone, on) => {
        const opened = await openRequest(request);
        const named = opened === null ? null : await projects.byToken(opened.token);
        const projectId = request.projectId ?? named?.id ?? null;
        if (opened === null || projectId === null || !(await isThere(projectId, on))) {
          log.warn({ projectId }, 'queued request dropped: project deleted');
          return;
        }
        // Its project was unknown on receipt, and so was the permission to forward it.
        if (
          request.projectId === null &&
          named !== null &&
          !mayPassOn(named.settings, readClientHeaders(request.headers))
        )
          return;
        const gone = await isGone(
          projectId,
          opened.ids.map((ids) => ({ ids, receivedAt: request.receivedAt })),
        );
        const rest = gone.includes(true) ? opened.without(gone) : request;
        if (rest !== null) await forward({ ...rest, projectId });
      }),
    count: (sets) =>
      guard(async (isGone, on) => {
        const remaining: NoteSet[] = [];
        for (const { id, notes } of sets) remaining.push({ id, notes: await left(notes, isGone, on) });
        await countOnce(remaining);
      }),
  };
}

function saidBy({ distinctId, receivedAt, person: { merge } }: FinishedEvent): Mention {
  return { ids: merge === null ? [distinctId] : [distinctId, merge.otherDistinctId], receivedAt };
}

/** The ids shown in an example, as `eraseTraces` matches them. */
function shownBy({ sample, at }: Note): Mention {
  const ids = [sample['distinct_id'], sample['detail']].filter((id) => typeof id === 'string');
  return { ids, receivedAt: at };
}

function droppedOnce({ projectId, uuid, receivedAt }: FinishedEvent): NoteSet {
  const notes = createNotes();
  notes.drop(projectId, 'erased', receivedAt, {});
  return { id: uuidV5(`erased ${projectId} ${uuid}`), notes: notes.list };
}
