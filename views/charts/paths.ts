/**
 * Points to path data, in a box of `WIDTH` × `HEIGHT` units that is stretched over the plot. Whole units: finer than a
 * pixel on any screen, and short in the page. A null is a gap in the line, never a zero. Pure.
 */

export const WIDTH = 2000;
export const HEIGHT = 1000;

export interface LinePaths {
  /** The finished part, with gaps. */
  line: string;
  /** The line into the interval that still runs, and on; empty without one. */
  running: string;
  /** Points that stand alone between gaps, or all of them when there are few: each a dot. */
  dots: string;
}

/** Up to this many points each gets a dot. */
const FEW_POINTS = 7;

/** Where the `index`-th of `count` intervals has its middle, 0 to 1. */
export function middle(index: number, count: number): number {
  return (index + 0.5) / count;
}

/** Paths of a series; from `running` on nothing is final; `count` is how many intervals the plot is divided into, `bottom` the value at its lower edge. */
export function linePaths(
  values: readonly (number | null)[],
  top: number,
  running: number | null,
  count: number,
  bottom = 0,
): LinePaths {
  const x = (index: number): number => Math.round(middle(index, count) * WIDTH);
  const y = (value: number): number => Math.round(((top - value) / (top - bottom)) * HEIGHT);
  const at = (index: number): number | null => values[index] ?? null;
  let line = '';
  let dots = '';
  let drawing = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      drawing = false;
      continue;
    }
    const alone = at(index - 1) === null && at(index + 1) === null;
    if (alone || values.length <= FEW_POINTS) dots += `M${x(index)} ${y(value)}h.01`;
    if (running !== null && index >= running) continue;
    line += `${drawing ? 'L' : 'M'}${x(index)} ${y(value)}`;
    drawing = true;
  }
  return { line, dots, running: runningSegment() };

  function runningSegment(): string {
    if (running === null) return '';
    let path = '';
    for (let index = Math.max(running, 1); index < values.length; index++) {
      const value = at(index);
      const before = at(index - 1);
      if (value === null || before === null) continue;
      path += `${path === '' || at(index - 2) === null ? `M${x(index - 1)} ${y(before)}` : ''}L${x(index)} ${y(value)}`;
    }
    return path;
  }
}
