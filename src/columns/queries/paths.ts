/** Paths: which pages and events follow each other. */

import { type Breakdown, textOfKey } from '../conditions/key-places.ts';
import type { Rules } from '../filters/rules.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import type { PathEdge, PathsPlan } from '../kernels/paths.ts';
import { type Picked, united } from '../kernels/picked.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';
import { prepareSeries } from './prepare-series.ts';
import { inShares, partsOf, type Ready, type ReadySeries, type Scope, type SeriesRequest } from './series.ts';

export interface PathsQuery extends Scope {
  span: Span;
  /** Events that are steps, and the value that identifies them; events without one are no steps. */
  steps: Rules;
  by: Breakdown;
  /** Step name of a value; null: no step. */
  nodeOf(text: string): string | null;
  /** So many steps of each path. */
  length: number;
  start: string | null;
  end: string | null;
  /** A pause of this length ends a path, ms. */
  pauseMs: number;
}

export interface PathStep {
  /** Position of the transition's source, from 1. */
  step: number;
  /** Null: steps in the middle that are not seriesParts of. */
  from: string | null;
  to: string | null;
  count: number;
  ms: number;
}

export interface Paths {
  /** All, in no order. */
  edges: PathStep[];
  paths: number;
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryPaths(parts: AnswerParts, asked: PathsQuery): Promise<Paths> {
  const ready = await prepareSeries(parts, asked, wantedOfPaths(asked));
  const { paths } = await pathsOf(ready, asked, null);
  return paths;
}

/** Data to gather for paths. */
export function wantedOfPaths({ span, steps, by }: PathsQuery): SeriesRequest {
  return { spans: [span], series: [steps], by };
}

/** A transition, or a step at a place of the paths; null stands for steps in the middle that are not shown. */
export type PathsPick =
  | { step: number; from: string | null; to: string | null }
  | { step: number; node: string | null };

/** Paths, and the people of the picked transition or step. */
export async function pathsOf(
  ready: Ready,
  asked: PathsQuery,
  pick: PathsPick | null,
): Promise<{ paths: Paths; picked: Picked }> {
  const { parts } = ready;
  const { span, nodeOf, start, end } = asked;
  const [{ plan: kind, key }] = ready.series as [ReadySeries];
  const places = ready.by;
  if (places === null) throw new Error('paths need a step key');
  const plan: StepsPlan = { kinds: [kind], others: null, by: places.places, of: 'persons', firstOnly: false };
  const seriesParts = await partsOf<StepsPart>(
    ready,
    [span.from, span.until],
    key === null || places.key === null ? null : JSON.stringify(['w', places.key, key]),
    (chunks, sets) => parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  const nodes: string[] = [];
  const known = new Map<string, number>();
  const numberOf = (node: string | null): number => {
    if (node === null) return -1;
    const number = known.get(node) ?? nodes.push(node) - 1;
    known.set(node, number);
    return number;
  };
  const byText = new Map<string, number>();
  const nodesOf = seriesParts.map(({ part }) =>
    Int32Array.from(part.keys, (each) => {
      const text = textOfKey(places, each);
      const node = byText.get(text) ?? numberOf(text === '' ? null : nodeOf(text));
      byText.set(text, node);
      return node;
    }),
  );
  const [first, last] = [start === null ? null : numberOf(start), end === null ? null : numberOf(end)];
  const paths = {
    mergedInto: ready.gathered.mergedInto,
    pauseMs: asked.pauseMs,
    most: asked.length,
    start: first,
    end: last,
    nodes: nodes.length + 1,
    gap: nodes.length,
    ...(pick !== null && {
      pick: numberedPick(pick, (name) => (name === null ? nodes.length : (known.get(name) ?? NO_NODE))),
    }),
  };
  const own = seriesParts.map(({ part }) => part);
  const shares = await inShares(parts, (share) =>
    parts.threads.run({ task: 'findPaths', plan: { ...paths, share }, parts: own, nodesOf }),
  );
  const edges = new Map<string, PathEdge>();
  for (const edge of shares.flatMap((each) => each.edges)) {
    const name = `${edge.step} ${edge.from} ${edge.to}`;
    const { count, ms } = edges.get(name) ?? { count: 0, ms: 0 };
    edges.set(name, { ...edge, count: edge.count + count, ms: edge.ms + ms });
  }
  const nameOf = (node: number): string | null => nodes[node] ?? null;
  return {
    picked: united(shares.map(({ picked }) => picked)),
    paths: {
      paths: shares.reduce((sum, each) => sum + each.paths, 0),
      edges: [...edges.values()].map(({ from, to, ...edge }) => ({ ...edge, from: nameOf(from), to: nameOf(to) })),
    },
  };
}

/** Node of a step that never occurs. */
const NO_NODE = -2;

function numberedPick(pick: PathsPick, numberOf: (name: string | null) => number): NonNullable<PathsPlan['pick']> {
  const { step } = pick;
  if ('node' in pick) return { step, node: numberOf(pick.node) };
  return { step, from: numberOf(pick.from), to: numberOf(pick.to) };
}
