/** The ninety days of the sample shop, stored as if the events had come as they happened. */
import { createLookups } from '#src/collect/lookups.ts';
import type { StepContext } from '#src/collect/steps/draft.ts';
import { createGroupCache } from '#src/collect/steps/group-cache.ts';
import { runSteps } from '#src/collect/steps.ts';
import { storyDays, tellStory } from '#src/demo/story.ts';
import { browserEvents, serverEvents } from '#src/demo/wire.ts';
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import type { Events } from '#src/events/events.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { Project } from '#src/projects/projects.ts';

/**
 * The sample shop's events, as the collector finishes them; a third of them carry a property that is in no group.
 *
 * @param days the last days of the ninety
 */
export async function storeStory(
  events: Pick<Events, 'store'>,
  { id, timeZone, settings, closedUntil }: Project,
  now: number,
  days = storyDays,
): Promise<void> {
  const facts = {
    ...{ receivedAt: now, token: null, sentAt: now, address: '177.32.1.1', userAgent: 'Mozilla/5.0', origin: null },
    ...{
      historical: true,
      unclean: false,
      maxEventLength: 1024 * 1024,
      small: true,
      optedOut: false,
      doNotTrack: false,
    },
  };
  const context: StepContext = {
    project: { id, timeZone, settings, closedUntil },
    facts,
    lookups: await createLookups(),
    cache: createGroupCache(),
    salts: new Map(),
    earlier: null,
    warn: () => undefined,
  };
  let number = 0;
  for (const day of tellStory(now, days)) {
    const finished: FinishedEvent[] = [...browserEvents(day, 'bench'), ...serverEvents(day, now)].map((sent) => {
      const event = runSteps(sent as unknown as JsonValue, context);
      if ('drop' in event) throw new Error(`dropped: ${event.drop}`);
      number++;
      const properties =
        number % 3 === 0 ? { ...event.properties, experiment: number % 2 ? 'A' : 'B' } : event.properties;
      // As if each had come when it happened.
      return { ...event, properties, receivedAt: event.ts, marks: event.marks & ~eventMarks.historical };
    });
    for (let at = 0; at < finished.length; at += 1_000) await events.store(finished.slice(at, at + 1_000));
  }
}
