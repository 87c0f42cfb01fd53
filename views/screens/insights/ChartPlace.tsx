/** Where the chart comes, with what stands above and below it. */
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import css from './ChartPlace.module.css';

/** A table's length is not known before: its place is that of a week's days. */
export function ChartPlace({ view }: { view: 'chart' | 'table' }) {
  return (
    <>
      <div className={css['tools']} />
      <ChartSkeleton />
      <div className={css[view === 'table' ? 'tableFoot' : 'foot']} />
    </>
  );
}
