/** The place of a table with bars, before its numbers are there. Apart from the table: every page has this, few have that. */
import css from './BarTable.module.css';

const LENGTHS = ['62%', '48%', '70%', '40%', '56%', '34%', '52%', '28%'];

/** The same rows, before the numbers are there. */
export function BarTableSkeleton({ rows }: { rows: number }) {
  return (
    <div className={css['skeleton']} aria-hidden="true">
      {LENGTHS.slice(0, rows).map((length) => (
        <svg key={length} width="100%" height="8" aria-hidden="true">
          <rect width={length} height="8" rx="2" />
          <rect x="92%" width="8%" height="8" rx="2" />
        </svg>
      ))}
    </div>
  );
}
