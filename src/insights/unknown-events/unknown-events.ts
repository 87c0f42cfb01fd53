/** Finds event names of a query that the project has never received: mostly they are misspelt. */
import { notFound } from '#src/kit/errors.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Goal } from '../goals/contract.ts';
import type { Goals } from '../goals/goals.ts';
import { eventNames } from '../goals/queries.ts';
import { type EventsQuery, eventsOfPeople } from '../query/people/contract.ts';
import type { QueryScope } from '../query/scope.ts';
import type { NamingEvents, UnknownEvent } from './contract.ts';
import { receivedOf } from './queries.ts';
import { similarNames } from './similar-names.ts';

/** A query can name hundreds of events; the first of them say enough. */
const MAX_UNKNOWN = 20;

export interface UnknownEventsParts {
  db: Queryable;
  goals: Pick<Goals, 'get' | 'use' | 'list'>;
}

/** Names that the project has not received. @throws AppError `not_found` for a goal that does not exist, `forbidden` as its query */
export async function findUnknownEvents(
  { db, goals }: UnknownEventsParts,
  scope: QueryScope,
  { events: asked = [], people, goal, allGoals = false }: NamingEvents,
): Promise<UnknownEvent[]> {
  const events = [...asked, ...(people === undefined ? [] : eventsOfPeople(people))];
  const found = allGoals ? await goals.list(scope) : [];
  if (goal !== undefined) found.push(existing(await goals.get(scope, goal)));
  for (const number of goalsIn(events)) found.push(existing(await goals.use(scope, number)));
  const named = distinct([
    ...events.flatMap(namesIn).map((event) => ({ event, goal: null })),
    ...found.flatMap(({ id, name, rule }) => namesOfRule(rule).map((event) => ({ event, goal: { id, name } }))),
  ]);
  if (named.length === 0) return [];
  const received = await receivedOf(db, scope.id, [...new Set(named.map(({ event }) => event))]);
  const unknown = named.filter(({ event }) => !received.has(event)).slice(0, MAX_UNKNOWN);
  if (unknown.length === 0) return [];
  const known = (await eventNames(db, scope.id)).map(({ name }) => name);
  return unknown.map((each) => ({ ...each, suggestions: similarNames(each.event, known) }));
}

function existing(goal: Goal | null): Goal {
  if (goal === null) throw notFound('goal');
  return goal;
}

function goalsIn(events: readonly EventsQuery[]): Set<number> {
  return new Set(events.flatMap((each) => ('goal' in each ? [each.goal] : [])));
}

/** Without those of goals, and without the rule for any event. */
function namesIn(asked: EventsQuery): string[] {
  if ('goal' in asked) return [];
  return ('any' in asked ? asked.any : [asked]).flatMap(({ event }) => event ?? []);
}

function namesOfRule(rule: Goal['rule']): string[] {
  if (rule.kind === 'event') return [rule.event];
  return rule.kind === 'action' ? rule.any.flatMap((each) => (each.of === 'event' ? [each.event] : [])) : [];
}

type EventReference = Pick<UnknownEvent, 'event' | 'goal'>;

function distinct(named: readonly EventReference[]): EventReference[] {
  return [...new Map(named.map((each) => [JSON.stringify([each.event, each.goal?.id]), each])).values()];
}
