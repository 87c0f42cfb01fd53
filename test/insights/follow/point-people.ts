/** Who is behind a number, as the engine says it, in the words of the reference. */
import type { PointPeople } from '#src/columns/columns.ts';
import type { InsightKind, QueryInput } from '#src/insights/define.ts';
import { createQueryCache } from '#src/insights/query/cache.ts';
import { runPointPeople } from '#src/insights/query/point-people.ts';
import type { QueryScope } from '#src/insights/query/scope.ts';
import type { TestDatabase } from '#test/kit/database.ts';
import type { TestEngine } from '../engine.ts';
import type { Happened, Reference } from '../reference.ts';

export interface FoundPeople {
  value: number | null;
  /** In order. */
  people: string[];
  found: PointPeople;
}

/** @param point asked of a question of the kind, which is not kept */
export async function peopleBehind<Input extends QueryInput, Result>(
  { engine, database, reference }: { engine: TestEngine; database: TestDatabase; reference: Reference },
  kind: InsightKind<string, Input, Result>,
  [project, input]: [QueryScope, Input],
  point: unknown,
): Promise<FoundPeople> {
  const { columns, deps } = engine;
  const cache = createQueryCache(deps.clock, { version: () => null });
  const goals = { get: async () => null, use: async () => null, list: async () => [] };
  const found = await runPointPeople({ clock: deps.clock, columns, goals, cache }, kind, project, input, point);
  const ids = await database.query<{ person: number; id: string }>(
    `select person, min(distinct_id) as id from distinct_ids where project_id = ${project.id} group by person`,
  );
  const nameOf = new Map(ids.map(({ person, id }) => [person, reference.personOf(id)]));
  const people = Array.from(found.people, (number) => nameOf.get(number) ?? `unknown ${number}`);
  expect(new Set(people).size).toBe(people.length);
  return { value: found.value, people: people.toSorted(), found };
}

/** Persons of these events, each once, in order. */
export function personsOf(reference: Reference, events: readonly Happened[]): string[] {
  return [...new Set(events.map(({ distinctId }) => reference.personOf(distinctId)))].toSorted();
}
