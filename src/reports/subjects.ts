/** What reports show: whether it is there, what it is called, and who may see it. */
import { AppError, notFound } from '#src/kit/errors.ts';
import type { ContentParts } from './content.ts';
import type { ReportReader } from './operations.ts';
import type { ReportSubjectRow } from './queries.ts';

export type Subjects = ReturnType<typeof createSubjects>;

type Asker = Pick<ReportReader, 'project' | 'reader' | 'role'>;

export function createSubjects({
  insights,
  dashboards,
}: Pick<ContentParts, 'dashboards'> & {
  insights: Pick<ContentParts['insights'], 'saved'>;
}) {
  /** Empty for the summary. @throws AppError `not_found`, also for what the asker may not see */
  async function nameOf(asker: Asker, { kind, object }: ReportSubjectRow): Promise<string> {
    if (kind === 'summary' || object === null) return '';
    if (kind === 'dashboard') return (await dashboards.get(asker, object)).name;
    const { name, archivedAt } = await insights.saved.get(asker, object);
    if (archivedAt !== null) throw notFound('insight');
    return name;
  }

  /** Null: it is gone, or hidden from such readers. */
  async function nameFor(
    project: ReportReader['project'],
    subject: ReportSubjectRow,
    reader: 'team' | 'viewer',
  ): Promise<string | null> {
    const seesPersons = reader === 'team';
    const asker = {
      project: { ...project, seesPersons },
      reader: { id: -1 as never },
      role: seesPersons ? 'admin' : 'viewer',
    } as const;
    return nameOf(asker, subject).catch(nullWhenMissing);
  }

  return { nameOf, nameFor };
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
