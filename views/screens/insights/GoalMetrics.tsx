/** Metrics of the chosen goal, below those of all visitors. */

import { useSuspenseQuery } from '@tanstack/react-query';
import type { Filters } from '#src/columns/contract.ts';
import type { Overview, OverviewGoal } from '#src/insights/contract.ts';
import { valueText } from '#views/charts/values.ts';
import { useAddress } from '#views/frame/queries.ts';
import { GoalBar } from '#views/goal/GoalBar.tsx';
import { Metric } from '#views/kit/Metric.tsx';
import { addressOf, type Question } from '#views/question/question.ts';
import { WithoutAmount } from '#views/question/WithoutAmount.tsx';
import { useTrpc } from '#views/trpc.ts';
import { conversionWords } from '#views/words/conversions.ts';
import type { Format } from '#views/words/format.ts';
import type { Part } from '#views/words/format-duration.ts';
import { goalFigureWords } from '#views/words/goal-figures.ts';
import { goalNoteWords } from '#views/words/goal-notes.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './GoalMetrics.module.css';
import { type GoalNumber, goalNumbers } from './goal-metrics.ts';

export interface GoalMetricsProps {
  path: string;
  question: Question;
  data: Overview;
}

export function GoalMetrics({ path, question, data }: GoalMetricsProps) {
  const { format } = useWords();
  const own = usePart(goalFigureWords);
  const names = usePart(conversionWords);
  const { goal, running } = data;
  if (goal === null) return null;
  return (
    <>
      <GoalBar path={path} question={question} />
      <ul className={css['row']} aria-label={own.label(goal.name)}>
        {goalNumbers(goal, names).map((number) => (
          <Metric
            key={number.metric}
            label={number.label}
            kind={number.kind}
            good={number.good}
            value={number.value.value}
            before={number.value.previous}
            events={number.allEvents}
            href={addressOf(path, { ...question, metric: number.metric })}
            chosen={number.metric === question.metric}
            parts={partsOf(number, format)}
            hint={hintOf(number, goal, own, format)}
            course={number.values.slice(0, running ?? undefined)}
          />
        ))}
      </ul>
      <MissingAmounts question={question} goal={goal} />
      <FilteredNote question={question} />
    </>
  );
}

function MissingAmounts({ question, goal }: Pick<GoalMetricsProps, 'question'> & { goal: OverviewGoal }) {
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project }));
  const rule = goals.find(({ id }) => id === goal.id);
  return (
    <WithoutAmount
      project={project}
      figure={goal}
      goal={rule}
      range={question.range}
      className={`${css['note']} dim`}
    />
  );
}

/** An event that reaches the goal mostly is of another page than those that are filtered by. */
function FilteredNote({ question: { filters, segment } }: Pick<GoalMetricsProps, 'question'>) {
  const text = usePart(goalNoteWords);
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const { data: segments } = useSuspenseQuery(trpc.insights.segments.list.queryOptions({ project }));
  const own = segments.find(({ id }) => id === segment);
  return isOnEvents(filters) || isOnEvents(own?.filters) ? (
    <p className={`${css['note']} dim`}>{text.filtered}</p>
  ) : null;
}

function isOnEvents(filters: Filters | null | undefined): boolean {
  return filters?.of.some((each) => ('of' in each ? isOnEvents(each) : each.about === 'event')) ?? false;
}

function partsOf({ value: { value }, kind, metric }: GoalNumber, format: Format): Part[] | null {
  if (value === null) return null;
  if (kind === 'share') return [{ value: format.percentNumber(value), unit: '%' }];
  const isLarge = Math.abs(value) >= 1000;
  const text = metric.startsWith('revenue.') ? format.money(value, metric.slice(8), isLarge) : format.number(value);
  return [{ value: text, unit: '' }];
}

/** By how many, of how many, from how much. */
function hintOf(
  { metric, kind, value }: GoalNumber,
  goal: OverviewGoal,
  own: (typeof goalFigureWords)['en'],
  format: Format,
): string | undefined {
  const notes: string[] = [];
  if (metric === 'conversions') notes.push(own.people(goal.people.value ?? 0, format.number(goal.people.value ?? 0)));
  if (value.parts)
    notes.push(own.parts[goal.per](format.number(value.parts.numerator), format.number(value.parts.denominator)));
  const revenue = goal.revenue.find(({ currency }) => metric === `revenue.${currency}`);
  if (revenue) {
    notes.push(valueText(revenue.sum.value, kind, format), own.amounts(revenue.count, format.number(revenue.count)));
  }
  if (value.previous !== null) notes.push(own.before(valueText(value.previous, kind, format)));
  return notes.join('; ') || undefined;
}
