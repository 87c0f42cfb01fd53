/** Finds the issues of exceptions by their fingerprints. */
import type { Knex } from 'knex';
import { findIssue, overflowHash } from './fingerprint.ts';
import * as queries from './grouping-queries.ts';
import { type Prepared, seenOf } from './prepared.ts';
import { insertSignals } from './signals.ts';
import { NEW_HOURS } from './values.ts';

const HOUR_MS = 3_600_000;
/** Fingerprints of one issue; more of the same are not entered. */
const MAX_FINGERPRINTS = 500;

export interface Assigned {
  issueOf: Map<Prepared, number>;
  fingerprintOf(each: Prepared): number;
  /** The issues of `issueOf` as they were, locked, by id. */
  issues: queries.GroupedIssue[];
}

/** Finds the issue of each exception, and makes those that are new. */
export async function assignIssues(
  trx: Knex.Transaction,
  projectId: number,
  prepared: readonly Prepared[],
  { now, maxIssues }: { now: number; maxIssues: number },
): Promise<Assigned> {
  const hashes = [...new Set(prepared.flatMap(({ fingerprints }) => fingerprints.hashes)), overflowHash];
  const found = await queries.knownFingerprints(trx, projectId, hashes);
  const known = new Map(found.map(({ hash, issue }) => [hash, issue]));
  const numbers = new Map(found.map(({ hash, number }) => [hash, number]));
  const locked = await queries.lockIssues(trx, projectId, [...new Set(known.values())].sort(byNumber));
  const resolved = new Set(locked.filter(({ isResolved }) => isResolved).map(({ id }) => id));
  const counts = new Map(locked.map(({ id, fingerprints }) => [id, fingerprints]));
  const entered: queries.NewFingerprint[] = [];
  const issueOf = new Map<Prepared, number>();
  const created: number[] = [];
  let total: number | null = null;

  for (const each of prepared) {
    const { fingerprints } = each;
    let issue = findIssue(fingerprints, known, resolved);
    if (issue === null) {
      total ??= await queries.countIssues(trx, projectId);
      const isFull = total >= maxIssues;
      if (isFull) issue = known.get(overflowHash) ?? null;
      if (issue === null) {
        const grouping = isFull ? { by: 'overflow' as const, parts: [] } : fingerprints.grouping;
        const isResolved = !isFull && fingerprints.isResolved;
        issue = await queries.insertIssue(trx, projectId, seenOf([each]), grouping, { isResolved, now });
        total += 1;
        created.push(issue);
        if (isResolved) resolved.add(issue);
        if (isFull) enter(overflowHash, issue, null);
        const at = each.stored.ts;
        const note = { issue, at, account: null, action: 'created' as const, details: { release: each.release } };
        await queries.insertNotes(trx, projectId, [note]);
        // What comes late, as sample data and imports do, is no news.
        const noticed = at > now - NEW_HOURS * HOUR_MS ? now : at;
        await insertSignals(trx, projectId, [{ issue, kind: 'new', at: noticed }]);
      }
      if (isFull) {
        issueOf.set(each, issue);
        continue;
      }
    } else if (fingerprints.isResolved && !resolved.has(issue)) {
      await queries.markResolved(trx, projectId, issue, fingerprints.grouping);
      resolved.add(issue);
    }
    const via = fingerprints.hashes.find((hash) => known.get(hash) === issue) ?? null;
    for (const hash of fingerprints.hashes) enter(hash, issue, via ?? fingerprints.hashes[0] ?? null);
    issueOf.set(each, issue);
  }
  for (const [hash, number] of await queries.insertFingerprints(trx, projectId, entered)) numbers.set(hash, number);
  const used = new Set(issueOf.values());
  const made = created.length === 0 ? [] : await queries.lockIssues(trx, projectId, created);
  return {
    issueOf,
    issues: [...locked.filter(({ id }) => used.has(id)), ...made],
    // The first that is entered: an issue has a limited number of them.
    fingerprintOf({ fingerprints }) {
      const entry = fingerprints.hashes.find((hash) => numbers.has(hash)) ?? overflowHash;
      return numbers.get(entry) ?? 0;
    },
  };

  function enter(hash: string, issue: number, via: string | null): void {
    const count = counts.get(issue) ?? 0;
    if (known.has(hash) || count >= MAX_FINGERPRINTS) return;
    known.set(hash, issue);
    counts.set(issue, count + 1);
    entered.push({ hash, issue, via: via === hash ? null : via });
  }
}

function byNumber(one: number, other: number): number {
  return one - other;
}
