/** The state of an issue. */
import type { IssueSummary } from '#src/errors/contract.ts';
import { NEW_HOURS } from '#src/errors/values.ts';
import { classNames } from '#views/kit/class-names.ts';
import { useServerTime } from '#views/kit/server-time.ts';
import { issueWords } from '#views/words/issues.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Issues.module.css';

const HOUR_MS = 3_600_000;

/** `new` for a day, unless it came back. */
export function stateOf(
  { status, regressedAt, firstSeen }: Pick<IssueSummary, 'status' | 'regressedAt' | 'firstSeen'>,
  now: number,
): 'new' | 'active' | 'regressed' | 'resolved' | 'ignored' {
  if (status !== 'active') return status;
  if (regressedAt !== null) return 'regressed';
  return now - firstSeen < NEW_HOURS * HOUR_MS ? 'new' : 'active';
}

export function Badge({ issue }: { issue: IssueSummary }) {
  const own = usePart(issueWords);
  const state = stateOf(issue, useServerTime());
  return <span className={classNames(css['badge'], css[state])}>{own.badges[state]}</span>;
}
