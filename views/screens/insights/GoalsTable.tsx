/** Conversions of each goal. Choosing a row adds its metrics and charts it. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Explain } from '#views/explain/Explain.tsx';
import { goalsOf } from '#views/frame/addresses.ts';
import { type BarRow, BarTable } from '#views/kit/BarTable.tsx';
import { Link } from '#views/kit/Link.tsx';
import { GoalPerChoice } from '#views/question/GoalPerChoice.tsx';
import { goalsInput } from '#views/question/inputs.ts';
import { addressOf, isGoalMetric, type Question } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { conversionWords } from '#views/words/conversions.ts';
import { missing } from '#views/words/format.ts';
import { goalFigureWords } from '#views/words/goal-figures.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownTable.module.css';

const AGAIN_MS = 60_000;

export interface GoalsTableProps {
  reference: string;
  question: Question;
  path: string;
}

export function GoalsTable({ reference, question, path }: GoalsTableProps) {
  const { format } = useWords();
  const own = usePart(goalFigureWords);
  const names = usePart(conversionWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery({
    ...trpc.insights.query.goals.queryOptions(goalsInput(reference, question)),
    refetchInterval: AGAIN_MS,
  });
  const goals = data.goals.toSorted((one, other) => (other.conversions.value ?? 0) - (one.conversions.value ?? 0));
  const largest = Math.max(1, goals[0]?.conversions.value ?? 0);
  const rows = goals.map(({ id, name, conversions, conversionRate }): BarRow => {
    const isOn = id === question.goal;
    const metric = isOn && isGoalMetric(question.metric) ? 'visitors' : question.metric;
    const next: Question = isOn
      ? { ...question, goal: null, metric }
      : { ...question, goal: id, metric: 'conversions' };
    return {
      key: String(id),
      label: <span className="clip">{name}</span>,
      filter: { href: addressOf(path, next), isOn },
      cells: [
        format.number(conversions.value ?? 0),
        <span key="rate" title={fraction(conversionRate.parts, own.parts[data.per], format.number)}>
          {conversionRate.value === null ? missing : format.percent(conversionRate.value)}
        </span>,
      ],
      bar: (conversions.value ?? 0) / largest,
      tick: conversions.previous === null ? null : conversions.previous / largest,
    };
  });
  return (
    <>
      {rows.length > 0 && (
        <GoalPerChoice
          per={question.per}
          className={css['per']}
          href={(per) => addressOf(path, { ...question, per })}
        />
      )}
      {rows.length === 0 ? (
        <p className={css['empty']}>{own.empty}</p>
      ) : (
        <BarTable
          caption={own.table}
          columns={[
            { key: 'goal', head: own.column },
            { key: 'conversions', head: names.conversions },
            { key: 'rate', head: own.rateColumn[data.per] },
          ]}
          rows={rows}
        />
      )}
      <div className={css['foot']}>
        <p className={`${css['more']} no-print`}>
          <Link href={goalsOf(reference)} ahead={false}>
            {names.manage}
          </Link>
        </p>
        {rows.length > 0 && <Explain reference={reference} question={question} of="goal" name={own.table} />}
      </div>
    </>
  );
}

function fraction(
  parts: { numerator: number; denominator: number } | undefined,
  of: (some: string, all: string) => string,
  number: (value: number) => string,
): string | undefined {
  return parts && of(number(parts.numerator), number(parts.denominator));
}
