/** How long recordings are kept, and within which budget: retention, what they take, erasure. */
import type { RecordingBudget } from '#src/collect/recordings/contract.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectIdentity } from '#src/persons/people.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import type { ReplayUsage } from './contract.ts';
import * as queries from './keeping-queries.ts';
import { type ReplayPartitions, WEEK_MS } from './partitions.ts';
import { BUDGET_THIN, BUDGET_WARN, GB, SESSION_QUIET_MS } from './values.ts';

export interface Keeping {
  /** How the project stands to its budget; cached. Never rejects. */
  budget(projectId: number, budgetGb: number): Promise<RecordingBudget>;
  /** Called with the bytes of what was stored. */
  noteStored(projectId: number, bytes: number): void;
  usage(project: Pick<Project, 'id' | 'settings'>): Promise<ReplayUsage>;
  /** What recordings of all projects take. */
  total(): Promise<{ bytes: number; sessions: number; unpacked: number }>;
  /** Recurring work: measures what recordings take, and deletes what is over a project's budget. */
  keepBudgets(projects: Pick<Projects, 'list'>, signal?: AbortSignal): Promise<void>;
  /** Recurring work: deletes recordings beyond their retention. */
  retire(projects: Pick<Projects, 'list'>, signal?: AbortSignal): Promise<void>;
  /** Deletes one recording. @returns false when there is none */
  removeSession(projectId: number, session: string): Promise<boolean>;
  /** Deletes the recordings of people. Gives rows by table. */
  erase(known: ProjectIdentity): Promise<Record<string, number>>;
}

export type KeepingBlobs = Pick<Blobs, 'setExpiry' | 'tidy'>;

const DELETED_AT_ONCE = 200;
/** A measured usage is believed for so long. */
const REMEMBER_MS = 10_000;
/** Beyond this part of the budget nothing is accepted, until the job has deleted. */
const FULL = 1.05;
/** Deleting goes on to this part of the budget, so that it is not done every minute. */
const DROP_TO = 0.95;

export function createKeeping(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { blobs, partitions }: { blobs: KeepingBlobs; partitions: ReplayPartitions },
): Keeping {
  const remembered = new Map<number, { bytes: number; until: number }>();

  async function bytesOf(projectId: number): Promise<number> {
    const known = remembered.get(projectId);
    if (known !== undefined && clock.elapsed() < known.until) return known.bytes;
    // One look-up at a time; others use the old value meanwhile.
    const until = clock.elapsed() + REMEMBER_MS;
    remembered.set(projectId, { bytes: known?.bytes ?? 0, until });
    const bytes = (await queries.usageOf(db, projectId))?.bytes ?? 0;
    remembered.set(projectId, { bytes, until });
    return bytes;
  }

  async function deleteAll(projectId: number, sessions: readonly queries.SessionPlace[]): Promise<number> {
    return db.transaction(async (trx) => {
      const gone = await queries.deleteSessions(trx, projectId, sessions);
      await blobs.setExpiry(trx, projectId, gone.blobs, clock.now());
      return gone.blocks;
    });
  }

  /** The oldest without errors first. */
  async function dropOver(
    project: Pick<Project, 'id' | 'settings'>,
    bytes: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const budget = project.settings.replay.budgetGb * GB;
    let left = bytes;
    let dropped = 0;
    for (const onlyFine of [true, false]) {
      while (bytes > budget && left > budget * DROP_TO && !signal?.aborted) {
        const choice = { onlyFine, quietBefore: clock.now() - SESSION_QUIET_MS, limit: DELETED_AT_ONCE };
        const oldest = await queries.oldestSessions(db, project.id, choice);
        const some: queries.SessionPlace[] = [];
        for (const session of oldest) {
          if (left <= budget * DROP_TO) break;
          left -= session.bytes;
          some.push(session);
        }
        if (some.length === 0) break;
        await deleteAll(project.id, some);
        dropped += some.length;
      }
    }
    if (dropped === 0) return;
    await queries.countDropped(db, project.id, dropped);
    remembered.delete(project.id);
    log.info({ projectId: project.id, sessions: dropped }, 'recordings deleted: over the budget of their project');
  }

  async function retireOf(project: Project, signal?: AbortSignal): Promise<void> {
    const before = clock.now() - project.settings.replay.retentionDays * dayMs;
    for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE && !signal?.aborted; ) {
      const sessions = await queries.sessionsBefore(db, project.id, before, DELETED_AT_ONCE);
      count = sessions.length;
      if (count > 0) await deleteAll(project.id, sessions);
    }
  }

  /** Weeks beyond the longest retention: a table that is dropped, instead of rows that are looked for. */
  async function dropWeeks(days: number): Promise<void> {
    const before = clock.now() - days * dayMs;
    for (const week of await partitions.weeks()) {
      if ((week + 1) * WEEK_MS > before) break;
      for (const { projectId, blobs: files } of await queries.filesOfWeek(db, week)) {
        await blobs.setExpiry(db, projectId, files, clock.now());
      }
      await queries.deleteSessionsOfWeek(db, week);
      await partitions.drop(week);
    }
  }

  return {
    async budget(projectId, budgetGb) {
      const bytes = await bytesOf(projectId).catch(() => remembered.get(projectId)?.bytes ?? 0);
      const part = bytes / (budgetGb * GB);
      if (part >= FULL) return 'full';
      return part >= BUDGET_THIN ? 'thin' : 'ok';
    },
    noteStored(projectId, bytes) {
      const known = remembered.get(projectId);
      if (known !== undefined) known.bytes += bytes;
    },
    async usage({ id, settings }) {
      const found = await queries.usageOf(db, id);
      return usageOf(found, settings.replay, clock.now());
    },
    total: () => queries.totalUsage(db),
    async keepBudgets(projects, signal) {
      const now = clock.now();
      const rows = await queries.measureUsage(db, now, WEEK_MS);
      await queries.clearUsage(
        db,
        rows.map(({ projectId }) => projectId),
      );
      const list = rows.length === 0 ? [] : await projects.list();
      for (const row of rows) {
        await queries.writeUsage(db, row, now);
        const project = list.find(({ id }) => id === row.projectId);
        if (project) await dropOver(project, row.bytes, signal);
      }
    },
    async retire(projects, signal) {
      const weeks = await partitions.weeks();
      if (weeks.length === 0) return;
      const list = await projects.list();
      for (const project of list) await retireOf(project, signal);
      await dropWeeks(Math.max(1, ...list.map(({ settings }) => settings.replay.retentionDays)));
      // A job deletes files only when there is work for it: here some may have expired.
      await blobs.tidy(signal);
    },
    async removeSession(projectId, session) {
      const place = await queries.placeOf(db, projectId, session);
      if (place === null) return false;
      await deleteAll(projectId, [place]);
      return true;
    },
    async erase({ projectId, distinctIds }) {
      const sessions = await queries.sessionsOfIds(db, projectId, distinctIds);
      let blocks = 0;
      for (let at = 0; at < sessions.length; at += DELETED_AT_ONCE) {
        blocks += await deleteAll(projectId, sessions.slice(at, at + DELETED_AT_ONCE));
      }
      // Files of theirs go now, with all others that have expired.
      if (sessions.length > 0) await blobs.tidy();
      return { replay_sessions: sessions.length, replay_blocks: blocks };
    },
  };
}

/** What a project's recordings take and will take, beside its budget. */
export function usageOf(
  found: queries.StoredUsage | null,
  { budgetGb, retentionDays }: { budgetGb: number; retentionDays: number },
  now: number,
): ReplayUsage {
  const { bytes = 0, bytesWeek = 0, sessions = 0, seconds = 0, dropped = 0, firstAt = null } = found ?? {};
  const budgetBytes = budgetGb * GB;
  const days = firstAt === null ? 7 : Math.min(7, Math.max(1, (now - firstAt) / dayMs));
  const bytesPerDay = bytesWeek / days;
  // More is not kept than what comes within the retention.
  const isEnough = bytesPerDay * retentionDays <= budgetBytes;
  const fullAt = isEnough || bytesPerDay === 0 ? null : now + Math.max(0, (budgetBytes - bytes) / bytesPerDay) * dayMs;
  return {
    bytes,
    budgetBytes,
    sessions,
    seconds,
    bytesPerDay: Math.round(bytesPerDay),
    dropped,
    fullAt: fullAt === null ? null : Math.round(fullAt),
    state: bytes >= budgetBytes * BUDGET_THIN ? 'thinned' : bytes >= budgetBytes * BUDGET_WARN ? 'warned' : 'fine',
  };
}
