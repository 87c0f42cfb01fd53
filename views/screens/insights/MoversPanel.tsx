/** What the change of a number is made of: in sentences, and as tables whose rows filter. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { MoverPart, Movers, MoverTable } from '#src/insights/kinds/movers/contract.ts';
import { type BarRow, BarTable } from '#views/kit/BarTable.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { BreakdownValue } from '#views/question/BreakdownValue.tsx';
import { moversInput, overviewInput } from '#views/question/inputs.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { filterOf } from '#views/question/use-row-lead.ts';
import { useTrpc } from '#views/trpc.ts';
import { missing } from '#views/words/format.ts';
import { moverSentences, moverTexts } from '#views/words/mover-sentences.ts';
import { moverWords } from '#views/words/movers.ts';
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { wallTime } from '#views/words/zone.ts';
import css from './Movers.module.css';

const AGAIN_MS = 60_000;

export interface MoversPanelProps {
  reference: string;
  path: string;
  question: Question;
}

export function MoversPanel({ reference, path, question }: MoversPanelProps) {
  const { words } = useWords();
  const own = usePart(moverWords);
  const trpc = useTrpc();
  const time = useServerTime();
  const { data } = useSuspenseQuery({
    ...trpc.insights.query.movers.queryOptions(moversInput(reference, question)),
    refetchInterval: AGAIN_MS,
  });
  const sentences = moverSentences(data, words, wallTime(time, data.timeZone).year);
  return (
    <div className={css['panel']}>
      <MetricChoice reference={reference} path={path} question={question} movers={data} />
      {question.goal === null && <p className="dim">{own.needsGoal}</p>}
      {data.whole === null ? (
        <State icon="search" title={own.nothing}>
          {own.nothingText}
        </State>
      ) : (
        <>
          <ul className={css['sentences']}>
            {sentences.map((sentence) => (
              // Names of countries come from the browser's own tables, which may be newer than the server's.
              <li key={sentence} suppressHydrationWarning>
                {sentence}
              </li>
            ))}
          </ul>
          <div className={css['tables']}>
            {data.dimensions.map((table) => (
              <ChangeTable key={table.dimension} movers={data} table={table} question={question} path={path} />
            ))}
          </div>
          <p className={css['note']}>
            {own.explained} {data.whole.isSignificant === null && own.tooShort}
          </p>
        </>
      )}
    </div>
  );
}

/** The number whose change is shown: the chart draws the same. */
function MetricChoice({ reference, path, question, movers }: MoversPanelProps & { movers: Movers }) {
  const own = usePart(moverWords);
  // The headline of the page has it already.
  const { data } = useSuspenseQuery(useTrpc().insights.query.overview.queryOptions(overviewInput(reference, question)));
  const { goal } = data;
  if (goal === null) return null;
  const currency = movers.currency ?? goal.revenue[0]?.currency;
  const metrics = [
    { key: 'visitors', metric: 'visitors' },
    { key: 'conversions', metric: 'conversions' },
    ...(currency === undefined ? [] : [{ key: 'revenue', metric: `revenue.${currency}` } as const]),
  ] as const;
  return (
    <Segmented
      label={own.metric}
      segments={metrics.map(({ key, metric }) => ({
        key,
        label: own.metrics[key],
        href: addressOf(path, { ...question, metric }),
        current: key === movers.metric,
      }))}
    />
  );
}

interface ChangeTableProps {
  movers: Movers;
  table: MoverTable;
  question: Question;
  path: string;
}

function ChangeTable({ movers, table, question, path }: ChangeTableProps) {
  const { words, format } = useWords();
  const own = usePart(moverWords);
  const { tables } = usePart(tableWords);
  const { dimension, rows, other, overlap } = table;
  const { number, change } = moverTexts(movers, words);
  const largest = Math.max(...rows.map((row) => Math.abs(row.change)), 0);
  const cellsOf = (part: MoverPart) => [
    number(part.previous),
    number(part.total),
    change(part.change),
    part.share === null ? missing : format.percent(part.share),
  ];
  const title = `${own.by[dimension]}`;
  if (rows.length === 0) return <p className={css['same']}>{`${title}: ${own.same}`}</p>;
  const restOf = (key: string, label: string, part: MoverPart): BarRow => ({
    key,
    label: <span title={key === 'overlap' ? own.overlapHint : undefined}>{label}</span>,
    cells: [...cellsOf(part), ''],
    bar: null,
    tick: null,
    rest: true,
  });
  return (
    <BarTable
      caption={title}
      columns={[
        { key: 'value', head: tables[dimension].value },
        { key: 'previous', head: own.columns.previous, faint: true, wideOnly: true },
        { key: 'now', head: own.columns.now, wideOnly: true },
        { key: 'change', head: own.columns.change },
        { key: 'share', head: own.columns.share, roomy: true },
        { key: 'chance', head: own.columns.chance, roomy: true, wideOnly: true },
      ]}
      rows={[
        ...rows.map(
          (row): BarRow => ({
            key: `value ${row.value}`,
            label: <BreakdownValue dimension={dimension} value={row.value} />,
            filter: filterOf({ dimension }, question, path, row.value),
            cells: [
              ...cellsOf(row),
              row.pValue === null ? (
                missing
              ) : (
                <span key="chance" title={own.pValue(format.decimal(row.pValue))}>
                  {own.isChance[row.isSignificant === true ? 'false' : 'true']}
                </span>
              ),
            ],
            bar: largest === 0 ? null : Math.abs(row.change) / largest,
            tick: null,
          }),
        ),
        ...(other.values > 0 && (other.total !== 0 || other.previous !== 0)
          ? [restOf('other', own.others(other.values, format.number(other.values)), other)]
          : []),
        ...(overlap !== null && overlap.change !== 0 ? [restOf('overlap', own.overlap, overlap)] : []),
      ]}
    />
  );
}
