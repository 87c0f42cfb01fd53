/**
 * Events that came while the database was away and their project was not known. They are finished as the strictest project would have it,
 * kept with their token, and given to their project when they are replayed.
 */
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { uuidV5, uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { Log } from '#src/kit/log.ts';
import { dayMs } from '#src/kit/zone.ts';
import { projectSettings } from '#src/projects/contract.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { DropReason } from './contract.ts';
import { cannotStore } from './deadline.ts';
import type { RawBatch } from './envelope.ts';
import { countDropped, type IntakeCounts } from './intake-counts.ts';
import { createNotes, type Note, type NoteSet } from './notes.ts';
import type { EventOutcomes, Run, Sender } from './run-events.ts';
import type { Spool, UnroutedRecord } from './spool.ts';
import { isCookieless } from './steps/cookieless.ts';
import type { StepProject } from './steps/draft.ts';
import { dropHeatmap, withHeatmapOf } from './steps/heatmap.ts';
import { withInternalMark } from './steps/internal.ts';
import { isOriginAllowed } from './steps/names.ts';
import { withoutIgnoredReferrer } from './steps/source.ts';
import { isOfDroppedMonth } from './steps/time.ts';

export interface Unrouted {
  /**
   * Keeps the events of a request on disk. Without the project's settings nothing may be kept that the strictest of them forbids: no
   * address, no visitor's hash.
   *
   * @throws unavailable when they cannot be kept, or the disk is not durable
   */
  keep(batch: RawBatch, sender: Sender, cause: unknown): Promise<EventOutcomes>;
  /** Finishes events that were kept: none when there is no such project after all. @throws unavailable */
  finish(record: UnroutedRecord): Promise<FinishedEvent[]>;
}

export interface UnroutedParts {
  projects: Pick<Projects, 'byToken'>;
  spool: Spool | null;
  run(run: Run): EventOutcomes | Promise<EventOutcomes>;
  /** Counts notes, each set once. @throws while the database is away */
  countOnce(sets: readonly NoteSet[]): Promise<void>;
  counts: IntakeCounts;
  log: Log;
}

/** Stored form of events whose project is not known yet. */
interface KeptRaw {
  /** Under which its notes count once. This and the notes are absent in what an earlier version kept. */
  id?: string;
  /** Notes about dropped events, without a project yet. */
  notes?: readonly Note[];
  origin: string | null;
  /** Absent in what an earlier version kept. */
  asksNotToTrack?: boolean;
  events: FinishedEvent[];
}

const NO_SALTS: ReadonlyMap<string, Buffer> = new Map();

const STRICTEST: StepProject = {
  id: 0,
  timeZone: 'UTC',
  settings: projectSettings.parse({ ipHandling: 'none', cookieless: false, heatmaps: true }),
  closedUntil: null,
};

export function createUnrouted({ projects, spool, run, countOnce, counts, log }: UnroutedParts): Unrouted {
  async function keep(batch: RawBatch, sender: Sender, cause: unknown): Promise<EventOutcomes> {
    if (spool === null || batch.events.some(isCookieless)) throw cannotStore(cause);
    counts.received += batch.events.length;
    const notes = createNotes();
    const ran = await run({
      project: STRICTEST,
      batch,
      sender: { ...sender, origin: null },
      salts: NO_SALTS,
      notes,
    });
    const { finished } = ran;
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
      if (!spool.durable) throw cannotStore(cause);
    } else if (notes.list.length > 0) {
      await spool.append(record).catch((error: unknown) => {
        log.warn({ err: error }, 'failed to spool ingestion warnings');
      });
    }
    return ran;
  }

  async function finish(record: UnroutedRecord): Promise<FinishedEvent[]> {
    const { id, events, notes: noted = [], origin, asksNotToTrack = false } = record.raw as unknown as KeptRaw;
    const project = await projects.byToken(record.token);
    if (project === null) {
      countDropped(counts, 'unknown_token', events.length);
      log.warn({ events: events.length }, 'spooled events dropped: unknown project token');
      return [];
    }
    const notes = createNotes();
    notes.add(noted.map((note) => ({ ...note, projectId: project.id })));
    const sent = { receivedAt: record.receivedAt, origin, asksNotToTrack };
    const kept = events.filter((finished) => {
      const { event, distinctId, uuid, receivedAt } = finished;
      const drop = dropByProject(finished, project, sent) ?? dropHeatmap(finished, project.settings);
      if (drop !== null) notes.drop(project.id, drop, receivedAt, { event, distinctId, uuid });
      return drop === null;
    });
    // The record may be read again: its drops count once.
    const once = id ?? uuidV5(`dropped of ${record.uuids.join()}`);
    if (notes.list.length > 0) await countOnce([{ id: once, notes: notes.list }]);
    const { id: projectId, settings } = project;
    return kept
      .map((event) => withoutIgnoredReferrer(withInternalMark({ ...event, projectId }, settings), settings))
      .map((event) => withHeatmapOf(event, settings));
  }

  return { keep, finish };
}

/** Why a kept event must not be stored after all, now that the settings of its project are known; null when it may. */
export function dropByProject(
  { ts, marks }: Pick<FinishedEvent, 'ts' | 'marks'>,
  project: Pick<StepProject, 'settings' | 'closedUntil'>,
  { receivedAt, origin, asksNotToTrack }: Required<Pick<Sender, 'receivedAt' | 'origin' | 'asksNotToTrack'>>,
): DropReason | null {
  const { allowedOrigins, retentionDays, respectDnt, bots } = project.settings;
  if (!isOriginAllowed(origin, allowedOrigins)) return 'origin';
  if (respectDnt && asksNotToTrack) return 'do_not_track';
  if (retentionDays !== null && ts < receivedAt - retentionDays * dayMs) return 'expired';
  if (isOfDroppedMonth(ts, project)) return 'dropped_month';
  return bots === 'dropped' && (marks & eventMarks.bot) !== 0 ? 'bot' : null;
}
