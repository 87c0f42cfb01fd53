/** A table by one dimension in full: every row and column, sorted and searched by the address, and as a file. */
import { useEffect, useState } from 'react';
import type { Breakdown, BreakdownInput } from '#src/insights/contract.ts';
import {
  type BreakdownRow,
  figureOf,
  figuresOf,
  hostOf,
  matching,
  type SortColumn,
  sorted,
} from '#src/insights/tables/contract.ts';
import { type BarColumn, type BarRow, BarTable, BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Change } from '#views/kit/Change.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { type Format, missing } from '#views/words/format.ts';
import { type TableWords, tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownDetails.module.css';
import { useBreakdown } from './BreakdownTable.tsx';
import { Explain } from './ExplainPlace.tsx';
import { FigureCell } from './FigureCell.tsx';
import { ALL_ROWS, detailsInput, FEW_ROWS, orderOf } from './inputs.ts';
import { addressOf, type Question } from './question.ts';
import { RareNote } from './RareNote.tsx';
import type { RegionOf } from './use-region.ts';
import { useRowLead } from './use-row-lead.ts';
import { Value } from './Value.tsx';
import { type Reading, valueText } from './value-text.ts';

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
  const [typed, setTyped] = useFind(question, path);
  const reading: Reading = { own, format, locale: words.writing.locale };
  const textOf = (value: string) => valueText(input.dimension, value, reading);
  const text = own.tables[input.dimension];
  if (data.found === 0) return <p className={css['empty']}>{text.empty}</p>;
  // What is more than is given at once is put in order where all of it is.
  const order = data.others.values === 0 ? null : orderOf(question);
  const found = order === null ? sorted(matching(data.rows, typed, data, textOf), question, data, textOf) : [];
  const isAll = typed.trim() === '';
  const rowsProps: RowsProps = { input, question, path, typed, first: data, data, rows: found };
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
          {order === null ? (
            <Count n={isAll ? data.found : found.length} />
          ) : (
            <Late>
              <OrderedCount input={{ ...input, order }} />
            </Late>
          )}
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
      {order === null ? (
        <Rows {...rowsProps} />
      ) : (
        <Late fallback={<BarTableSkeleton rows={FEW_ROWS} />}>
          <OrderedRows {...rowsProps} input={{ ...input, order }} />
        </Late>
      )}
      <RareNote of={data} />
      <Explain reference={input.project} question={question} of={input.dimension} name={text.all} />
    </>
  );
}

interface RowsProps extends Omit<FullTableProps, 'filePath'> {
  typed: string;
  /** The commonest rows, by which bars are measured. */
  first: Breakdown;
  data: Breakdown;
  rows: readonly BreakdownRow[];
}

/** In the order that is asked for, among all that there are. */
function OrderedRows(props: RowsProps) {
  const data = useBreakdown(props.input);
  return <Rows {...props} data={data} rows={data.rows} />;
}

function OrderedCount({ input }: Pick<RowsProps, 'input'>) {
  return <Count n={useBreakdown(input).found} />;
}

function Count({ n }: { n: number }) {
  const { format } = useWords();
  return usePart(tableWords).rows(n, format.number(n));
}

function Rows({ input, question, path, typed, first, data, rows }: RowsProps) {
  const { format } = useWords();
  const own = usePart(tableWords);
  const leadOf = useRowLead(input, question, path);
  const text = own.tables[input.dimension];
  const compared = first.rows.some(([, , , before]) => before !== null);
  const largest = first.rows[0]?.[2] ?? 1;
  if (rows.length === 0) {
    return (
      <>
        {typed.trim() !== '' && <p className={css['empty']}>{own.noMatch(typed.trim())}</p>}
        <Pages question={question} path={path} found={data.found} />
      </>
    );
  }
  return (
    <>
      <BarTable
        long
        caption={text.all}
        columns={detailColumns(data, question, path, compared, own)}
        rows={rows.map((row) => detailRow(row, data, largest, compared, format, leadOf(row[0], hostOf(data, row))))}
      />
      <Pages question={question} path={path} found={data.found} />
      {compared && <p className={`${css['note']} dim`}>{own.tick}</p>}
    </>
  );
}

/** The pages of a long table. */
function Pages({ question, path, found }: Pick<RowsProps, 'question' | 'path'> & { found: number }) {
  const { format } = useWords();
  const own = usePart(tableWords);
  const { page } = question;
  const from = (page - 1) * ALL_ROWS;
  const last = Math.max(1, Math.ceil(found / ALL_ROWS));
  if (last === 1 && page === 1) return null;
  const step = (to: number, rel: 'prev' | 'next', label: string) => (
    <ButtonLink small href={addressOf(path, question, to)} rel={rel}>
      {label}
    </ButtonLink>
  );
  return (
    <nav aria-label={own.pages} className={css['pages']}>
      {page > 1 && step(Math.min(page - 1, last), 'prev', own.previous)}
      {page <= last && (
        <span className="num dim">
          {own.span(format.number(from + 1), format.number(Math.min(from + ALL_ROWS, found)), format.number(found))}
        </span>
      )}
      {page < last && step(page + 1, 'next', own.next)}
    </nav>
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
  largest: number,
  compared: boolean,
  format: Format,
  lead: Pick<BarRow, 'filter' | 'href'>,
): BarRow {
  const [value, visitors, count, before] = row;
  const host = hostOf(data, row);
  return {
    key: `${host ?? ''} ${value}`,
    label: <Value dimension={data.dimension} value={value} host={host} />,
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

function detailColumns(
  data: Breakdown,
  question: Question,
  path: string,
  compared: boolean,
  own: TableWords,
): BarColumn[] {
  const text = own.tables[data.dimension];
  // A second click turns it round.
  const column = (key: SortColumn, head: string): BarColumn => ({
    key,
    head: (
      <Link
        href={addressOf(path, {
          ...question,
          sort: key,
          reversed: question.sort === key && !question.reversed,
        })}
        className={question.reversed ? css['reversed'] : undefined}
        replace
        ahead={false}
        aria-label={own.sortBy(head)}
        title={head}
      >
        <span className="clip">{head}</span>
        {question.sort === key && <Icon name="down" small />}
      </Link>
    ),
    sort: question.sort !== key ? undefined : (key === 'value') === question.reversed ? 'descending' : 'ascending',
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
