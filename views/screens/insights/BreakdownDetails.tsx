/** A table by one dimension in full: every row and column, sorted and searched by the address, and as a file. */
import { Suspense, useEffect, useState } from 'react';
import type { Breakdown, BreakdownInput } from '#src/insights/contract.ts';
import { type BarColumn, type BarRow, BarTable, BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { Change } from '#views/kit/Change.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Region } from '#views/kit/Region.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { type Format, missing } from '#views/words/format.ts';
import { type TableWords, tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownDetails.module.css';
import { othersRow, useBreakdown } from './BreakdownTable.tsx';
import type { ExplainProps } from './Explain.tsx';
import { FigureCell } from './FigureCell.tsx';
import { detailsInput, FEW_ROWS } from './inputs.ts';
import { addressOf, type Question, type SortColumn } from './question.ts';
import { type BreakdownRow, figureOf, figuresOf, matching, sorted } from './table-rows.ts';
import type { RegionOf } from './use-region.ts';
import { useRowLead } from './use-row-lead.ts';
import { Value } from './Value.tsx';
import { type Reading, valueText } from './value-text.ts';

const Explain = lazyPart<ExplainProps>('Explain', async () => (await import('./Explain.tsx')).Explain);

export interface BreakdownDetailsProps {
  reference: string;
  path: string;
  region: RegionOf;
}

export function BreakdownDetails({ reference, path, region }: BreakdownDetailsProps) {
  return (
    <Region {...region} skeleton={<BarTableSkeleton rows={FEW_ROWS} />}>
      {(shown) =>
        shown.details !== null && (
          <FullTable
            key={shown.details}
            input={detailsInput(reference, shown, shown.details)}
            question={shown}
            path={path}
            filePath={`${path}/table.csv`}
          />
        )
      }
    </Region>
  );
}

interface FullTableProps {
  input: BreakdownInput;
  question: Question;
  path: string;
  /** Where the same table is as a file. */
  filePath: string;
}

function FullTable({ input, question, path, filePath }: FullTableProps) {
  const { words, format } = useWords();
  const own = usePart(tableWords);
  const data = useBreakdown(input);
  const leadOf = useRowLead(input, question, path);
  const [typed, setTyped] = useFind(question, path);
  const reading: Reading = { own, format, locale: words.writing.locale };
  const textOf = (value: string) => valueText(input.dimension, value, reading);
  const text = own.tables[input.dimension];
  if (data.rows.length === 0) return <p className={css['empty']}>{text.empty}</p>;
  const compared = data.rows.some(([, , , before]) => before !== null);
  const found = sorted(matching(data.rows, typed, textOf), question.sort, data, textOf);
  const isAll = typed.trim() === '';
  return (
    <>
      <div className={css['tools']}>
        <label className={`${css['find']} input script-only`}>
          <Icon name="search" />
          <input
            type="search"
            aria-label={own.find}
            placeholder={own.find}
            value={typed}
            maxLength={200}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <p role="status" className={`${css['count']} dim`}>
          {own.rows(found.length, format.number(found.length))}
        </p>
        <a
          href={addressOf(filePath, { ...question, find: typed })}
          download
          className={`${css['file']} no-print`}
          title={own.download}
        >
          <Icon name="intake" />
          {own.csv}
        </a>
      </div>
      {found.length === 0 ? (
        <p className={css['empty']}>{own.noMatch(typed.trim())}</p>
      ) : (
        <BarTable
          long
          caption={text.all}
          columns={detailColumns(data, question, path, compared, own)}
          rows={[
            ...found.map((row) => detailRow(row, data, compared, format, leadOf(row[0]))),
            ...(isAll ? paddedOthers(data, compared, text.others, format) : []),
          ]}
        />
      )}
      {compared && <p className={`${css['note']} dim`}>{own.tick}</p>}
      <Suspense>
        <Explain reference={input.project} question={question} of={input.dimension} name={text.all} />
      </Suspense>
    </>
  );
}

const FIND_AFTER_MS = 300;

/** What is looked for: at once on the screen, and after a moment in the address. */
function useFind(question: Question, path: string): [typed: string, type: (text: string) => void] {
  const { navigate } = useNavigation();
  const [typed, setTyped] = useState(question.find);
  const [written, setWritten] = useState(question.find);
  const [seen, setSeen] = useState(question.find);
  if (question.find !== seen) {
    setSeen(question.find);
    // By Back, not by typing.
    if (question.find !== written) {
      setTyped(question.find);
      setWritten(question.find);
    }
  }
  useEffect(() => {
    if (typed === written) return;
    const timer = setTimeout(() => {
      setWritten(typed);
      navigate(addressOf(path, { ...question, find: typed }), { replace: true });
    }, FIND_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, written, question, path, navigate]);
  return [typed, setTyped];
}

function detailRow(
  row: BreakdownRow,
  data: Breakdown,
  compared: boolean,
  format: Format,
  lead: Pick<BarRow, 'filter' | 'href'>,
): BarRow {
  const [value, visitors, count, before] = row;
  const largest = data.rows[0]?.[2] ?? 1;
  return {
    key: value,
    label: <Value dimension={data.dimension} value={value} />,
    ...lead,
    cells: [
      format.number(visitors),
      format.number(count),
      format.percent(count / data.total),
      ...figuresOf(data).map((figure) => (
        <FigureCell key={figure} figure={figure} value={figureOf(data, row, figure)} />
      )),
      ...(compared
        ? [
            before === null ? missing : format.number(before),
            <Change key="change" value={count} before={before} kind="difference" good="up" />,
          ]
        : []),
    ],
    bar: count / largest,
    tick: before === null ? null : before / largest,
  };
}

function paddedOthers(
  data: Breakdown,
  compared: boolean,
  text: (n: number, text: string) => string,
  format: Format,
): BarRow[] {
  const padding = [...figuresOf(data).map(() => missing), ...(compared ? [missing, missing] : [])];
  return othersRow(data, text, format).map((row) => ({ ...row, cells: [missing, ...row.cells, ...padding] }));
}

function detailColumns(
  data: Breakdown,
  question: Question,
  path: string,
  compared: boolean,
  own: TableWords,
): BarColumn[] {
  const text = own.tables[data.dimension];
  const column = (key: SortColumn, head: string): BarColumn => ({
    key,
    head: (
      <Link
        href={addressOf(path, { ...question, sort: key })}
        replace
        ahead={false}
        aria-label={own.sortBy(head)}
        title={head}
      >
        <span className="clip">{head}</span>
        {question.sort === key && <Icon name="down" small />}
      </Link>
    ),
    sort: question.sort === key ? (key === 'value' ? 'ascending' : 'descending') : undefined,
  });
  return [
    column('value', text.value),
    { ...column('visitors', own.visitors), wideOnly: true },
    column('count', text.count),
    { key: 'share', head: own.share, faint: true },
    ...figuresOf(data).map((figure) => ({ ...column(figure, own.figures[figure]), roomy: true, wideOnly: true })),
    ...(compared ? [{ ...column('before', own.before), wideOnly: true }, column('change', own.change)] : []),
  ];
}
