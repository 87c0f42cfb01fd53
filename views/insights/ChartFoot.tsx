/** Below a chart: in which zone its intervals are, what runs still, and what is not in it. */
import type { ResolvedRange, TrendInterval } from '#src/insights/contract.ts';
import { useWords } from '#views/words/words.tsx';
import css from './Answer.module.css';
import { OutsideTile } from './tile.tsx';

export interface ChartFootProps {
  result: { timeZone: string; range: ResolvedRange; interval?: TrendInterval };
  /** Note about the current interval; null: none. */
  running: string | null;
  notes?: readonly string[];
  /** False: the chart says it itself. */
  withZone?: boolean;
}

export function ChartFoot(props: ChartFootProps) {
  return (
    <OutsideTile>
      <Foot {...props} />
    </OutsideTile>
  );
}

function Foot({ result, running, notes = [], withZone = true }: ChartFootProps) {
  const { words, format } = useWords();
  const { timeZone, range, interval } = result;
  const zone = format.zone(range.until ?? range.to, timeZone);
  return (
    <div className={css['foot']} data-foot>
      <p>{[...(running === null ? [] : [running]), ...notes].join(' · ')}</p>
      {withZone && <p>{interval === undefined ? zone : words.chart.zone[interval](zone)}</p>}
    </div>
  );
}
