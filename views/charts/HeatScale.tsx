/** The nine steps of a heat drawing, and what the first and the last stand for. */
import { classNames } from '#views/kit/class-names.ts';
import css from './Heat.module.css';
import { STEPS } from './heat-steps.ts';

/** Around a chart with cells of these steps. */
export const heatClass = css['heat'];

export function stepClass(step: number): string | undefined {
  return css[`step${step}`];
}

/** @param most what the last step goes up to */
export function HeatScale({ none, most }: { none: string; most: string }) {
  return (
    <p className={classNames(css['scale'], 'num')} aria-hidden="true">
      {none}
      <svg width="126" height="10" aria-hidden="true">
        {Array.from({ length: STEPS + 1 }, (_, step) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          <rect key={step} x={step * 14} width="13" height="10" className={stepClass(step)} />
        ))}
      </svg>
      {most}
    </p>
  );
}
