/** Steps of a funnel as bars, each as high as the share that reached it. Pure. */
import { type Drawn, WIDTH } from './frame.ts';
import type { Palette } from './palette.ts';
import { shortened, tag, text } from './svg.ts';

export interface DrawnStep {
  name: string;
  count: number;
  /** Below the name: the number, and rates. */
  lines: readonly string[];
}

const BAR_HEIGHT = 220;
const LINE = 16;
const GAP = 16;
const MIN_COLUMN = 110;

export function drawSteps(steps: readonly DrawnStep[], palette: Palette): Drawn {
  const column = Math.max(MIN_COLUMN, Math.min(260, (WIDTH + GAP) / Math.max(1, steps.length)));
  const first = Math.max(1, steps[0]?.count ?? 0);
  const most = Math.floor((column - GAP) / 6.8);
  const lines = Math.max(...steps.map((step) => step.lines.length), 0);
  return {
    width: Math.max(WIDTH, steps.length * column - GAP),
    height: BAR_HEIGHT + (lines + 1) * LINE + 20,
    content: steps
      .map(({ name, count, lines: said }, at) => {
        const x = at * column;
        const height = Math.max(count > 0 ? 1 : 0, Math.min(1, count / first) * BAR_HEIGHT);
        const box = { x, width: column - GAP, rx: 2 };
        return [
          tag('rect', { ...box, y: 0, height: BAR_HEIGHT, fill: palette.chartTrack }),
          tag('rect', { ...box, y: BAR_HEIGHT - height, height, fill: palette.series[0] }),
          text(shortened(name, most), x, BAR_HEIGHT + 20, { 'font-weight': 600, fill: palette.ink }),
          ...said.map((line, place) =>
            text(shortened(line, most), x, BAR_HEIGHT + 20 + (place + 1) * LINE, { fill: palette.ink3 }),
          ),
        ].join('');
      })
      .join(''),
  };
}
