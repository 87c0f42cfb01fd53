/** Paths: the same figures as those of the engine (src/columns/queries/paths.ts), whose algorithm finds them in what ClickHouse says that each did. */
import type { PathStep, Paths, PathsQuery } from '#src/columns/columns.ts';
import { findPaths, type PathsPlan } from '#src/columns/kernels/paths.ts';
import { type Picked, united } from '#src/columns/kernels/picked.ts';
import { Nodes, numberedPick, type PathsPick, pathsPlan, startsIn, sumEdges } from '#src/columns/queries/paths.ts';
import { isGroupSubject } from '#src/columns/values.ts';
import type { Sql } from '#src/store/sql.ts';
import { type Actors, actorSql } from './actors.ts';
import { type QueryParts, type Span, Unsupported } from './events.ts';
import { funnelPeople } from './funnel.ts';
import { keysOf } from './keys.ts';
import { rulesSql, scopeSql } from './scope.ts';
import { timelinesOf } from './timelines.ts';

/** @throws Unsupported for too many events, and for paths of others than the groups of a funnel */
export async function clickhousePaths(parts: QueryParts, asked: PathsQuery): Promise<Paths> {
  return (await pathsIn(parts, asked, { pick: null, actor: null })).paths;
}

/**
 * Paths, and those who are behind a number of them.
 * @param actor SQL: number of the actor of an event; null: its own
 */
export async function pathsIn(
  parts: QueryParts,
  asked: PathsQuery,
  { pick, actor: given }: { pick: PathsPick | null; actor: Sql | null },
): Promise<{ paths: Paths; picked: Picked }> {
  const { span, steps, by, of = 'persons' } = asked;
  // Numbers of groups are those of one query: the funnel has the same.
  const actor = given ?? (await actorSql(parts, of, wholeOfPaths(asked)));
  const [kept, kind, keys, after] = await Promise.all([
    scopeSql(parts, asked, span),
    rulesSql(parts, steps, span),
    keysOf(parts, by, span),
    asked.after && startsOf(parts, asked.after, of, actor),
  ]);
  const nodes = new Nodes(asked.nodeOf);
  const picked: Picked[] = [];
  let edges: PathStep[] = [];
  let paths = 0;
  for await (const part of timelinesOf(parts, span, { actor, kinds: [kind], kept, keys, others: false })) {
    const nodesOf = nodes.ofKeys(part.keys, (key) => (key === 0 ? '' : String(key)));
    const plan: PathsPlan = {
      ...pathsPlan(asked, nodes),
      mergedInto: null,
      ...(after !== null && { after }),
      // A step that occurs in later shares only is nobody's in this one.
      ...(pick !== null && { pick: numberedPick(pick, nodes) }),
    };
    const found = findPaths(plan, [part], [nodesOf]);
    edges = sumEdges([...edges, ...nodes.named(found.edges)]);
    paths += found.paths;
    picked.push(found.picked);
  }
  return { paths: { edges, paths, starts: after === null ? null : after.people.length }, picked: united(picked) };
}

/** When the people of the funnel's number did their last step of it. */
async function startsOf(
  parts: QueryParts,
  { funnel, point }: NonNullable<PathsQuery['after']>,
  of: Actors,
  actor: Sql,
): Promise<NonNullable<PathsPlan['after']>> {
  const isOfGroups = isGroupSubject(funnel.of);
  if (isOfGroups && funnel.of !== of) throw new Unsupported('groups of another type');
  return startsIn((await funnelPeople(parts, funnel, point, isOfGroups ? actor : null)) ?? [], point, null);
}

/** Time of the paths, and of the funnel before them. */
export function wholeOfPaths({ span, after }: PathsQuery): Span {
  const other = after?.funnel.span ?? span;
  return { from: Math.min(span.from, other.from), until: Math.max(span.until, other.until) };
}
