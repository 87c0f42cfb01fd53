/** Grouping as the job does it, in memory, and how good it is. */
import type { Exception } from '#src/errors/contract.ts';
import { readExceptions } from '#src/errors/exception.ts';
import { findIssue, fingerprintsOf } from '#src/errors/fingerprint.ts';
import type { CorpusError } from './corpus.ts';

/** `exceptions`: as read with source maps. */
export type GroupedError = CorpusError & { exceptions?: Exception[] };

/** Issues of errors that come one after the other, as the job assigns them. */
export function group(errors: readonly GroupedError[]): Map<GroupedError, number> {
  const known = new Map<string, number>();
  const resolved = new Set<number>();
  let made = 0;
  return new Map(
    errors.map((error) => {
      const fingerprints = fingerprintsOf(error.exceptions ?? readExceptions(error.properties), error.properties);
      const issue = findIssue(fingerprints, known, resolved) ?? ++made;
      if (fingerprints.isResolved) resolved.add(issue);
      for (const hash of fingerprints.hashes) if (!known.has(hash)) known.set(hash, issue);
      return [error, issue];
    }),
  );
}

export function measure(issueOf: ReadonlyMap<GroupedError, number>) {
  const causesOf = new Map<number, Map<number, number>>();
  const issuesOf = new Map<number, Set<number>>();
  for (const [{ cause }, issue] of issueOf) {
    const causes = causesOf.get(issue) ?? new Map<number, number>();
    causesOf.set(issue, causes.set(cause, (causes.get(cause) ?? 0) + 1));
    issuesOf.set(cause, (issuesOf.get(cause) ?? new Set()).add(issue));
  }
  const right = [...causesOf.values()].reduce((sum, causes) => sum + Math.max(...causes.values()), 0);
  const issues = [...issuesOf.values()].reduce((sum, each) => sum + each.size, 0);
  return { precision: right / issueOf.size, issuesPerCause: issues / issuesOf.size };
}
