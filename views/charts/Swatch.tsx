/** The colour of a series, beside its name. */
import { classNames } from '#views/kit/class-names.ts';
import css from './SeriesColors.module.css';

const COLOURS = 8;

/** The class that gives the `index`-th series its colour. */
export function seriesClass(index: number): string | undefined {
  return css[`s${(index % COLOURS) + 1}`];
}

export function Swatch({ index, round = false }: { index: number; round?: boolean }) {
  return <i className={classNames(round ? css['dot'] : css['swatch'], seriesClass(index))} aria-hidden="true" />;
}
