/** What a project that goes leaves here, and what someone who leaves its team does. */
import type { Farewell } from '#src/accounts/accounts.ts';
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';
import { unassign } from './keeping-queries.ts';

export const forgetErrors: Forget = async (on, projectId, signal) => {
  const tables = [
    'issue_hours',
    'issue_notes',
    'issue_fingerprints',
    'issue_moves',
    'issue_signals',
    'issues',
    'releases',
    'build_releases',
    'symbol_sets',
    'source_maps',
  ];
  await forgetRows(on, tables, projectId, signal);
};

/** Issues stay with the team. */
export const leaveErrors: Farewell = async (on, projects, user) => {
  await unassign(on, projects, user);
  return {};
};
