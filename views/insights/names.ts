/** Names of events on screens. Pure. */
import type { EventRuleInput, EventsQuery } from '#src/insights/query/people/contract.ts';
import type { InsightWords } from '#views/words/insights.ts';

/** Property with the code of an event's country. */
export const COUNTRY_CODE = '$geoip_country_code';

/** A goal as lists have it. */
export interface GoalName {
  id: number;
  name: string;
}

/** The rules of a choice, of which any fits; none of a goal. */
export function rulesIn(events: EventsQuery): readonly EventRuleInput[] {
  if ('goal' in events) return [];
  return 'any' in events ? events.any : [events];
}

/** The choice of events that fit any of these rules. */
export function anyOf(rules: readonly EventRuleInput[]): EventsQuery {
  const [only] = rules;
  return rules.length === 1 && only !== undefined ? only : { any: [...rules] };
}

export function eventName(event: string | null, words: InsightWords): string {
  if (event === null) return words.event.any;
  return Object.hasOwn(words.names, event) ? (words.names[event] as string) : event;
}

export function eventsName(events: EventsQuery, goals: readonly GoalName[], words: InsightWords): string {
  if ('goal' in events) return goals.find(({ id }) => id === events.goal)?.name ?? words.event.goneGoal;
  return rulesIn(events)
    .map(({ event }) => eventName(event, words))
    .join(` ${words.event.or} `);
}

/** Whether values of the property are codes of countries. */
export function isCountry({ about, name }: { about: string; name: string }): boolean {
  return about === 'event' && name === COUNTRY_CODE;
}
