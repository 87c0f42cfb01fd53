/** Recurring work: puts exceptions that were stored into issues. Each is counted in the transaction that takes it off the list, so exactly once. */
import type { Knex } from 'knex';
import { type StoredException, takeExceptions } from '#src/events/exceptions.ts';
import { type Breath, createBreath } from '#src/kit/breath.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Exception } from './contract.ts';
import { culpritOf, isUnhandled, readExceptions, readLevel, readRelease } from './exception.ts';
import { type Fingerprints, findIssue, fingerprintsOf, overflowHash } from './fingerprint.ts';
import * as queries from './grouping-queries.ts';
import { normalizeMessage } from './normalize.ts';
import { MAX_ISSUES } from './values.ts';

/** Exceptions of one transaction. */
const BATCH = 100;
const HOUR_MS = 3_600_000;
/** Fingerprints of one issue; more of the same are not entered. */
const MAX_FINGERPRINTS = 500;
const MAX_MESSAGE = 500;

/** An exception, ready to be grouped. */
interface Prepared {
  stored: StoredException;
  exceptions: Exception[];
  fingerprints: Fingerprints;
  release: string | null;
  level: string;
}

/** Reads the frames of built code with source maps. */
export type ResolveFrames = (
  projectId: number,
  exceptions: Exception[],
  release: string | null,
) => Promise<Exception[]>;

export interface GroupingOptions {
  batch?: number;
  maxIssues?: number;
}

export function createGrouping(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  resolve: ResolveFrames,
  { batch = BATCH, maxIssues = MAX_ISSUES }: GroupingOptions = {},
) {
  const breath: Breath = createBreath();

  /** Groups all that waits. */
  async function work(signal?: AbortSignal): Promise<void> {
    await unignore();
    while (!signal?.aborted) {
      const taken = await db.transaction((trx) => groupSome(trx));
      if (taken < batch) return;
    }
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
    for (const stored of exceptions) {
      await breath();
      const prepared = await prepare(stored);
      if (prepared !== null) byProject.set(stored.projectId, [...(byProject.get(stored.projectId) ?? []), prepared]);
    }
    for (const [projectId, prepared] of byProject) await groupOf(trx, projectId, prepared);
    return taken;
  }

  /** Null: one that cannot be read does not keep the others from being grouped. */
  async function prepare(stored: StoredException): Promise<Prepared | null> {
    try {
      const { properties } = stored;
      const release = readRelease(properties);
      const exceptions = await resolve(stored.projectId, readExceptions(properties), release);
      return {
        stored,
        exceptions,
        fingerprints: fingerprintsOf(exceptions, properties),
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
    const issueOf = await assignIssues(trx, projectId, prepared, now);
    const releases = await noteReleases(trx, projectId, prepared);
    await queries.addHours(trx, projectId, hoursOf(prepared, issueOf));
    for (const issue of await queries.lockIssues(trx, projectId, [...new Set(issueOf.values())])) {
      const own = prepared.filter((each) => issueOf.get(each) === issue.id);
      const seen = seenOf(own);
      await queries.addToIssue(trx, projectId, issue.id, seen);
      const reopened = reopeningOf(issue, own, releases);
      if (reopened === null) continue;
      const { action, at, release } = reopened;
      await queries.reopenIssue(trx, projectId, issue.id, { regressedAt: action === 'regressed' ? at : null, now });
      await queries.insertNotes(trx, projectId, [
        { issue: issue.id, at: now, account: null, action, details: { release } },
      ]);
    }
  }

  /** Finds the issue of each exception, and makes those that are new. */
  async function assignIssues(
    trx: Knex.Transaction,
    projectId: number,
    prepared: readonly Prepared[],
    now: number,
  ): Promise<Map<Prepared, number>> {
    const hashes = [...new Set(prepared.flatMap(({ fingerprints }) => fingerprints.hashes)), overflowHash];
    const known = new Map(
      (await queries.knownFingerprints(trx, projectId, hashes)).map(({ hash, issue }) => [hash, issue]),
    );
    const locked = await queries.lockIssues(trx, projectId, [...new Set(known.values())].sort(byNumber));
    const resolved = new Set(locked.filter(({ isResolved }) => isResolved).map(({ id }) => id));
    const counts = new Map(locked.map(({ id, fingerprints }) => [id, fingerprints]));
    const entered: queries.NewFingerprint[] = [];
    const issueOf = new Map<Prepared, number>();
    let issues: number | null = null;

    for (const each of prepared) {
      const { fingerprints } = each;
      let issue = findIssue(fingerprints, known, resolved);
      if (issue === null) {
        issues ??= await queries.countIssues(trx, projectId);
        const isFull = issues >= maxIssues;
        if (isFull) issue = known.get(overflowHash) ?? null;
        if (issue === null) {
          const grouping = isFull ? { by: 'overflow' as const, parts: [] } : fingerprints.grouping;
          const isResolved = !isFull && fingerprints.isResolved;
          issue = await queries.insertIssue(trx, projectId, seenOf([each]), grouping, { isResolved, now });
          issues += 1;
          if (isResolved) resolved.add(issue);
          if (isFull) enter(overflowHash, issue);
          const at = each.stored.ts;
          const note = { issue, at, account: null, action: 'created' as const, details: { release: each.release } };
          await queries.insertNotes(trx, projectId, [note]);
        }
        if (isFull) {
          issueOf.set(each, issue);
          continue;
        }
      } else if (fingerprints.isResolved && !resolved.has(issue)) {
        await queries.markResolved(trx, projectId, issue, fingerprints.grouping);
        resolved.add(issue);
      }
      for (const hash of fingerprints.hashes) enter(hash, issue);
      issueOf.set(each, issue);
    }
    await queries.insertFingerprints(trx, projectId, entered);
    return issueOf;

    function enter(hash: string, issue: number): void {
      const count = counts.get(issue) ?? 0;
      if (known.has(hash) || count >= MAX_FINGERPRINTS) return;
      known.set(hash, issue);
      counts.set(issue, count + 1);
      entered.push({ hash, issue });
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

function hoursOf(prepared: readonly Prepared[], issueOf: ReadonlyMap<Prepared, number>): queries.HourOf[] {
  const hours = new Map<string, queries.HourOf>();
  for (const each of prepared) {
    const { ts, uuid, distinctId, session } = each.stored;
    const row: queries.HourOf = {
      issue: issueOf.get(each) as number,
      hour: Math.floor(ts / HOUR_MS) * HOUR_MS,
      distinctId,
      session: session ?? 0,
      release: each.release ?? '',
      events: 1,
      lastTs: ts,
      lastUuid: uuid,
    };
    const key = [row.issue, row.hour, row.distinctId, row.session, row.release].join(' ');
    const before = hours.get(key);
    if (before === undefined) hours.set(key, row);
    else {
      before.events += 1;
      if (ts >= before.lastTs) Object.assign(before, { lastTs: ts, lastUuid: uuid });
    }
  }
  return [...hours.values()];
}

function seenOf(own: readonly Prepared[]): queries.Seen {
  const byTime = [...own].sort((one, other) => one.stored.ts - other.stored.ts);
  const first = byTime[0] as Prepared;
  const last = byTime.at(-1) as Prepared;
  const [exception] = last.exceptions;
  const message = (exception?.value ?? '').slice(0, MAX_MESSAGE);
  const released = byTime.filter(({ release }) => release !== null);
  return {
    type: exception?.type ?? 'Error',
    message,
    messageFrom: last.stored.distinctId,
    culprit: culpritOf(last.exceptions),
    level: last.level,
    unhandled: own.some(({ exceptions }) => isUnhandled(exceptions)),
    events: own.length,
    firstSeen: first.stored.ts,
    lastSeen: last.stored.ts,
    firstRelease: released[0]?.release ?? null,
    lastRelease: released.at(-1)?.release ?? null,
  };
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

function byNumber(one: number, other: number): number {
  return one - other;
}

/** A message that holds nothing of a person. */
export function plainMessage(message: string): string {
  return normalizeMessage(message);
}
