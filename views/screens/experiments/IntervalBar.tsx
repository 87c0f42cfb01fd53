/** The interval of a lift as a bar. Its numbers stand beside it. */
import type { Lift } from '#src/experiments/contract.ts';
import css from './Experiments.module.css';

/** Lifts at both ends of the bars of a table. */
export interface LiftScale {
  from: number;
  to: number;
}

/** Wider ones are cut: early intervals are of any width. */
const LOWEST = -1;
const HIGHEST = 3;
/** Steps of the scale, at most. */
const STEPS = 4;

/** Has zero and all intervals, and ends at round numbers; null without any. */
export function scaleOf(lifts: readonly Pick<Lift, 'from' | 'to'>[]): LiftScale | null {
  const from = Math.max(LOWEST, Math.min(0, ...lifts.map((lift) => lift.from)));
  const to = Math.min(HIGHEST, Math.max(0, ...lifts.map((lift) => lift.to)));
  if (to - from <= 0) return null;
  const rough = (to - from) / STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power;
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step };
}

interface IntervalBarProps {
  scale: LiftScale;
  /** Null: the control, or not computable. */
  lift: Lift | null;
  tone: 'good' | 'bad' | 'open';
}

export function IntervalBar({ scale, lift, tone }: IntervalBarProps) {
  const at = (value: number) => Math.min(100, Math.max(0, ((value - scale.from) / (scale.to - scale.from)) * 100));
  const x = (value: number) => `${at(value).toFixed(2)}%`;
  return (
    <svg className={css['bar']} aria-hidden="true">
      <line className={css['zero']} x1={x(0)} x2={x(0)} y1="0" y2="20" />
      {lift !== null && (
        <>
          <rect
            className={css[`${tone}Bar`]}
            x={x(lift.from)}
            width={`${(at(lift.to) - at(lift.from)).toFixed(2)}%`}
            y="6"
            height="8"
            rx="2"
          />
          <line className={css['estimate']} x1={x(lift.value)} x2={x(lift.value)} y1="3" y2="17" />
        </>
      )}
    </svg>
  );
}
