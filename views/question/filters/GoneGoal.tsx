/** Notice that the goal in the URL does not exist, with a link to the numbers without it. */

import { useAddress } from '#views/frame/queries.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { conversionWords } from '#views/words/conversions.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf, isGoalMetric, type Question } from '../question.ts';
import css from './SegmentChoice.module.css';

export function GoneGoal({ path, question }: { path: string; question: Question }) {
  const text = usePart(conversionWords);
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const { data: goals } = useKnown({
    ...trpc.insights.goals.list.queryOptions({ project }),
    enabled: question.goal !== null,
  });
  if (question.goal === null || goals === undefined || goals.some(({ id }) => id === question.goal)) return null;
  const metric = isGoalMetric(question.metric) ? 'visitors' : question.metric;
  return (
    <p role="status" className={css['gone']}>
      <Icon name="info" small /> {text.gone}{' '}
      <Link href={addressOf(path, { ...question, goal: null, metric })} className="link">
        {text.removeGoal}
      </Link>
    </p>
  );
}
