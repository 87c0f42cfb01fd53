/** Where the chart comes, with what stands above and below it. */
import { ChartSkeleton, TableSkeleton } from '#views/charts/ChartSkeleton.tsx';
import css from './ChartPlace.module.css';

const A_WEEK = 7;

/** A table's length may not be known before: its place is that of a week's days then. */
export function ChartPlace({ view, rows = A_WEEK }: { view: 'chart' | 'table'; rows?: number }) {
  return (
    <>
      <div className={css['tools']} />
      {view === 'table' ? <TableSkeleton rows={rows} /> : <ChartSkeleton />}
      <div className={css['foot']} />
    </>
  );
}
