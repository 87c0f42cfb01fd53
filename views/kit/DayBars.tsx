/** Occurrences by day as bars. Decoration: the numbers stand beside it. */
import { classNames } from './class-names.ts';
import css from './DayBars.module.css';

const WIDTH = 96;
const HEIGHT = 20;
const GAP = 1;

export function DayBars({
  days,
  isHot,
  isLarge = false,
}: {
  days: readonly number[];
  isHot: boolean;
  isLarge?: boolean;
}) {
  const most = Math.max(1, ...days);
  const step = WIDTH / days.length;
  return (
    <svg
      className={classNames(css['bars'], isHot && css['hot'], isLarge && css['large'])}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {days.map((events, at) => {
        const height = events === 0 ? 0.5 : Math.max(1.5, (events / most) * HEIGHT);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
          <rect key={at} x={at * step} y={HEIGHT - height} width={step - GAP} height={height} />
        );
      })}
    </svg>
  );
}
