import { HEIGHT, linePaths, WIDTH } from '#views/charts/paths.ts';
import { axisFor } from '#views/charts/scale.ts';
import { sparkPath } from '#views/kit/spark-path.ts';

describe('axisFor', () => {
  it.each([
    ['count', [2_095], [500, 1_000, 1_500, 2_000, 2_500]],
    ['count', [10_100], [2_500, 5_000, 7_500, 10_000, 12_500]],
    ['count', [4], [1, 2, 3, 4]],
    ['count', [1], [1, 2, 3]],
    ['count', [0], [1, 2, 3]],
    ['count', [], [1, 2, 3]],
    ['count', [12], [5, 10, 15]],
    ['count', [100], [20, 40, 60, 80, 100]],
    ['count', [1_000_001], [250_000, 500_000, 750_000, 1_000_000, 1_250_000]],
    ['share', [0.386], [0.1, 0.2, 0.3, 0.4]],
    ['share', [1], [0.2, 0.4, 0.6, 0.8, 1]],
    ['share', [0.93], [0.2, 0.4, 0.6, 0.8, 1]],
    ['share', [0], [0.2, 0.4, 0.6, 0.8, 1]],
    ['share', [0.004], [0.001, 0.002, 0.003, 0.004]],
    ['mean', [3.18], [1, 2, 3, 4]],
    ['mean', [0.4], [0.1, 0.2, 0.3, 0.4]],
    ['mean', [0], [0.2, 0.4, 0.6, 0.8, 1]],
    ['seconds', [164], [60, 120, 180]],
    ['seconds', [44], [10, 20, 30, 40, 50]],
    ['seconds', [0], [1, 2, 3]],
    ['seconds', [5_000], [1_800, 3_600, 5_400]],
  ] as const)('%s up to %j', (kind, values, lines) => {
    expect(axisFor(values, kind)).toEqual({ top: lines.at(-1), lines });
  });

  it('has three to five lines for every largest value', () => {
    for (let value = 1; value < 3e6; value = Math.ceil(value * 1.07)) {
      const { top, lines } = axisFor([value, null, 0], 'count');
      expect(lines.length).toBeGreaterThanOrEqual(3);
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(top).toBeGreaterThanOrEqual(value);
      expect(lines.every(Number.isInteger)).toBe(true);
    }
  });
});

describe('linePaths', () => {
  const ten = (value: number): number[] => Array.from({ length: 10 }, () => value);

  it('draws from the top edge to the base, in the middle of each interval', () => {
    const { line } = linePaths([0, 5, 10], 10, null, 3);
    expect(line).toBe(
      `M${Math.round(WIDTH / 6)} ${HEIGHT}L${WIDTH / 2} ${HEIGHT / 2}L${Math.round((WIDTH * 5) / 6)} 0`,
    );
  });

  it('leaves a gap where nothing was received, and keeps a counted zero', () => {
    const { line } = linePaths([1, 1, null, 0, 0, 1, 1, 1], 1, null, 8);
    expect(line.match(/M/g)).toHaveLength(2);
    expect(line).toContain(`M875 ${HEIGHT}`);
  });

  it('dashes only the segment into the running interval', () => {
    const values = [...ten(1), 2];
    const { line, running } = linePaths(values, 2, 10, 11);
    expect(line.match(/[ML]/g)).toHaveLength(10);
    expect(running).toBe(`M1727 500L1909 0`);
  });

  it('dots every point when there are fewer than eight, and any that stands alone', () => {
    expect(linePaths([1, 2, 3], 3, null, 3).dots.match(/M/g)).toHaveLength(3);
    expect(linePaths(ten(1), 1, null, 10).dots).toBe('');
    expect(linePaths([null, 1, null, ...ten(1)], 1, null, 13).dots.match(/M/g)).toHaveLength(1);
    expect(linePaths([...ten(1), null, 5], 5, 11, 12)).toMatchObject({ running: '', dots: 'M1917 0h.01' });
  });

  it('draws nothing from nothing', () => {
    expect(linePaths([null, null], 3, null, 2)).toEqual({ line: '', running: '', dots: '' });
  });
});

describe('sparkPath', () => {
  it('spans the box and ends in a dot', () => {
    expect(sparkPath([0, 10], 640, 200)).toEqual({ line: 'M0 180L640 20', end: 'M640 20h.01' });
  });

  it('does not blow up a small variation', () => {
    expect(sparkPath([100, 99], 640, 200).line).toBe('M0 20L640 23');
  });

  it('lies flat when all is zero, and is empty without values', () => {
    expect(sparkPath([0, 0], 640, 200).line).toBe('M0 180L640 180');
    expect(sparkPath([null, null], 64, 20)).toEqual({ line: '', end: '' });
  });
});
