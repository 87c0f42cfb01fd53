/** A small line chart without axes, ending in a dot; decorative, so hidden from screen readers. */
import css from './Sparkline.module.css';
import { sparkPath } from './spark-path.ts';

/** Ten units to a pixel, so that whole numbers are fine enough. */
const WIDTH = 640;
const HEIGHT = 200;
/** More points than pixels draw nothing more. */
const MAX_POINTS = 64;

export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const { line, end } = sparkPath(thinned(values), WIDTH, HEIGHT);
  if (line === '') return null;
  return (
    <svg className={css['spark']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={line} />
      <path d={end} className={css['end']} />
    </svg>
  );
}

function thinned(values: readonly (number | null)[]): readonly (number | null)[] {
  if (values.length <= MAX_POINTS) return values;
  const step = Math.ceil(values.length / MAX_POINTS);
  // Counted from the end, so that the last value stays.
  return values.filter((_, index) => (values.length - 1 - index) % step === 0);
}
