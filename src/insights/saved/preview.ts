/** The shape of a result, for the thumbnail of its insight. */
import type { FunnelResult } from '../kinds/funnel/contract.ts';
import type { LifecycleResult } from '../kinds/lifecycle/contract.ts';
import type { PathsResult } from '../kinds/paths/contract.ts';
import type { RetentionResult } from '../kinds/retention/contract.ts';
import type { StickinessResult } from '../kinds/stickiness/contract.ts';
import type { TrendsResult } from '../kinds/trends/contract.ts';
import type { Display, Preview } from './contract.ts';
import type { SavedKind } from './values.ts';

const MAX_LINES = 5;
const MAX_POINTS = 60;
const MAX_BARS = 12;
const MAX_CELLS = 8;
const MAX_STEPS = 4;
const MAX_NODES = 4;

type Draw = (result: never, display: Display) => Preview;

const drawings = {
  trends: drawTrends,
  funnel: ({ total }: FunnelResult) => ({ shape: 'bars', bars: shares(total.steps.map(({ count }) => count)) }),
  retention: drawRetention,
  paths: drawPaths,
  lifecycle: drawLifecycle,
  stickiness: ({ people }: StickinessResult) => ({ shape: 'bars', bars: shares(people.slice(0, MAX_BARS)) }),
} satisfies Record<SavedKind, Draw>;

export function previewOf(kind: SavedKind, result: unknown, display: Display): Preview {
  return (drawings[kind] as (result: unknown, display: Display) => Preview)(result, display);
}

function drawTrends({ series }: TrendsResult, display: Display): Preview {
  const rows = series.flatMap((each) => each.rows);
  if (display['chart'] === 'number') return { shape: 'number', number: rows[0]?.total ?? null };
  const lines = rows.slice(0, MAX_LINES).map(({ points }) => thinned(points));
  const greatest = greatestOf(lines.flat());
  return { shape: 'lines', lines: lines.map((line) => line.map((value) => shareOf(value, greatest))) };
}

function drawRetention({ rows, starts }: RetentionResult): Preview {
  const cohorts = rows[0]?.cohorts.slice(-MAX_CELLS) ?? [];
  const width = Math.min(starts.length, MAX_CELLS);
  return {
    shape: 'cells',
    rows: cohorts.map(({ size, returned }) =>
      returned.slice(0, width).map((count) => (size === 0 ? null : rounded(count / size))),
    ),
  };
}

function drawLifecycle({ new: begun, returning, resurrecting, dormant }: LifecycleResult): Preview {
  const stacks = begun
    .map((count, at) => [returning[at] ?? 0, resurrecting[at] ?? 0, count, -(dormant[at] ?? 0)])
    .slice(-MAX_BARS);
  const greatest = greatestOf(stacks.flatMap((stack) => [sumOf(stack.filter((each) => each > 0)), -(stack[3] ?? 0)]));
  return { shape: 'stacks', stacks: stacks.map((stack) => stack.map((each) => shareOf(each, greatest) ?? 0)) };
}

function drawPaths({ edges }: PathsResult): Preview {
  const nodes: Map<string | null, number>[] = Array.from({ length: MAX_STEPS }, () => new Map());
  const early = edges.filter(({ step }) => step < MAX_STEPS);
  for (const { step, from, to, count } of early) {
    // Nodes of the first step have no transition that leads to them.
    if (step === 1) add(nodes[0], from, count);
    add(nodes[step], to, count);
  }
  const shown = nodes.map((each) => [...each].sort(([, a], [, b]) => b - a).slice(0, MAX_NODES));
  const greatest = greatestOf(shown.map((step) => sumOf(step.map(([, count]) => count))));
  const positions = shown.map((step) => new Map(step.map(([name], at) => [name, at])));
  const links = early.flatMap(({ step, from, to, count }): [number, number, number, number][] => {
    const source = positions[step - 1]?.get(from);
    const target = positions[step]?.get(to);
    if (source === undefined || target === undefined) return [];
    return [[step - 1, source, target, shareOf(count, greatest) ?? 0]];
  });
  return {
    shape: 'flows',
    columns: shown
      .filter(({ length }) => length > 0)
      .map((step) => step.map(([, count]) => shareOf(count, greatest) ?? 0)),
    links,
  };
}

function add(counts: Map<string | null, number> | undefined, name: string | null, count: number): void {
  counts?.set(name, (counts.get(name) ?? 0) + count);
}

/** At most so many points, evenly chosen; the last one is kept. */
function thinned(points: readonly (number | null)[]): (number | null)[] {
  const every = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, at) => (points.length - 1 - at) % every === 0);
}

function shares(counts: readonly number[]): number[] {
  const greatest = greatestOf(counts);
  return counts.map((count) => shareOf(count, greatest) ?? 0);
}

function shareOf(value: number | null, greatest: number): number | null {
  if (value === null) return null;
  return greatest === 0 ? 0 : rounded(value / greatest);
}

function greatestOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((greatest, value) => Math.max(greatest, Math.abs(value ?? 0)), 0);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
