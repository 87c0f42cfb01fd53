/** Parts of a sum as slices of a ring, with their names and shares beside it. */
import { classNames } from '#views/kit/class-names.ts';
import { useWords } from '#views/words/words.tsx';
import css from './PieChart.module.css';
import { Swatch, seriesClass } from './Swatch.tsx';

export interface PieChartProps {
  /** Accessible name. */
  name: string;
  slices: readonly { key: string; label: string; value: number }[];
  textOf(value: number): string;
}

/** Units of the drawing: half its width, and the middle of the ring. */
const CENTRE = 100;
const RADIUS = 70;
const AROUND = 2 * Math.PI * RADIUS;

export function PieChart({ name, slices, textOf }: PieChartProps) {
  const { format } = useWords();
  const sum = slices.reduce((all, { value }) => all + value, 0);
  let from = 0;
  const drawn = slices.map((slice, index) => {
    const share = sum === 0 ? 0 : slice.value / sum;
    const offset = -from * AROUND;
    from += share;
    return { ...slice, share, offset, index };
  });
  return (
    <figure className={css['pie']} aria-label={name}>
      <svg viewBox={`0 0 ${2 * CENTRE} ${2 * CENTRE}`} aria-hidden="true">
        <g transform={`rotate(-90 ${CENTRE} ${CENTRE})`}>
          {drawn.map(({ key, share, offset, index }) => (
            <circle
              key={key}
              className={classNames(css['slice'], seriesClass(index))}
              cx={CENTRE}
              cy={CENTRE}
              r={RADIUS}
              strokeDasharray={`${share * AROUND} ${AROUND}`}
              strokeDashoffset={offset}
            />
          ))}
        </g>
      </svg>
      <ul>
        {drawn.map(({ key, label, value, share, index }) => (
          <li key={key}>
            <Swatch index={index} round />
            <span className="clip">{label}</span>
            <span className="num">{textOf(value)}</span>
            <span className="num dim">{format.percent(share)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
