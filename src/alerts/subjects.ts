/** What alerts watch: whether it is there, what it is called, and who may see it. */
import { filtersRevealPersons } from '#src/insights/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import { AppError, forbidden, invalid, notFound } from '#src/kit/errors.ts';
import type { AlertInput, AlertSubject } from './contract.ts';
import type { AlertReader } from './operations.ts';
import { conditionsFor } from './values.ts';

type SubjectsInsights = Pick<Insights, 'goals' | 'saved' | 'tryFilters'>;

export type Subjects = ReturnType<typeof createSubjects>;

export function createSubjects(insights: SubjectsInsights) {
  /** @throws AppError `not_found`, also for what the asker may not see */
  async function nameOf(
    asker: Pick<AlertReader, 'project' | 'reader' | 'role'>,
    subject: AlertSubject,
  ): Promise<string | null> {
    if (subject.kind === 'insight') return (await insights.saved.get(asker, subject.insight)).name;
    if (subject.kind !== 'goal') return null;
    const goal = await insights.goals.get(asker.project, subject.goal);
    if (goal === null) throw notFound('goal');
    return goal.name;
  }

  /** Null: hidden. A subject that is gone hides nothing from those who see persons. */
  async function seenName(asker: AlertReader, subject: AlertSubject): Promise<{ name: string | null } | null> {
    const { seesPersons } = asker.project;
    if (asker.role === 'viewer' && subject.kind === 'issues') return null;
    if (!seesPersons && 'filters' in subject && filtersRevealPersons(subject.filters)) return null;
    try {
      return { name: await nameOf(asker, subject) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      return seesPersons ? { name: null } : null;
    }
  }

  /** @throws AppError `forbidden`, `not_found`, `invalid` */
  async function check(
    asker: AlertReader,
    { subject, condition }: Pick<AlertInput, 'subject' | 'condition'>,
  ): Promise<void> {
    if ('filters' in subject && subject.filters) {
      if (!asker.project.seesPersons && filtersRevealPersons(subject.filters)) {
        throw forbidden('You may not query data about persons.');
      }
      await insights.tryFilters(subject.filters);
    }
    await nameOf(asker, subject);
    if (subject.kind === 'insight') {
      const { kind } = await insights.saved.get(asker, subject.insight);
      if (kind !== 'trends') throw invalid('subject.insight', 'Only insights of the kind Trends can be watched.');
    }
    if (!conditionsFor(subject).includes(condition.kind)) {
      throw invalid('condition', 'This number can’t have this condition. Choose another one.');
    }
  }

  return { nameOf, seenName, check };
}
