/** A table by one dimension in full: every row and column, sorted by the address, searched as one types. */
import { useDeferredValue, useState } from 'react';
import type { Breakdown, BreakdownInput } from '#src/insights/contract.ts';
import { type BarColumn, type BarRow, BarTable, BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { Change } from '#views/kit/Change.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { type Format, missing } from '#views/words/format.ts';
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownDetails.module.css';
import { othersRow, useBreakdown, Value } from './BreakdownTable.tsx';
import { ALL_ROWS, breakdownInput, FEW_ROWS } from './inputs.ts';
import { addressOf, type Question, type SortColumn } from './question.ts';
import { type BreakdownRow, matching, sorted } from './table-rows.ts';
import type { RegionOf } from './use-region.ts';

type Own = ReturnType<typeof usePart<(typeof tableWords)['en']>>;

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
          <FullTable input={breakdownInput(reference, shown, shown.details, ALL_ROWS)} question={shown} path={path} />
        )
      }
    </Region>
  );
}

interface FullTableProps {
  input: BreakdownInput;
  question: Question;
  path: string;
}

function FullTable({ input, question, path }: FullTableProps) {
  const { format } = useWords();
  const data = useBreakdown(input);
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed);
  const own = usePart(tableWords);
  const text = own.tables[input.dimension];
  if (data.rows.length === 0) return <p className={css['empty']}>{text.empty}</p>;
  const compared = data.rows.some(([, , , before]) => before !== null);
  const found = matching(data.rows, wanted);
  const rows = sorted(found, question.sort).map((row) => detailRow(row, data, compared, text.none, format));
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
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <p role="status" className={`${css['count']} dim`}>
          {own.rows(rows.length, format.number(rows.length))}
        </p>
      </div>
      {rows.length === 0 ? (
        <p className={css['empty']}>{own.noMatch(wanted.trim())}</p>
      ) : (
        <BarTable
          caption={text.all}
          columns={detailColumns(question, path, text, compared, own)}
          rows={wanted === '' ? [...rows, ...paddedOthers(data, compared, text.others, format)] : rows}
        />
      )}
      {compared && <p className={`${css['note']} dim`}>{own.tick}</p>}
    </>
  );
}

function detailRow(row: BreakdownRow, data: Breakdown, compared: boolean, none: string, format: Format): BarRow {
  const [value, visitors, count, before] = row;
  const largest = data.rows[0]?.[2] ?? 1;
  return {
    key: value,
    label: <Value value={value} none={none} />,
    cells: [
      format.number(visitors),
      format.number(count),
      format.percent(count / data.total),
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
  return othersRow(data, text, format).map((row) => ({
    ...row,
    cells: [missing, ...row.cells, ...(compared ? [missing, missing] : [])],
  }));
}

function detailColumns(
  question: Question,
  path: string,
  text: { value: string; count: string },
  compared: boolean,
  own: Own,
): BarColumn[] {
  const column = (key: SortColumn, head: string): BarColumn => ({
    key,
    head: (
      <Link href={addressOf(path, { ...question, sort: key })} replace aria-label={own.sortBy(head)}>
        {head}
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
    ...(compared ? [{ key: 'before', head: own.before, wideOnly: true }, column('change', own.change)] : []),
  ];
}
