/** Totals: as large numbers, as slices of their sum, on a map of the world. Pure. */
import { logStep } from '#views/charts/heat-steps.ts';
import { otherLand, WORLD_HEIGHT, WORLD_WIDTH, worldShapes } from '#views/charts/world-shapes.ts';
import { type Drawn, WIDTH } from './frame.ts';
import type { Palette } from './palette.ts';
import { colorOf } from './series.ts';
import { shortened, tag, text } from './svg.ts';

export interface Total {
  label: string;
  value: number | null;
  /** The value in words. */
  text: string;
}

const COLUMNS = 4;
const NUMBER_HEIGHT = 84;

export function drawNumbers(totals: readonly Total[], palette: Palette): Drawn {
  const column = WIDTH / COLUMNS;
  return {
    width: WIDTH,
    height: Math.ceil(totals.length / COLUMNS) * NUMBER_HEIGHT,
    content: totals
      .map(({ label, text: said }, at) => {
        const [x, y] = [(at % COLUMNS) * column, Math.floor(at / COLUMNS) * NUMBER_HEIGHT];
        return (
          text(shortened(label, 30), x, y + 16, { fill: palette.ink3 }) +
          text(said, x, y + 52, { 'font-size': 30, 'font-weight': 600, fill: palette.ink })
        );
      })
      .join(''),
  };
}

const RADIUS = 96;
const RING = 56;
const AROUND = 2 * Math.PI * RADIUS;
const PIE_HEIGHT = 300;
const LIST_LINE = 24;

/** @param shareText a share of the sum in words */
export function drawPie(totals: readonly Total[], shareText: (share: number) => string, palette: Palette): Drawn {
  const values = totals.map(({ value }) => Math.max(0, value ?? 0));
  const sum = values.reduce((all, value) => all + value, 0);
  const height = Math.max(PIE_HEIGHT, totals.length * LIST_LINE + 24);
  const centre = { x: 160, y: height / 2 };
  let from = 0;
  const slices = values.map((value, at) => {
    const share = sum === 0 ? 0 : value / sum;
    const slice = tag('circle', {
      cx: centre.x,
      cy: centre.y,
      r: RADIUS,
      fill: 'none',
      stroke: colorOf(at, palette),
      'stroke-width': RING,
      'stroke-dasharray': `${share * AROUND} ${AROUND}`,
      'stroke-dashoffset': -from * AROUND,
      transform: `rotate(-90 ${centre.x} ${centre.y})`,
    });
    from += share;
    return share === 0 ? '' : slice;
  });
  const top = (height - totals.length * LIST_LINE) / 2;
  const list = totals.map(({ label, text: said }, at) => {
    const y = top + at * LIST_LINE + 16;
    const share = sum === 0 ? 0 : (values[at] as number) / sum;
    return [
      tag('rect', { x: 350, y: y - 9, width: 10, height: 10, rx: 5, fill: colorOf(at, palette) }),
      text(shortened(label, 44), 368, y, { fill: palette.ink }),
      text(said, 780, y, { 'text-anchor': 'end', fill: palette.ink }),
      text(shareText(share), 880, y, { 'text-anchor': 'end', fill: palette.ink3 }),
    ].join('');
  });
  return { width: WIDTH, height, content: [...slices, ...list].join('') };
}

const LISTED = 8;

/** Countries by code; those that most have are listed below. */
export function drawMap(totals: readonly (Total & { code: string })[], palette: Palette): Drawn {
  const most = Math.max(1, ...totals.map(({ value }) => value ?? 0));
  const byCode = new Map(totals.map(({ code, value }) => [code, value ?? 0]));
  const scale = WIDTH / WORLD_WIDTH;
  const map = WORLD_HEIGHT * scale;
  const land = (d: string, step: number) =>
    tag('path', { d, fill: palette.heat[step], stroke: palette.canvas, 'stroke-width': 0.5 });
  const shapes = Object.entries(worldShapes).map(([code, d]) => land(d, logStep(byCode.get(code) ?? 0, most)));
  const listed = [...totals].sort((one, other) => (other.value ?? 0) - (one.value ?? 0)).slice(0, LISTED);
  const column = WIDTH / 4;
  return {
    width: WIDTH,
    height: map + 16 + Math.ceil(listed.length / 4) * LIST_LINE,
    content: [
      tag('g', { transform: `scale(${scale})` }, [land(otherLand, 0), ...shapes].join('')),
      ...listed.map(({ label, text: said }, at) =>
        text(`${shortened(label, 20)}: ${said}`, (at % 4) * column, map + 28 + Math.floor(at / 4) * LIST_LINE, {
          fill: palette.ink,
        }),
      ),
    ].join(''),
  };
}
