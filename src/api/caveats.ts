/** Caveats of a result, such as waiting events; part of every query's response. */
import * as z from 'zod';
import { type Caveat, caveats } from '#src/insights/contract.ts';
import type { UnknownEvent } from '#src/insights/unknown-events/contract.ts';

const UnknownEventAnswer = z
  .object({
    event: z.string(),
    goal: z.object({ id: z.int(), name: z.string() }).nullable().meta({ description: 'The goal that names it.' }),
    suggestions: z.array(z.string()).meta({ description: 'Received names that are spelled alike.' }),
    message: z.string(),
  })
  .meta({ id: 'UnknownEvent' });

const added = {
  caveats: z.array(z.enum([...caveats, 'unknownEvents', 'waitingEvents'])).meta({
    description:
      'What makes a number another than it seems. visitorDays: some visitors may have been counted without storage, as another each day. noClicks, noLeaves: none is recorded, so the bounce rate may be too high. unknownEvents: the query names events that have never been received. waitingEvents: accepted events are not stored yet, so numbers of the last minutes may be too low.',
  }),
  waitingEvents: z.int().meta({
    description:
      'Events that this server has accepted and not stored yet, of all projects. 0 unless the database was unavailable or slow.',
  }),
  unknownEvents: z.array(UnknownEventAnswer).meta({
    description: 'Event names of the query that have never been received. Often they are misspelt.',
  }),
};

const answers = new WeakMap<z.ZodObject, z.ZodObject>();

/** A result's schema with the common fields of every response; one per result, since OpenAPI names each schema once. */
export function answerWithCaveats(result: z.ZodObject): z.ZodObject {
  const known = answers.get(result);
  if (known !== undefined) return known;
  const answer = result.extend(added).meta({ ...result.meta() });
  answers.set(result, answer);
  return answer;
}

/** @param waiting events that were accepted and are not stored yet */
export function withCaveats(
  result: object,
  unknown: readonly UnknownEvent[],
  waiting: number,
): Record<string, unknown> {
  const own = 'caveats' in result ? (result.caveats as Caveat[]) : [];
  return {
    ...result,
    caveats: [...own, ...(unknown.length === 0 ? [] : ['unknownEvents']), ...(waiting === 0 ? [] : ['waitingEvents'])],
    waitingEvents: waiting,
    unknownEvents: unknown.map((each) => ({ ...each, message: messageOf(each) })),
  };
}

function messageOf({ suggestions }: UnknownEvent): string {
  const message = 'No event with this name has been received.';
  if (suggestions.length === 0) return message;
  return `${message} Did you mean ${suggestions.map((name) => `“${name}”`).join(' or ')}?`;
}
