/** Transitions as a drawing of flows between steps. Pure. */
import { type SankeyGraph, sankey, sankeyLinkHorizontal } from 'd3-sankey';
import type { PathsResult } from '#src/insights/kinds/paths/contract.ts';

export type Edge = PathsResult['edges'][number];

export interface FlowNode {
  key: string;
  /** From 1 on. */
  step: number;
  /** Null: steps in the middle that are not listed. */
  name: string | null;
  count: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FlowLink {
  key: string;
  edge: Edge;
  path: string;
  width: number;
}

export interface Flow {
  nodes: FlowNode[];
  links: FlowLink[];
  steps: number;
}

export const FLOW_HEIGHT = 420;
/** Room for a column of nodes with their names. */
const COLUMN = 170;
const NODE_WIDTH = 8;
const PADDING = 22;
/** Height of the name and count beside the lowest node, px. */
const LABEL = 26;

interface NodeDatum {
  key: string;
  step: number;
  name: string | null;
}
interface LinkDatum {
  source: string;
  target: string;
  value: number;
  edge: Edge;
}

export function flowWidth(steps: number): number {
  return Math.max(2, steps) * COLUMN;
}

/** Those that can be followed from the first step on: others have no place in the drawing. */
export function followed(edges: readonly Edge[]): Edge[] {
  const sorted = edges.toSorted((one, other) => one.step - other.step);
  const first = sorted[0]?.step ?? 1;
  const reached = new Set<string>();
  return sorted.filter(({ step, from, to }) => {
    const isFollowed = step === first || reached.has(keyOf(step, from));
    if (isFollowed) reached.add(keyOf(step + 1, to));
    return isFollowed;
  });
}

function keyOf(step: number, name: string | null): string {
  return `${step}${name === null ? '*' : `=${name}`}`;
}

export function flowOf(all: readonly Edge[]): Flow {
  const edges = followed(all);
  const data = new Map<string, NodeDatum>();
  const node = (step: number, name: string | null): string => {
    const key = keyOf(step, name);
    if (!data.has(key)) data.set(key, { key, step, name });
    return key;
  };
  const links = edges.map(
    (edge): LinkDatum => ({
      source: node(edge.step, edge.from),
      target: node(edge.step + 1, edge.to),
      value: edge.count,
      edge,
    }),
  );
  const nodes = [...data.values()];
  const first = Math.min(...nodes.map(({ step }) => step));
  const steps = Math.max(...nodes.map(({ step }) => step)) - first + 1;
  const width = flowWidth(steps);
  const layout = sankey<NodeDatum, LinkDatum>()
    .nodeId(({ key }) => key)
    .nodeAlign(({ step }) => step - first)
    .nodeWidth(NODE_WIDTH)
    .nodePadding(PADDING)
    .extent([
      [0, 4],
      [width - COLUMN + NODE_WIDTH, FLOW_HEIGHT - LABEL],
    ]);
  // The layout writes into what it is given.
  const graph: SankeyGraph<NodeDatum, LinkDatum> = layout({
    nodes: nodes.map((each) => ({ ...each })),
    links: links.map((each) => ({ ...each })),
  });
  const pathOf = sankeyLinkHorizontal<NodeDatum, LinkDatum>();
  return {
    steps,
    nodes: graph.nodes.map(({ key, step, name, value = 0, x0 = 0, x1 = 0, y0 = 0, y1 = 0 }) => ({
      key,
      step,
      name,
      count: value,
      x: Math.round(x0),
      y: Math.round(y0),
      width: x1 - x0,
      height: Math.max(1, Math.round(y1 - y0)),
    })),
    links: graph.links.map((link) => ({
      key: `${link.edge.step} ${link.edge.from} ${link.edge.to}`,
      edge: link.edge,
      path: pathOf(link) ?? '',
      width: Math.max(1, Math.round(link.width ?? 1)),
    })),
  };
}
