/**
 * What is left of events that waited on some disk: not those of somebody who was erased meanwhile, nor of a project that is gone.
 * Whoever comes later is somebody new, so it is what was received before the end that is left out.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import type { Log } from '#src/kit/log.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import { openRequest } from './erasure.ts';
import { createNotes, type NoteSet } from './notes.ts';

/** What was said of somebody: by which ids, and when we were told. */
export interface Said {
  ids: readonly string[];
  receivedAt: number;
}

/** Runs `work`, in which nobody is erased. It can ask whether somebody was after something was received. @throws while the database is away */
export type Guard = <Result>(
  work: (isGone: (projectId: number, said: readonly Said[]) => Promise<boolean[]>) => Promise<Result>,
) => Promise<Result>;

export interface Survivors {
  store(events: FinishedEvent[]): Promise<void>;
  forward(request: ForwardRequest): Promise<void>;
}

export interface SurvivorsParts {
  guard: Guard;
  projects: Pick<Projects, 'byToken' | 'get'>;
  store(events: FinishedEvent[]): Promise<void>;
  forward(request: ForwardRequest): Promise<void>;
  countOnce(sets: readonly NoteSet[]): Promise<void>;
  log: Log;
}

export function createSurvivors({ guard, projects, store, forward, countOnce, log }: SurvivorsParts): Survivors {
  /** A project that is being deleted has no token any more. */
  async function isThere(projectId: number): Promise<boolean> {
    return ((await projects.get(projectId))?.tokens.length ?? 0) > 0;
  }

  return {
    store: (events) =>
      guard(async (isGone) => {
        const left: FinishedEvent[] = [];
        const erased: FinishedEvent[] = [];
        for (const projectId of new Set(events.map((event) => event.projectId))) {
          const own = events.filter((event) => event.projectId === projectId);
          if (!(await isThere(projectId))) {
            log.warn({ events: own.length, projectId }, 'kept events were dropped: their project is gone');
            continue;
          }
          const gone = await isGone(projectId, own.map(saidBy));
          for (const [at, event] of own.entries()) (gone[at] ? erased : left).push(event);
        }
        if (left.length > 0) await store(left);
        if (erased.length === 0) return;
        // Each by itself: when its file is read again it may come with others.
        await countOnce(erased.map(droppedOnce));
      }),
    forward: (request) =>
      guard(async (isGone) => {
        const opened = await openRequest(request);
        const named = opened === null ? null : ((await projects.byToken(opened.token))?.id ?? null);
        const projectId = request.projectId ?? named;
        if (opened === null || projectId === null || !(await isThere(projectId))) {
          log.warn({ projectId }, 'a kept request is not passed on: its project is gone');
          return;
        }
        const gone = await isGone(
          projectId,
          opened.ids.map((ids) => ({ ids, receivedAt: request.receivedAt })),
        );
        const left = gone.includes(true) ? opened.without(gone) : request;
        if (left !== null) await forward({ ...left, projectId });
      }),
  };
}

function saidBy({ distinctId, receivedAt, person: { merge } }: FinishedEvent): Said {
  return { ids: merge === null ? [distinctId] : [distinctId, merge.otherDistinctId], receivedAt };
}

function droppedOnce({ projectId, uuid, receivedAt }: FinishedEvent): NoteSet {
  const notes = createNotes();
  notes.drop(projectId, 'erased', receivedAt, {});
  return { id: uuidV5(`erased ${projectId} ${uuid}`), notes: notes.list };
}
