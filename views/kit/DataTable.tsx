/** A table of records, with rows that may expand. For tables with bars see `BarTable`. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './DataTable.module.css';
import { Link, type LinkProps } from './Link.tsx';

export interface DataColumn {
  key: string;
  head: ReactNode;
  /** Figures end at the end of their column. */
  isFigure?: boolean;
  /** A phone leaves it out. */
  wideOnly?: boolean;
  sort?: 'ascending' | 'descending' | undefined;
  /** Class of its cells. */
  className?: string | undefined;
}

export interface DataRow {
  key: string;
  /** Cells by column; the first is the row header. */
  cells: Readonly<Record<string, ReactNode>>;
  /** Expanded content below the row. */
  panel?: ReactNode;
  /** Its first cell has a `RowLink`. */
  leads?: boolean;
}

export interface DataTableProps {
  columns: readonly DataColumn[];
  rows: readonly DataRow[];
  /** Accessible caption; absent when the heading before the table has it. */
  caption?: string;
  /** Rows of one line each, in a table that may be wider than the page. */
  isDense?: boolean;
  className?: string | undefined;
  /** Class of the body rows. */
  bodyClassName?: string | undefined;
}

export function DataTable({ columns, rows, caption, isDense = false, className, bodyClassName }: DataTableProps) {
  return (
    <table className={classNames(isDense && css['dense'], className)}>
      {caption !== undefined && <caption className="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ key, head, isFigure, wideOnly, sort }) => (
            <th
              key={key}
              scope="col"
              aria-sort={sort}
              className={classNames(css['head'], isFigure && css['figure'], wideOnly && 'wide-only')}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={bodyClassName}>
        {rows.map((row) => (
          <TableRow key={row.key} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

function TableRow({ row: { cells, panel, leads }, columns }: { row: DataRow; columns: readonly DataColumn[] }) {
  const isOpen = panel !== undefined;
  return (
    <>
      <tr className={classNames(css['row'], leads && css['leads'], isOpen && css['open'])}>
        {columns.map(({ key, isFigure, wideOnly, className }, index) => {
          const look = classNames(
            css['cell'],
            isFigure && css['figure'],
            isFigure && 'num',
            wideOnly && 'wide-only',
            className,
          );
          return index === 0 ? (
            <th key={key} scope="row" className={look}>
              {cells[key]}
            </th>
          ) : (
            <td key={key} className={look}>
              {cells[key]}
            </td>
          );
        })}
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={columns.length} className={css['panel']}>
            {panel}
          </td>
        </tr>
      )}
    </>
  );
}

/** Link that covers the whole row. */
export function RowLink({ className, ...props }: LinkProps) {
  return <Link className={classNames(css['link'], className)} {...props} />;
}
