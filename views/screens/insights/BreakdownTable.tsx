/** The largest rows of a table by one dimension, and the sum of the rest. */

import { useSuspenseQuery } from '@tanstack/react-query';
import type { Breakdown, BreakdownInput, InProject } from '#src/insights/contract.ts';
import { goalRateOf } from '#src/insights/kinds/breakdown/filters/values.ts';
import { type BreakdownRow, type FigureValue, hostOf } from '#src/insights/kinds/breakdown/values.ts';
import { Explain } from '#views/explain/Explain.tsx';
import { type BarColumn, type BarRow, BarTable } from '#views/kit/BarTable.tsx';
import { Link } from '#views/kit/Link.tsx';
import { largestCount, noneLast, shareText } from '#views/question/breakdown-counts.ts';
import { breakdownRow, othersRow } from '#views/question/breakdown-rows.tsx';
import { addressOf, type Question } from '#views/question/question.ts';
import { useRowLead } from '#views/question/use-row-lead.ts';
import { useTrpc } from '#views/trpc.ts';
import { missing } from '#views/words/format.ts';
import { goalFigureWords } from '#views/words/goal-figures.ts';
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownTable.module.css';
import { useDomains } from './SourceDomains.tsx';

const AGAIN_MS = 60_000;

export function useBreakdown(input: InProject<BreakdownInput>): Breakdown {
  const trpc = useTrpc();
  return useSuspenseQuery({ ...trpc.insights.query.breakdown.queryOptions(input), refetchInterval: AGAIN_MS }).data;
}

export interface BreakdownTableProps {
  input: InProject<BreakdownInput>;
  question: Question;
  path: string;
}

export function BreakdownTable({ input, question, path }: BreakdownTableProps) {
  const { words, format } = useWords();
  const own = usePart(tableWords);
  const goals = usePart(goalFigureWords);
  const data = useBreakdown(input);
  const leadOf = useRowLead(input, question, path);
  const domainsOf = useDomains();
  const { dimension } = input;
  const text = own.tables[dimension];
  const title = words.tables[dimension];
  if (data.rows.length === 0) return <p className={css['empty']}>{text.empty}</p>;
  // Of what was done, by how many says more than the share of all.
  const byPeople = dimension === 'event';
  const isRated = data.cols.includes('reached');
  // Rows of events count people, regardless of the headline's rate.
  const isOfEvents = dimension === 'page' || dimension === 'event' || dimension === 'outbound';
  const per = isOfEvents ? 'visitor' : (input.per ?? 'visitor');
  const columns: BarColumn[] = [
    { key: 'value', head: text.value },
    { key: 'count', head: text.count },
    byPeople ? { key: 'people', head: own.people } : { key: 'share', head: own.share, faint: true, wideOnly: isRated },
    ...(isRated ? [{ key: 'rate', head: goals.rateColumn[per], roomy: true }] : []),
  ];
  const rateText = goals.parts[byPeople ? 'person' : per];
  const largest = largestCount(data);
  const rowOf = (row: BreakdownRow, of: Breakdown): BarRow => {
    const [, visitors, count] = row;
    return breakdownRow(row, of, largest, [
      format.number(count),
      byPeople ? format.number(visitors) : shareText(count, data, format),
      ...(isRated ? [<Rate key="rate" rate={goalRateOf(of, row)} textOf={rateText} />] : []),
    ]);
  };
  const table = { input, question, path, columns, rowOf };
  const shown = noneLast(data).map((row) => ({
    ...rowOf(row, data),
    ...leadOf(row[0], hostOf(data, row)),
    ...domainsOf(table, row[0]),
  }));
  const rest = othersRow(data, text.others, format, byPeople);
  return (
    <>
      <BarTable caption={title} columns={columns} rows={[...shown, ...rest]} />
      <div className={css['foot']}>
        <p className={`${css['more']} no-print`}>
          <Link href={addressOf(path, { ...question, details: dimension })} ahead={false}>
            {own.details}
            <span className="visually-hidden">: {title}</span>
          </Link>
        </p>
        <Explain reference={input.project} question={question} of={dimension} name={title} />
      </div>
    </>
  );
}

/** The share of those who reached the goal; on hover, how many of how many. */
function Rate({ rate, textOf }: { rate: FigureValue | null; textOf(some: string, all: string): string }) {
  const { format } = useWords();
  if (rate === null || rate.value === null || rate.parts === undefined) return missing;
  const { numerator, denominator } = rate.parts;
  return <span title={textOf(format.number(numerator), format.number(denominator))}>{format.percent(rate.value)}</span>;
}
