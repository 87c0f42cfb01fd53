/** Where the chart comes, with what stands above and below it. */
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import css from './ChartPlace.module.css';

export function ChartPlace() {
  return (
    <>
      <div className={css['tools']} />
      <ChartSkeleton />
      <div className={css['foot']} />
    </>
  );
}
