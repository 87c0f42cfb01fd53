/** Paths: how often one step led to another. */

import type { PathStep, PathsQuery } from '#src/columns/columns.ts';
import { invalid } from '#src/kit/errors.ts';
import { byBytes, largest } from '#src/kit/order.ts';
import { pageSpelling } from '#src/kit/pages/values.ts';
import { isLike } from '#src/kit/patterns/values.ts';
import type { QueryContext } from '../../define.ts';
import { begin } from '../../query/begin.ts';
import { countedUntil } from '../../query/ranges.ts';
import { viewNames } from '../../query/scope.ts';
import { checkPoint } from '../funnel/points.ts';
import { prepareFunnel } from '../funnel/run.ts';
import type { PathsInput, PathsResult } from './contract.ts';

/** The engine's query. @throws AppError `invalid` for an invalid range */
export async function preparePaths(context: QueryContext, input: PathsInput) {
  const { columns, scope: project, people, now } = context;
  const { found, scope } = await begin(columns, project, input, people, now);
  const { range } = found;
  const { stepType: of } = input;
  checkAfter(input);
  const asked: PathsQuery = {
    ...scope,
    of: input.per ?? 'persons',
    span: { from: range.from, until: countedUntil(range) },
    pauseMs: input.sessionTimeoutMinutes * 60_000,
    length: input.length,
    start: stepNamed(input.startPoint),
    end: stepNamed(input.endPoint),
    steps: [{ names: of === 'pages' ? viewNames : null, filters: [] }],
    by: { about: 'step', of, views: viewNames },
    nodeOf: nodeNames(input),
    nodesKey: JSON.stringify([input.groups, input.exclude]),
    after: input.after === undefined ? null : await prepareAfter(context, input, input.after),
  };
  return { asked, range };
}

/** A funnel of people, visits or groups goes on in paths of the same. @throws AppError `invalid` */
function checkAfter({ per = 'persons', after }: PathsInput): void {
  const counted = after?.funnel.per ?? per;
  if (counted === per || (per === 'persons' && counted === 'visits')) return;
  throw invalid('after.funnel.per', 'The funnel and the paths must count the same: people, or groups of one type.');
}

async function prepareAfter(
  context: QueryContext,
  { range, filters, people, include }: PathsInput,
  { funnel, point }: NonNullable<PathsInput['after']>,
): Promise<PathsQuery['after']> {
  checkPoint(funnel, point);
  const { asked } = await prepareFunnel(context, { ...funnel, range, filters, people, include, compare: 'none' });
  return { funnel: asked, point };
}

/** @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long */
export async function runPaths(context: QueryContext, input: PathsInput): Promise<PathsResult> {
  const { columns, scope: project } = context;
  const { asked, range } = await preparePaths(context, input);
  const { minCount: least, limit: most, maxCount: atMost = Number.POSITIVE_INFINITY } = input;
  const { edges, paths, starts } = await columns.paths(asked);
  const all = edges.filter(({ count }) => count >= least && count <= atMost);
  const shown = largest(all, most, ({ count }) => count, byStep);
  const countOf = (some: readonly PathStep[]) => some.reduce((sum, { count }) => sum + count, 0);
  return {
    timeZone: project.timeZone,
    range,
    paths,
    starts,
    edges: shown.map(({ ms, ...edge }) => ({ ...edge, meanSeconds: ms / edge.count / 1000 })),
    other: { edges: all.length - shown.length, count: countOf(all) - countOf(shown) },
  };
}

function byStep(one: PathStep, other: PathStep): number {
  return one.step - other.step || byBytes(one.from ?? '', other.from ?? '') || byBytes(one.to ?? '', other.to ?? '');
}

/** Normalizes a step name as pages are normalized; a pattern is a group of that name. */
function stepNamed(point: string | undefined): string | null {
  if (point === undefined) return null;
  return point.startsWith('/') && !isPattern(point) ? pageSpelling(point) : point;
}

function isPattern(point: string): boolean {
  return point.includes('*');
}

/** The first of `groups` that a step fits is its name: patterns of the start and the end are before the others. */
export function stepPatterns({
  groups,
  exclude,
  startPoint = '',
  endPoint = '',
}: Pick<PathsInput, 'groups' | 'exclude' | 'startPoint' | 'endPoint'>): Pick<PathsInput, 'groups' | 'exclude'> {
  return { groups: [...[startPoint, endPoint].filter(isPattern), ...groups], exclude };
}

function nodeNames(input: Parameters<typeof stepPatterns>[0]): (text: string) => string | null {
  const { groups, exclude } = stepPatterns(input);
  const fits = (text: string, pattern: string) => isLike(text, pattern) || isLike(text, pageSpelling(pattern));
  return (text) => {
    if (exclude.some((pattern) => fits(text, pattern))) return null;
    return groups.find((pattern) => fits(text, pattern)) ?? text;
  };
}
