/** The largest rows of a table by one dimension, and the sum of the rest. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Breakdown, BreakdownInput } from '#src/insights/contract.ts';
import { type BarColumn, type BarRow, BarTable, CutText } from '#views/kit/BarTable.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useTrpc } from '#views/trpc.ts';
import type { Format } from '#views/words/format.ts';
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownTable.module.css';

const AGAIN_MS = 60_000;

export function useBreakdown(input: BreakdownInput): Breakdown {
  const trpc = useTrpc();
  return useSuspenseQuery({ ...trpc.insights.breakdown.queryOptions(input), refetchInterval: AGAIN_MS }).data;
}

export function BreakdownTable({ input, detailsHref }: { input: BreakdownInput; detailsHref: string }) {
  const { words, format } = useWords();
  const own = usePart(tableWords);
  const data = useBreakdown(input);
  const text = own.tables[input.dimension];
  if (data.rows.length === 0) return <p className={css['empty']}>{text.empty}</p>;
  const columns: BarColumn[] = [
    { key: 'value', head: text.value },
    { key: 'count', head: text.count },
    { key: 'share', head: own.share, faint: true },
  ];
  const largest = data.rows[0]?.[2] ?? 1;
  const rows = data.rows.map(
    ([value, , count, before]): BarRow => ({
      key: value,
      label: <Value value={value} none={text.none} />,
      cells: [format.number(count), format.percent(count / data.total)],
      bar: count / largest,
      tick: before === null ? null : before / largest,
    }),
  );
  return (
    <>
      <BarTable
        caption={words.tables[input.dimension]}
        columns={columns}
        rows={[...rows, ...othersRow(data, text.others, format)]}
      />
      <p className={`${css['more']} no-print`}>
        <Link href={detailsHref}>
          {own.details}
          <span className="visually-hidden">: {words.tables[input.dimension]}</span>
        </Link>
      </p>
    </>
  );
}

export function othersRow(data: Breakdown, text: (n: number, text: string) => string, format: Format): BarRow[] {
  const { values, count } = data.others;
  if (values === 0) return [];
  return [
    {
      key: '\u0000others',
      label: text(values, format.number(values)),
      cells: [format.number(count), format.percent(count / data.total)],
      bar: null,
      tick: null,
      rest: true,
    },
  ];
}

/** Clients write `$direct` where there is no referrer. */
const nothing = new Set(['', '$direct']);

export function Value({ value, none }: { value: string; none: string }) {
  return nothing.has(value) ? <span className="dim">{none}</span> : <CutText text={value} />;
}
