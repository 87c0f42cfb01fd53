/** The chosen goal, open: what it counts as chips, changed in place beside the page. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import { useAddress, useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { addressOf, isGoalMetric, type Question } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { conversionWords } from '#views/words/conversions.ts';
import { goalWords } from '#views/words/goals.ts';
import { usePart } from '#views/words/words.tsx';
import css from './GoalBar.module.css';
import { GoalPanel } from './lazy-goal-panel.ts';
import { RuleChips } from './RuleChips.tsx';

export function GoalBar({ path, question }: { path: string; question: Question }) {
  const own = usePart(goalWords);
  const names = usePart(conversionWords);
  const project = useAddress()?.project ?? '';
  const { role } = useRoleIn(project);
  const { data: goals } = useSuspenseQuery(useTrpc().insights.goals.list.queryOptions({ project }));
  const [isOpen, setIsOpen] = useState(false);
  const goal = goals.find(({ id }) => id === question.goal);
  if (goal === undefined) return null;
  const isMaker = mayCall('insights.goals.create', role);
  const metric = isGoalMetric(question.metric) ? 'visitors' : question.metric;
  const open = isMaker ? () => setIsOpen(true) : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label={own.bar(goal.name)} className={css['bar']}>
      <span className={css['label']}>{names.goal}</span>
      <span className={css['name']}>{goal.name}</span>
      <RuleChips rule={goal.rule} onPress={open} />
      {isMaker && (
        <Button small kind="quiet" className="no-print script-only" aria-expanded={isOpen} onClick={open}>
          {own.edit}
        </Button>
      )}
      <Link
        href={addressOf(path, { ...question, goal: null, metric })}
        className={`${css['close']} no-print`}
        aria-label={own.close}
      >
        <Icon name="x" small />
      </Link>
      {isOpen && (
        <Late>
          <GoalPanel
            reference={project}
            goal={goal}
            closeHref={addressOf(path, question)}
            onClose={() => setIsOpen(false)}
          />
        </Late>
      )}
    </div>
  );
}
