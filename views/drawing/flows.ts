/** Flows between steps. Pure. */
import { type Edge, FLOW_HEIGHT, flowOf, flowWidth } from '#views/insights/paths/flow.ts';
import { type Drawn, WIDTH } from './frame.ts';
import type { Palette } from './palette.ts';
import { shortened, tag, text } from './svg.ts';

const MAX_NAME = 22;

/** @param nameOf a step in words; null: steps in the middle that are not listed */
export function drawFlows(
  edges: readonly Edge[],
  { nameOf, numberText }: { nameOf(name: string | null): string; numberText(count: number): string },
  palette: Palette,
): Drawn {
  const { nodes, links, steps } = flowOf(edges);
  return {
    width: Math.max(WIDTH, flowWidth(steps)),
    height: FLOW_HEIGHT,
    content: [
      ...links.map(({ path, width }) =>
        tag('path', {
          d: path,
          fill: 'none',
          stroke: palette.series[0],
          'stroke-opacity': 0.25,
          'stroke-width': width,
        }),
      ),
      ...nodes.map(({ name, count, x, y, width, height }) => {
        const middle = y + Math.min(height / 2, 20);
        return [
          tag('rect', { x, y, width, height, fill: palette.series[0] }),
          text(shortened(nameOf(name), MAX_NAME), x + width + 6, middle + 2, { fill: palette.ink }),
          text(numberText(count), x + width + 6, middle + 16, { fill: palette.ink3 }),
        ].join('');
      }),
    ].join(''),
  };
}
