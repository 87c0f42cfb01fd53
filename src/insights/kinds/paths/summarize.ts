/** The largest nodes of the first steps, and what leads from one to the next. */
import type { ResultSummary } from '../../query/contract.ts';
import { greatestOf, shareOf, sumOf } from '../../query/summaries.ts';
import type { PathsResult } from './contract.ts';

const MAX_STEPS = 4;
const MAX_NODES = 4;

export function summarizePaths({ edges }: PathsResult): ResultSummary {
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
