/** How many conversions of a goal had no readable amount, what they had instead, and the way to their events. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { Goal, GoalFigure } from '#src/insights/goals/contract.ts';
import { Link } from '#views/kit/Link.tsx';
import { conversionWords } from '#views/words/conversions.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { exploredAddress, usualColumns } from './explorer-address.ts';
import { type Question, readQuestion } from './question.ts';

export interface WithoutAmountProps {
  project: string;
  figure: Pick<GoalFigure, 'conversions' | 'withoutAmount'>;
  goal: Pick<Goal, 'rule' | 'amount'> | undefined;
  /** Range of the numbers. */
  range: Question['range'];
  className?: string | undefined;
}

/** Nothing when all amounts were read. */
export function WithoutAmount({ project, figure, goal, range, className }: WithoutAmountProps) {
  const { format } = useWords();
  const own = usePart(conversionWords);
  const { conversions, withoutAmount } = figure;
  if (withoutAmount === null || withoutAmount.count === 0) return null;
  const { count, samples } = withoutAmount;
  const values = samples.map(({ text }) => (text === null ? own.notSet : own.quoted(text))).join(', ');
  return (
    <p className={className}>
      {own.withoutAmount(format.number(count), format.number(conversions.value ?? 0))} {own.samples(values)}{' '}
      {goal?.amount && (
        <Link className="link" href={eventsWithout(project, goal.rule, goal.amount.property, range)}>
          {own.showEvents}
        </Link>
      )}
    </p>
  );
}

/** The events without the amount; those of several ways to reach a goal by their names alone. */
function eventsWithout(project: string, rule: Goal['rule'], property: string, range: Question['range']): string {
  const condition: FilterCondition = { about: 'event', name: property, operator: 'isNotNumber', values: [] };
  const filters = rule.kind === 'event' ? joined(rule.filters, condition) : joined(null, condition);
  const question = { ...readQuestion(new URLSearchParams()), range, filters };
  const columns = [...usualColumns, `event.${property}`];
  return exploredAddress(project, {
    question,
    names: namesOf(rule),
    columns,
    after: null,
    before: null,
    open: null,
  });
}

/** Filters that cannot be nested are dropped: then more events are listed. */
function joined(own: Filters | null, condition: FilterCondition): Filters {
  if (own === null || own.of.length === 0) return { match: 'all', of: [condition] };
  if (own.match === 'all') return { match: 'all', of: [...own.of, condition] };
  const leaves = own.of.filter((each): each is FilterCondition => !('of' in each));
  return { match: 'all', of: leaves.length < own.of.length ? [condition] : [{ match: 'any', of: leaves }, condition] };
}

const VIEWS = ['$pageview', '$screen'];

function namesOf(rule: Goal['rule']): string[] {
  if (rule.kind === 'event') return [rule.event];
  if (rule.kind === 'page') return VIEWS;
  const names = rule.any.flatMap((way) =>
    way.of === 'event' ? [way.event] : way.of === 'page' ? VIEWS : ['$autocapture'],
  );
  return [...new Set(names)];
}
