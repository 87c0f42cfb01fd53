/** The place and the lines of a chart, or of the same as a table, before its numbers are there. */
import css from './LineChart.module.css';

export function ChartSkeleton() {
  return (
    <div className={css['chart']} aria-hidden="true">
      <span />
      <div className={css['plot']}>
        <svg className={css['drawing']} aria-hidden="true">
          {['0%', '25%', '50%', '75%'].map((y) => (
            <line key={y} className={css['grid']} x2="100%" y1={y} y2={y} />
          ))}
          <line className={css['base']} x2="100%" y1="100%" y2="100%" />
        </svg>
      </div>
      <svg className={css['rule']} aria-hidden="true" />
    </div>
  );
}

export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 1 + rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places are all alike
        <div key={row} className={css['row']} />
      ))}
    </div>
  );
}
