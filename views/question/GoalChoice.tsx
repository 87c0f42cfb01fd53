/** Selection of the goal, and a link to the goals. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { goalsOf } from '#views/frame/addresses.ts';
import { smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { useTrpc } from '#views/trpc.ts';
import { conversionWords } from '#views/words/conversions.ts';
import { usePart } from '#views/words/words.tsx';
import css from './GoalChoice.module.css';
import { GoalPerChoice } from './GoalPerChoice.tsx';
import { addressOf, isGoalMetric, type Question } from './question.ts';

export interface GoalChoiceProps {
  reference: string;
  path: string;
  question: Question;
  project: ProjectSummary;
}

export function GoalChoice({ reference, path, question, project }: GoalChoiceProps) {
  const own = usePart(conversionWords);
  const trpc = useTrpc();
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project: reference }));
  const isMaker = mayCall('insights.goals.create', project.role);
  if (goals.length === 0 && !isMaker) return null;
  const chosen = goals.find(({ id }) => id === question.goal);
  const metric = isGoalMetric(question.metric) ? 'visitors' : question.metric;
  return (
    <Popover
      list
      label={own.choose}
      triggerClass={smallButtonClass}
      className={css['goals']}
      trigger={
        <>
          <Icon name="check" />
          <span className={css['name']}>{chosen?.name ?? own.goal}</span>
          <Icon name="down" small />
        </>
      }
    >
      <ul>
        {goals.length > 0 && (
          <li>
            <Choice href={addressOf(path, { ...question, goal: null, metric })} isCurrent={chosen === undefined}>
              {own.none}
            </Choice>
          </li>
        )}
        {goals.map(({ id, name }) => (
          <li key={id}>
            <Choice href={addressOf(path, { ...question, goal: id })} isCurrent={id === question.goal}>
              {name}
            </Choice>
          </li>
        ))}
        {chosen && question.details === null && (
          <li className={css['manage']}>
            <GoalPerChoice
              per={question.per}
              href={(per) => addressOf(path, { ...question, per, metric: 'conversionRate' })}
              className={css['per']}
            />
          </li>
        )}
        <li className={css['manage']}>
          <Link href={goalsOf(reference)} className={optionClass()}>
            {goals.length === 0 ? own.first : own.manage}
          </Link>
        </li>
      </ul>
    </Popover>
  );
}

function Choice({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: string }) {
  return (
    <Link href={href} className={optionClass(isCurrent)} aria-current={isCurrent ? 'true' : undefined}>
      <span className="clip">{children}</span>
    </Link>
  );
}
