/**
 * One request's events from raw to answered: the project, the steps (`run-events.ts`), the visits of cookieless visitors, the writer. When
 * the database is away before the project is known, the events are kept without one (`unrouted.ts`).
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Log } from '#src/kit/log.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { WriteOutcome } from './batch-store.ts';
import type { Cookieless } from './cookieless.ts';
import { isUnavailable, withDeadline } from './deadline.ts';
import { type RawBatch, unknownToken } from './envelope.ts';
import { newIntakeCounts } from './intake-counts.ts';
import { createNotes, type NoteSet } from './notes.ts';
import { createRunner, type EventResult, type Sender, type UnnamedBatch } from './run-events.ts';
import type { Spool, UnroutedRecord } from './spool.ts';
import { isCookieless } from './steps/cookieless.ts';
import type { Lookups } from './steps/draft.ts';
import { createUnrouted } from './unrouted.ts';
import type { Writer } from './writer.ts';

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

export function createIntake(parts: IntakeParts): Intake {
  const { projects, writer, cookieless, lookups, spool, countOnce, log } = parts;
  const counts = newIntakeCounts();
  const run = createRunner({ lookups, counts });
  const unrouted = createUnrouted({ projects, spool, run, countOnce, counts, log });

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
        if (!isUnavailable(error)) throw error;
        const { results, finished } = await unrouted.keep(batch, sender, error);
        return answered(results, finished, []);
      }
    }
    if (project === null) throw unknownToken();
    return takeFor(project, batch, sender);
  }

  async function takeFor(project: Project, batch: UnnamedBatch, sender: Sender): Promise<EventResult[]> {
    counts.received += batch.events.length;
    const notes = createNotes();
    const salts =
      project.settings.cookieless && batch.events.some(isCookieless)
        ? await cookieless.salts(project, sender.receivedAt)
        : NO_SALTS;
    const running = run({ project, batch, sender, salts, notes });
    const { results, finished } = running instanceof Promise ? await running : running;
    if (salts !== NO_SALTS) await cookieless.assignVisits(finished);
    if (finished.length === 0 && notes.list.length === 0) return answered(results, finished, []);
    return answered(results, finished, await writer.write(finished, notes.list));
  }

  return {
    take,
    takeFor,
    finishKept: unrouted.finish,
    counts: () => ({ received: counts.received, dropped: { ...counts.dropped } }),
  };
}

/** Each event's result: the drop reason, or the writer's outcome, 'stored' by default. */
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

const NO_SALTS: ReadonlyMap<string, Buffer> = new Map();
