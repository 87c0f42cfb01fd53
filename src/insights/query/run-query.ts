/** Runs queries of every kind: resolves what the input names, and computes each once for all who ask the same at the same time. */

import type { Filters } from '#src/columns/contract.ts';
import { traffic } from '#src/columns/values.ts';
import type { Clock } from '#src/kit/clock.ts';
import { forbidden, notFound } from '#src/kit/errors.ts';
import { zoneOf } from '#src/kit/zone.ts';
import type { InsightKind, QueryColumns, QueryInput, RunnableKind } from '../define.ts';
import type { Goals } from '../goals/goals.ts';
import type { QueryCache } from './cache.ts';
import { filtersRevealPersons } from './contract.ts';
import { beginningOf } from './first-event.ts';
import { type EventsQuery, eventsOfPeople, revealsIdentity } from './people/contract.ts';
import { peopleOf } from './people/people.ts';
import { findRules } from './people/rules.ts';
import { type QueryScope, settingsKeyOf } from './scope.ts';

export interface QueryParts {
  clock: Pick<Clock, 'now'>;
  columns: QueryColumns;
  goals: Pick<Goals, 'get' | 'use' | 'list'>;
  cache: QueryCache;
}

/**
 * @param gone fires when the caller does not wait any longer: the computation ends once this is true of all who asked for it
 * @throws AppError `invalid`, `forbidden` for data about persons, `not_found` for a goal that does not exist, `timeout`; Cancelled
 */
export async function runQuery<Input extends QueryInput, Result>(
  { clock, columns, goals, cache }: QueryParts,
  kind: RunnableKind<string, Input, Result>,
  scope: QueryScope,
  given: Input,
  gone?: AbortSignal,
): Promise<Result> {
  const input = normalized(given);
  if (!scope.seesPersons && revealsPersons(kind, input)) throw forbidden('You may not query data about persons.');
  const goal = input.goal === undefined ? null : await goals.get(scope, input.goal);
  // Numbers without it would look like those that were asked for.
  if (input.goal !== undefined && goal === null) throw notFound('goal');
  const all = kind.usesGoals ? await goals.list(scope) : [];
  const events = eventsIn(kind, input);
  const rulesOf = await findRules(events, (id) => goals.use(scope, id));

  async function compute(now: number, ending: AbortSignal | undefined): Promise<Result> {
    const people = input.people === undefined ? null : await resolvePeople(input.people, now);
    const own = ending === undefined ? columns : columns.cancellable(ending);
    return kind.run({ columns: own, scope, people, rulesOf, goal, goals: all, now }, input);
  }

  async function resolvePeople(people: NonNullable<Input['people']>, now: number) {
    const { id, timeZone, weekStart } = scope;
    const events = await columns.firstEvents(id);
    const context = { zone: zoneOf(timeZone), weekStart, now, ...beginningOf(events) };
    return peopleOf(people, rulesOf, { ...context, first: events.first });
  }

  if (kind.isCached?.(input) === false) return compute(clock.now(), gone);
  const { id, timeZone, weekStart } = scope;
  // A goal may have become another one, so the key has its definition.
  const references = [goal, all, events.map(rulesOf)];
  const key = JSON.stringify([kind.name, id, timeZone, weekStart, settingsKeyOf(scope), input, references]);
  return cache.get(id, key, compute, gone);
}

/** The same for all who mean the same. */
function normalized<Input extends QueryInput>({ include = [], ...input }: Input): Input {
  const included = traffic.filter((each) => include.includes(each));
  return { ...input, ...(included.length > 0 && { include: included }) } as unknown as Input;
}

/** All events that a query names. */
function eventsIn<Input extends QueryInput>(kind: Pick<InsightKind<string, Input, unknown>, 'events'>, input: Input) {
  return [...(kind.events?.(input) ?? []), ...(input.people === undefined ? [] : eventsOfPeople(input.people))];
}

/** True when the result would reveal personal data. */
export function revealsPersons<Input extends QueryInput>(
  kind: Pick<InsightKind<string, Input, unknown>, 'events' | 'revealsPersons'>,
  input: Input,
): boolean {
  if (filtersRevealPersons(input.filters) || kind.revealsPersons?.(input)) return true;
  if (input.people !== undefined && revealsIdentity(input.people)) return true;
  return eventsIn(kind, input).some((events) => filtersOf(events).some(filtersRevealPersons));
}

function filtersOf(events: EventsQuery): (Filters | undefined)[] {
  if ('goal' in events) return [];
  return ('any' in events ? events.any : [events]).map(({ filters }) => filters);
}
