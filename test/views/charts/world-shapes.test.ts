import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { WORLD_HEIGHT, WORLD_WIDTH, worldShapes } from '#views/charts/world-shapes.ts';

describe('the map of the world', () => {
  it('is what its atlas gives', () => {
    const made = execFileSync(process.execPath, ['views/charts/draw-world.mjs', '--print'], { encoding: 'utf8' });
    expect(readFileSync('views/charts/world-shapes.ts', 'utf8')).toBe(made);
  });

  it('has every country in its place, and none over the edge', () => {
    const boxes = Object.fromEntries(Object.entries(worldShapes).map(([code, path]) => [code, boxOf(path)]));
    for (const [code, { left, right, top, bottom }] of Object.entries(boxes)) {
      expect([code, left >= 0, right <= WORLD_WIDTH, top >= 0, bottom <= WORLD_HEIGHT]).toEqual([code, ...all(4)]);
      expect([code, /^[A-Z]{2}$/.test(code)]).toEqual([code, true]);
    }
    const box = (code: string) => boxes[code] as Box;
    expect(box('BR').right).toBeGreaterThan(box('CL').right);
    expect(box('PT').right).toBeLessThan(box('DE').right);
    expect(box('NZ').top).toBeGreaterThan(box('JP').bottom);
    // Over the date line: a piece at each edge, and nothing drawn across the map between them.
    expect(box('RU').left).toBeLessThan(200);
    expect(box('RU').right).toBeGreaterThan(WORLD_WIDTH - 200);
    expect(widest(worldShapes['RU'] as string)).toBeLessThan(WORLD_WIDTH / 2);
  });
});

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function all(count: number): true[] {
  return Array.from({ length: count }, () => true as const);
}

/** Points of each ring. */
function ringsOf(path: string): [number, number][][] {
  return path
    .split('z')
    .filter((ring) => ring !== '')
    .map((ring) => {
      const [x = 0, y = 0, ...steps] = (ring.match(/-?\d+/g) ?? []).map(Number);
      const points: [number, number][] = [[x, y]];
      for (let at = 0; at < steps.length; at += 2) {
        const [lastX, lastY] = points.at(-1) as [number, number];
        points.push([lastX + (steps[at] as number), lastY + (steps[at + 1] as number)]);
      }
      return points;
    });
}

function boxOf(path: string): Box {
  const points = ringsOf(path).flat();
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function widest(path: string): number {
  return Math.max(
    ...ringsOf(path).map((ring) => {
      const xs = ring.map(([x]) => x);
      return Math.max(...xs) - Math.min(...xs);
    }),
  );
}
