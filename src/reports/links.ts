/** Links in mails to readers who need no session: agreeing to get a report, and ending it. */
import type { Deps } from '#src/store/deps.ts';
import { languageOf, scheduleOf } from './answers.ts';
import type { ReportProject } from './compose.ts';
import type { ReportLink } from './operations.ts';
import * as queries from './queries.ts';
import type { Subjects } from './subjects.ts';
import { hashOf, TOKEN } from './tokens.ts';

interface LinkParts extends Pick<Deps, 'db' | 'clock'> {
  subjects: Pick<Subjects, 'nameFor'>;
  projectOf(id: number): Promise<ReportProject | null>;
}

/** What a link is about; null: there is none, or it has ended. */
export async function findLink(
  { db, clock, subjects, projectOf }: LinkParts,
  token: string,
): Promise<ReportLink | null> {
  if (!TOKEN.test(token)) return null;
  const found = await queries.recipientByLink(db, { hash: hashOf(token), now: clock.now() });
  if (found === null) return null;
  const [row, project] = await Promise.all([
    queries.reportOf(db, found.project_id, found.report),
    projectOf(found.project_id),
  ]);
  if (row === null || project === null) return null;
  const name = (await subjects.nameFor(project, row, 'team')) ?? '';
  return {
    kind: found.link,
    state: found.state,
    language: languageOf(found.language),
    project: project.name,
    report: { kind: row.kind, name, schedule: scheduleOf(row) },
    confirm: () => queries.setState(db, found.id, 'active', clock.now()),
    unsubscribe: () => queries.setState(db, found.id, 'unsubscribed', clock.now()),
  };
}
