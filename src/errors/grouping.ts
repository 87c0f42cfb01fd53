/** Recurring work: puts exceptions that were stored into issues. Each is counted in the transaction that takes it off the list, so exactly once. */
import type { Knex } from 'knex';
import { type StoredException, takeExceptions } from '#src/events/exceptions.ts';
import { type Breath, createBreath } from '#src/kit/breath.ts';
import type { Deps } from '#src/store/deps.ts';
import { assignIssues } from './assign-issues.ts';
import type { Exception } from './contract.ts';
import { readExceptions, readLevel, readRelease } from './exception.ts';
import { fingerprintsOf } from './fingerprint.ts';
import * as queries from './grouping-queries.ts';
import { type Prepared, seenOf } from './prepared.ts';
import type { ErrorRules } from './rules/contract.ts';
import { isSuppressed } from './rules/match.ts';
import { insertSignals, insertSpikes } from './signals.ts';
import { MAX_ISSUES } from './values.ts';

/** Exceptions of one transaction. */
const BATCH = 100;
const HOUR_MS = 3_600_000;
/** Spikes are looked for so often at most. */
const SPIKES_EVERY_MS = 30_000;

/** Reads the frames of built code with source maps. */
export type ResolveFrames = (
  projectId: number,
  exceptions: Exception[],
  release: string | null,
) => Promise<Exception[]>;

export interface GroupingParts {
  resolve: ResolveFrames;
  /** Rules of a project. */
  rulesOf(projectId: number): Promise<ErrorRules>;
}

export interface GroupingOptions {
  batch?: number;
  maxIssues?: number;
}

export function createGrouping(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { resolve, rulesOf }: GroupingParts,
  { batch = BATCH, maxIssues = MAX_ISSUES }: GroupingOptions = {},
) {
  const breath: Breath = createBreath();
  /** Issues that occurred since spikes were looked for, by project. */
  const occurred = new Map<number, Set<number>>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Groups all that waits. */
  async function work(signal?: AbortSignal): Promise<void> {
    await unignore();
    while (!signal?.aborted) {
      const taken = await db.transaction((trx) => groupSome(trx));
      if (taken < batch) break;
    }
    await noteSpikes();
  }

  async function noteSpikes(): Promise<void> {
    const now = clock.now();
    if (now - lookedAt < SPIKES_EVERY_MS) return;
    lookedAt = now;
    const looked = [...occurred];
    occurred.clear();
    for (const [projectId, issues] of looked) await insertSpikes(db, projectId, [...issues], now);
  }

  async function unignore(): Promise<void> {
    const now = clock.now();
    await db.transaction(async (trx) => {
      for (const { projectId, id } of await queries.unignoreDue(trx, now)) {
        const note = { issue: id, at: now, account: null, action: 'unignored' as const, details: {} };
        await queries.insertNotes(trx, projectId, [note]);
      }
    });
  }

  async function groupSome(trx: Knex.Transaction): Promise<number> {
    const { taken, exceptions } = await takeExceptions(trx, batch);
    const byProject = new Map<number, Prepared[]>();
    const rules = new Map<number, ErrorRules>();
    for (const { projectId } of exceptions) {
      if (!rules.has(projectId)) rules.set(projectId, await rulesOf(projectId));
    }
    for (const stored of exceptions) {
      await breath();
      const prepared = await prepare(stored, rules.get(stored.projectId) as ErrorRules);
      if (prepared !== null) byProject.set(stored.projectId, [...(byProject.get(stored.projectId) ?? []), prepared]);
    }
    for (const [projectId, prepared] of byProject) await groupOf(trx, projectId, prepared);
    return taken;
  }

  /** Null: suppressed; or it cannot be read, which does not keep the others from being grouped. */
  async function prepare(stored: StoredException, rules: ErrorRules): Promise<Prepared | null> {
    try {
      const { properties } = stored;
      const release = readRelease(properties);
      const sent = readExceptions(properties);
      if (isSuppressed(rules.suppressionRules, { exceptions: sent, release })) return null;
      const exceptions = await resolve(stored.projectId, sent, release);
      return {
        stored,
        exceptions,
        fingerprints: fingerprintsOf(exceptions, properties, rules.groupingRules),
        release,
        level: readLevel(properties),
      };
    } catch (error) {
      log.error({ err: error, project: stored.projectId, uuid: stored.uuid }, 'exception not grouped');
      return null;
    }
  }

  async function groupOf(trx: Knex.Transaction, projectId: number, prepared: readonly Prepared[]): Promise<void> {
    const now = clock.now();
    const { issueOf, fingerprintOf, issues } = await assignIssues(trx, projectId, prepared, { now, maxIssues });
    const releases = await noteReleases(trx, projectId, prepared);
    await queries.addHours(trx, projectId, hoursOf(prepared, issueOf, fingerprintOf));
    const ofIssue = new Map<number, Prepared[]>();
    for (const each of prepared) {
      const issue = issueOf.get(each) as number;
      ofIssue.set(issue, [...(ofIssue.get(issue) ?? []), each]);
    }
    await queries.addToIssues(
      trx,
      projectId,
      issues.map(({ id }) => ({ issue: id, seen: seenOf(ofIssue.get(id) ?? []) })),
    );
    const noted = occurred.get(projectId) ?? new Set();
    occurred.set(projectId, noted);
    for (const issue of issues) {
      noted.add(issue.id);
      const own = ofIssue.get(issue.id) ?? [];
      const reopened = reopeningOf(issue, own, releases) ?? (await unignoredByPeople(trx, projectId, issue));
      if (reopened === null) continue;
      const { action, at, release } = reopened;
      await queries.reopenIssue(trx, projectId, issue.id, { regressedAt: action === 'regressed' ? at : null, now });
      await queries.insertNotes(trx, projectId, [
        { issue: issue.id, at: now, account: null, action, details: { release } },
      ]);
      if (action === 'regressed') await insertSignals(trx, projectId, [{ issue: issue.id, kind: action, at: now }]);
    }
  }

  return { work };
}

async function noteReleases(
  trx: Knex.Transaction,
  projectId: number,
  prepared: readonly Prepared[],
): Promise<Map<string, number>> {
  const spans = new Map<string, { version: string; firstSeen: number; lastSeen: number }>();
  for (const { release, stored } of prepared) {
    if (release === null) continue;
    const { firstSeen, lastSeen } = spans.get(release) ?? { firstSeen: stored.ts, lastSeen: stored.ts };
    spans.set(release, {
      version: release,
      firstSeen: Math.min(firstSeen, stored.ts),
      lastSeen: Math.max(lastSeen, stored.ts),
    });
  }
  if (spans.size === 0) return new Map();
  const inOrder = [...spans.values()].sort((one, other) => (one.version < other.version ? -1 : 1));
  const noted = await queries.noteReleases(trx, projectId, inOrder);
  return new Map(noted.map(({ version, firstSeen }) => [version, firstSeen]));
}

function hoursOf(
  prepared: readonly Prepared[],
  issueOf: ReadonlyMap<Prepared, number>,
  fingerprintOf: (each: Prepared) => number,
): queries.HourOf[] {
  const hours = new Map<string, queries.HourOf>();
  for (const each of prepared) {
    const { ts, uuid, distinctId, session } = each.stored;
    const row: queries.HourOf = {
      issue: issueOf.get(each) as number,
      hour: Math.floor(ts / HOUR_MS) * HOUR_MS,
      distinctId,
      session: session ?? 0,
      release: each.release ?? '',
      fingerprint: fingerprintOf(each),
      events: 1,
      lastTs: ts,
      lastUuid: uuid,
    };
    const key = [row.issue, row.hour, row.distinctId, row.session, row.release, row.fingerprint].join(' ');
    const before = hours.get(key);
    if (before === undefined) hours.set(key, row);
    else {
      before.events += 1;
      if (ts >= before.lastTs) Object.assign(before, { lastTs: ts, lastUuid: uuid });
    }
  }
  return [...hours.values()];
}

/** Whether occurrences make an issue active again; null: they do not. */
function reopeningOf(
  issue: queries.GroupedIssue,
  own: readonly Prepared[],
  releases: ReadonlyMap<string, number>,
): { action: 'regressed' | 'unignored'; at: number; release: string | null } | null {
  if (issue.status === 'resolved') {
    const resolvedAt = issue.resolvedAt ?? 0;
    const again = own.find(({ stored, release }) => {
      if (stored.ts <= resolvedAt) return false;
      if (issue.resolvedRelease === null) return true;
      return release !== null && (releases.get(release) ?? 0) > resolvedAt;
    });
    return again === undefined ? null : { action: 'regressed', at: again.stored.ts, release: again.release };
  }
  if (issue.status === 'ignored' && issue.ignoredEvents !== null && issue.events + own.length >= issue.ignoredEvents) {
    return { action: 'unignored', at: own[0]?.stored.ts ?? 0, release: null };
  }
  return null;
}

/** As `reopeningOf`, of an issue that is ignored until so many people met it. */
async function unignoredByPeople(trx: Knex.Transaction, projectId: number, issue: queries.GroupedIssue) {
  const { id, status, ignoredPeople, ignoredAt } = issue;
  if (status !== 'ignored' || ignoredPeople === null || ignoredAt === null) return null;
  const people = await queries.peopleSince(trx, projectId, id, ignoredAt);
  return people < ignoredPeople ? null : { action: 'unignored' as const, at: ignoredAt, release: null };
}
