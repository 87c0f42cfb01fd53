import { isWorthwhile } from '#src/columns/sealing/sealer.ts';
import { dayMs } from '#src/kit/zone.ts';

const unit = 20_000;
const during = unit * dayMs + dayMs / 2;
const after = (unit + 1) * dayMs + dayMs / 24 + 1;

function worthwhile(small: number, smallRows: number, rows: number, now = during): boolean {
  return isWorthwhile({ projectId: 1, unit, small, smallRows, rows }, now);
}

it('puts a day together when much of it is new, and seldom when little is', () => {
  expect(worthwhile(3, 90, 100)).toBe(false);
  expect(worthwhile(4, 50, 100)).toBe(true);
  expect(worthwhile(23, 49, 100)).toBe(false);
  expect(worthwhile(24, 12_500, 100_000)).toBe(true);
  expect(worthwhile(95, 12_499, 100_000)).toBe(false);
});

it('does not let small chunks become many, least of all in a day that is over', () => {
  expect(worthwhile(96, 96, 1_000_000)).toBe(true);
  expect(worthwhile(24, 24, 1_000_000, after)).toBe(true);
  expect(worthwhile(23, 23, 1_000_000, after)).toBe(false);
  expect(worthwhile(2, 125, 1_000, after)).toBe(true);
  expect(worthwhile(1, 10, 10, after)).toBe(true);
});
