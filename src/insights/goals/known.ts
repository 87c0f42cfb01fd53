/** Suggestions of the goal form: events, and clicked elements. */
import type { ProjectId } from '#src/projects/contract.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { KnownForGoals } from './contract.ts';
import * as queries from './queries.ts';

const MAX_OFFERED = 100;

/** Names that are hidden are not offered. */
export async function knownForGoals(on: Queryable, projectId: ProjectId): Promise<KnownForGoals> {
  const [events, clicked] = await Promise.all([
    queries.eventNames(on, projectId),
    queries.clickedChains(on, projectId),
  ]);
  const offered = (name: 'text' | 'href') =>
    [...new Set(clicked.flatMap(({ chain }) => nearestValue(chain, name) ?? []))].slice(0, MAX_OFFERED);
  return { events: events.map(({ name }) => name), texts: offered('text'), hrefs: offered('href') };
}

/** The nearest element's value of this attribute; null without one. */
function nearestValue(chain: string, name: 'text' | 'href'): string | null {
  const found = new RegExp(`[:"]${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(chain)?.[1];
  return found?.replaceAll('\\"', '"').trim() || null;
}
