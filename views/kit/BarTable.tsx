/**
 * A table whose rules are its bars: the hairline under a row thickens as far as the row's share of the largest, and a tick
 * marks the period before. A real table, so that readers and copying find rows and columns.
 */
import { Fragment, type ReactNode } from 'react';
import css from './BarTable.module.css';
import { classNames } from './class-names.ts';
import { Link } from './Link.tsx';

export interface BarColumn {
  key: string;
  head: ReactNode;
  /** Narrow and grey: shares. */
  faint?: boolean;
  /** For a head of two words. */
  roomy?: boolean;
  /** For changes. */
  change?: boolean;
  wideOnly?: boolean;
  sort?: 'ascending' | 'descending' | undefined;
}

export interface BarRow {
  key: string;
  label: ReactNode;
  /** Filter that the row toggles, as a link. */
  filter?: { href: string; isOn: boolean } | undefined;
  /** Where the whole row leads instead. */
  href?: string | undefined;
  /** One for each column after the first. */
  cells: ReactNode[];
  /** Length of the bar and place of the tick, 0 to 1; null: none. */
  bar: number | null;
  tick: number | null;
  /** Closes the sum: grey, and without a bar. */
  rest?: boolean;
  /** After the label, above the link that covers the row. */
  beside?: ReactNode;
  /** Rows below it, which it sums up. */
  under?: ReactNode;
  /** Such a row: indented. */
  isUnder?: boolean;
}

export interface BarTableProps {
  caption: string;
  columns: BarColumn[];
  rows: BarRow[];
  /** Its head stays in sight. */
  long?: boolean;
  /** A row above the heads, for groups of columns. */
  groups?: ReactNode;
}

export function BarTable({ caption, columns, rows, long = false, groups }: BarTableProps) {
  return (
    <table className={classNames(css['table'], long && css['long'])}>
      <caption className="visually-hidden">{caption}</caption>
      {groups && (
        // Headings of groups come first, and would say how wide columns are.
        <colgroup>
          {columns.map((column, index) => (
            <col key={column.key} className={widthOf(column, index)} />
          ))}
        </colgroup>
      )}
      <thead>
        {groups}
        <tr>
          {columns.map((column, index) => (
            <th key={column.key} scope="col" aria-sort={column.sort} className={widthOf(column, index)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <BarRows columns={columns} rows={rows} />
      </tbody>
    </table>
  );
}

function widthOf({ faint, roomy, change, wideOnly }: BarColumn, index: number): string | undefined {
  const width = (roomy && css['roomy']) || (faint && css['faint']) || (change && css['change']);
  return classNames(index > 0 && css['number'], width, wideOnly && 'wide-only');
}

/** Rows of a table, each with those below it. */
export function BarRows({ columns, rows }: Pick<BarTableProps, 'columns' | 'rows'>) {
  return rows.map((row) => (
    <Fragment key={row.key}>
      <Row columns={columns} row={row} />
      {row.under}
    </Fragment>
  ));
}

function Row({ columns, row }: { columns: BarColumn[]; row: BarRow }) {
  const { filter, href, cells, bar, tick, rest, beside, isUnder } = row;
  // Of any length: what people send.
  const label = typeof row.label === 'string' ? <span className="clip">{row.label}</span> : row.label;
  return (
    <tr className={classNames(rest && css['rest'], isUnder && css['under'])}>
      <th scope="row" className={beside ? css['withMore'] : undefined}>
        {filter ? (
          <RowFilter {...filter}>{label}</RowFilter>
        ) : href ? (
          <Link href={href} ahead={false} className={css['whole']}>
            {label}
          </Link>
        ) : (
          label
        )}
        {beside}
        {bar !== null && <Bar length={bar} tick={tick} />}
      </th>
      {cells.map((cell, index) => {
        const column = columns[index + 1];
        return (
          <td
            key={column?.key}
            className={classNames(css['number'], 'num', column?.faint && css['faint'], column?.wideOnly && 'wide-only')}
          >
            {cell}
          </td>
        );
      })}
    </tr>
  );
}

/** A link, so that it works from the first moment on; a pressed button to screen readers. */
function RowFilter({ href, isOn, children }: { href: string; isOn: boolean; children: ReactNode }) {
  return (
    <Link
      href={href}
      ahead={false}
      role="button"
      aria-pressed={isOn}
      className={css['whole']}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        event.currentTarget.click();
      }}
    >
      {children}
    </Link>
  );
}

function Bar({ length, tick }: { length: number; tick: number | null }) {
  return (
    <svg className={css['bar']} aria-hidden="true">
      <rect width={percent(length)} />
      {tick !== null && <rect x={percent(Math.min(tick, 1))} />}
    </svg>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** A path keeps both ends when it is too long: pages differ after the cut. */
export function CutText({ text }: { text: string }) {
  if (text.length <= 28) return <span className="clip">{text}</span>;
  const tail = Math.min(18, Math.floor(text.length / 3));
  return (
    <span className={css['cut']} title={text}>
      <span>{text.slice(0, -tail)}</span>
      <span>{text.slice(-tail)}</span>
    </span>
  );
}
