/** A count for each of the last minutes. The ones that count as now are brass; the one that still runs is hollow. */
import { classNames } from '#views/kit/class-names.ts';
import css from './MinuteBars.module.css';

export interface MinuteBarsProps {
  /** Oldest first; the last minute still runs. */
  minutes: readonly number[];
  /** How many of the last are now. */
  now: number;
  /** Accessible name. */
  name: string;
}

export function MinuteBars({ minutes, now, name }: MinuteBarsProps) {
  const largest = Math.max(1, ...minutes);
  const width = 100 / minutes.length;
  const last = minutes.length - 1;
  return (
    <svg className={css['bars']} role="img" aria-label={name}>
      {minutes.map((count, index) => {
        // A counted zero is a line on the ground, not nothing.
        const height = count === 0 ? 1.5 : Math.max(5, (count / largest) * 100);
        const tone = index === last && count > 0 ? css['running'] : index > last - now && css['now'];
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a minute is its place
            key={index}
            className={classNames(tone)}
            x={`${tenth(index * width)}%`}
            width={`${Math.round(width * 88) / 100}%`}
            y={`${tenth(100 - height)}%`}
            height={`${tenth(height)}%`}
          />
        );
      })}
    </svg>
  );
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
