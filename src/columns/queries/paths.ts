/** Paths: which pages and events follow each other. */

import type { ClientBase } from 'pg';
import { busy } from '#src/kit/errors.ts';
import { type Breakdown, textOfKey } from '../conditions/key-places.ts';
import { countIncrementally, type Piece } from '../count/incremental.ts';
import type { Rules } from '../filters/rules.ts';
import type { Actors } from '../kernels/count-trend.ts';
import type { FunnelPerson } from '../kernels/funnel.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import { currentOf } from '../kernels/merges.ts';
import type { PathEdge, PathsPlan } from '../kernels/paths.ts';
import { type Picked, united } from '../kernels/picked.ts';
import type { Key } from '../kernels/row-keys.ts';
import { floatsOf, intsOf } from '../kernels/shared.ts';
import type { Span } from '../storage/span.ts';
import { isGroupSubject } from '../values.ts';
import type { AnswerParts } from './answer-parts.ts';
import { type FunnelPick, type FunnelQuery, peopleOfStep, wantedOfFunnel } from './funnels.ts';
import { atOneMoment, readChosen } from './prepare-series.ts';
import {
  columnsOfActors,
  haveSameGroups,
  inShares,
  mergesOf,
  partsOf,
  type Ready,
  type ReadySeries,
  type Scope,
} from './series.ts';

export interface PathsQuery extends Scope {
  /** Whose steps follow each other; absent: persons. */
  of?: Exclude<Actors, 'visits'>;
  span: Span;
  /** Events that are steps, and the value that identifies them; events without one are no steps. */
  steps: Rules;
  by: Breakdown;
  /** Step name of a value; null: no step. */
  nodeOf(text: string): string | null;
  /** Identifies `nodeOf`, besides `start` and `end`: the same functions have the same. */
  nodesKey: string;
  /** So many steps of each path. */
  length: number;
  start: string | null;
  end: string | null;
  /** A pause of this length ends a path, ms. */
  pauseMs: number;
  /** Only what the people of a number of a funnel did from their last step in it on. Null: all paths. */
  after: { funnel: FunnelQuery; point: FunnelPick } | null;
}

export interface PathStep {
  /** Position of the transition's source, from 1. */
  step: number;
  /** Null: steps in the middle that are not listed. */
  from: string | null;
  to: string | null;
  count: number;
  /** How many different people (or groups) did it. */
  people: number;
  ms: number;
}

export interface Paths {
  /** All, in no order. */
  edges: PathStep[];
  paths: number;
  /** With a funnel: its people at that number, who may have no path. Null without one. */
  starts: number | null;
}

/** What a query reads, of one snapshot. */
export interface ReadPaths {
  ready: Ready;
  /** Null: all paths. */
  funnel: Ready | null;
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryPaths(parts: AnswerParts, asked: PathsQuery): Promise<Paths> {
  const read = await atOneMoment(parts, (client) => readPaths(parts, client, asked));
  const { paths } = await pathsOf(read, asked, null);
  return paths;
}

/** Reads on a connection that sees one moment. @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function readPaths(parts: AnswerParts, client: ClientBase, asked: PathsQuery): Promise<ReadPaths> {
  const { span, steps, by, after, of = 'persons' } = asked;
  const wanted = { spans: [span], series: [steps], by, ...columnsOfActors(of) };
  const ready = await readChosen(parts, client, asked, wanted);
  const funnel = after && (await readChosen(parts, client, after.funnel, wantedOfFunnel(after.funnel)));
  return { ready, funnel };
}

/** When the people (or groups) of the funnel's number did their last step of it. */
async function startsOf(
  funnel: Ready,
  { funnel: asked, point }: NonNullable<PathsQuery['after']>,
): Promise<NonNullable<PathsPlan['after']>> {
  const mergedInto = isGroupSubject(asked.of) ? null : funnel.gathered.mergedInto;
  return startsIn((await peopleOfStep(funnel, asked, point)) ?? [], point, mergedInto);
}

/** The same of the people of a funnel. */
export function startsIn(
  people: readonly FunnelPerson[],
  point: FunnelPick,
  mergedInto: Int32Array | null,
): NonNullable<PathsPlan['after']> {
  const starts = people.map(({ person, times }) => ({
    person: currentOf(mergedInto, person),
    at: point.dropped ? Math.max(...times) : (times[point.step - 1] as number),
  }));
  starts.sort((one, other) => one.person - other.person || one.at - other.at);
  return { people: intsOf(starts.map(({ person }) => person)), since: floatsOf(starts.map(({ at }) => at)) };
}

/** A transition, or a step at a place of the paths; null stands for steps in the middle that are not shown. */
export type PathsPick =
  | { step: number; from: string | null; to: string | null }
  | { step: number; node: string | null };

/** Paths, and the people of the picked transition or step. */
export async function pathsOf(
  { ready, funnel }: ReadPaths,
  asked: PathsQuery,
  pick: PathsPick | null,
): Promise<{ paths: Paths; picked: Picked }> {
  const { parts } = ready;
  if (funnel !== null && !haveSameGroups(ready, funnel, asked.of ?? 'persons'))
    throw busy('Data was reloaded during the query. Try again.', 1);
  const after = funnel && asked.after && (await startsOf(funnel, asked.after));
  const { span, start, end, of = 'persons' } = asked;
  const [{ plan: kind, key }] = ready.series as [ReadySeries];
  const places = ready.by;
  if (places === null) throw new Error('paths need a step key');
  const plan: StepsPlan = { kinds: [kind], others: null, by: places.places, of, firstOnly: false };
  const stepsKey = key === null || places.key === null ? null : JSON.stringify(['w', of, places.key, key]);
  const seriesParts = await partsOf<StepsPart>(
    ready,
    [span.from, span.until],
    stepsKey,
    (chunks, sets) => parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  const nodes = new Nodes(asked.nodeOf);
  const nodesOf = seriesParts.map(({ part }) => nodes.ofKeys(part.keys, (key) => textOfKey(places, key)));
  const paths = {
    ...pathsPlan(asked, nodes),
    ...(after !== null && { after }),
    ...(pick !== null && { pick: numberedPick(pick, nodes) }),
  };
  const isKept = stepsKey !== null && after === null && pick === null;
  const found = await countIncrementally<PathsPiece, FoundPaths>(parts, {
    key: isKept
      ? JSON.stringify([
          'paths',
          asked.projectId,
          stepsKey,
          span.from,
          asked.nodesKey,
          start,
          end,
          asked.length,
          asked.pauseMs,
        ])
      : null,
    pieces: seriesParts.map(({ part }, at) => ({ part, as: '', nodes: nodesOf[at] as Int32Array })),
    mergedInto: mergesOf(ready.gathered, of),
    async find(pieces, mergedInto) {
      const [own, ofEach] = [pieces.map(({ part }) => part), pieces.map((piece) => piece.nodes)];
      const shares = await inShares(parts, (share) =>
        parts.threads.run({ task: 'findPaths', plan: { ...paths, mergedInto, share }, parts: own, nodesOf: ofEach }),
      );
      return {
        edges: sumEdges(shares.flatMap(({ edges }) => nodes.named(edges))),
        paths: shares.reduce((sum, each) => sum + each.paths, 0),
        picked: united(shares.map(({ picked }) => picked)),
      };
    },
    renew: (base, before, now) => ({
      edges: sumEdges([...base.edges, ...before.edges.map(negative), ...now.edges]).filter(({ count }) => count !== 0),
      paths: base.paths - before.paths + now.paths,
      picked: now.picked,
    }),
    bytesOf: ({ edges }) =>
      edges.reduce((sum, { from, to }) => sum + 100 + 2 * ((from?.length ?? 0) + (to?.length ?? 0)), 0),
  });
  return {
    picked: found.picked,
    paths: { paths: found.paths, starts: after === null ? null : after.people.length, edges: found.edges },
  };
}

/** Steps by number. */
export class Nodes {
  private readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly byText = new Map<string, number>();
  private readonly nodeOf: PathsQuery['nodeOf'];

  constructor(nodeOf: PathsQuery['nodeOf']) {
    this.nodeOf = nodeOf;
  }

  /** Number of a name; null: it is no step. */
  number(name: string | null): number {
    if (name === null) return -1;
    const number = this.numbers.get(name) ?? this.names.push(name) - 1;
    this.numbers.set(name, number);
    return number;
  }

  /** Of each key of a part. */
  ofKeys(keys: readonly Key[], textOf: (key: Key) => string): Int32Array {
    return Int32Array.from(keys, (key) => {
      const text = textOf(key);
      const node = this.byText.get(text) ?? this.number(text === '' ? null : this.nodeOf(text));
      this.byText.set(text, node);
      return node;
    });
  }

  /** Number of a name that occurs. */
  known(name: string): number {
    return this.numbers.get(name) ?? NO_NODE;
  }

  /** Stands for steps that are skipped. */
  get gap(): number {
    return this.names.length;
  }

  named(edges: readonly PathEdge[]): PathStep[] {
    const nameOf = (node: number): string | null => this.names[node] ?? null;
    return edges.map((edge) => ({ ...edge, from: nameOf(edge.from), to: nameOf(edge.to) }));
  }
}

/** How paths are found, once the nodes of all keys have numbers. */
export function pathsPlan({ pauseMs, length, start, end }: PathsQuery, nodes: Nodes): Omit<PathsPlan, 'mergedInto'> {
  const [first, last] = [start === null ? null : nodes.number(start), end === null ? null : nodes.number(end)];
  return { pauseMs, most: length, start: first, end: last, nodes: nodes.gap + 1, gap: nodes.gap };
}

interface PathsPiece extends Piece<StepsPart> {
  /** Of each key the node. */
  nodes: Int32Array;
}

interface FoundPaths {
  edges: PathStep[];
  paths: number;
  picked: Picked;
}

/** Each transition once. */
export function sumEdges(all: readonly PathStep[]): PathStep[] {
  const edges = new Map<string, PathStep>();
  for (const edge of all) {
    const name = JSON.stringify([edge.step, edge.from, edge.to]);
    const { count, people, ms } = edges.get(name) ?? { count: 0, people: 0, ms: 0 };
    edges.set(name, { ...edge, count: edge.count + count, people: edge.people + people, ms: edge.ms + ms });
  }
  return [...edges.values()];
}

function negative({ count, people, ms, ...edge }: PathStep): PathStep {
  return { ...edge, count: -count, people: -people, ms: -ms };
}

/** Node of a step that never occurs. */
const NO_NODE = -2;

/** The pick with the numbers of its steps. */
export function numberedPick(pick: PathsPick, nodes: Nodes): NonNullable<PathsPlan['pick']> {
  const { step } = pick;
  const numberOf = (name: string | null) => (name === null ? nodes.gap : nodes.known(name));
  if ('node' in pick) return { step, node: numberOf(pick.node) };
  return { step, from: numberOf(pick.from), to: numberOf(pick.to) };
}
