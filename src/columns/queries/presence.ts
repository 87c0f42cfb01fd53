/**
 * Presence of values in the chunks that overlap a span, from their dictionaries, without reading rows. It may come from outside the span
 * within its first and last day, from events that the filters exclude, or from bots.
 */

import { eventMarks } from '#src/events/contract.ts';
import { type Gathered, touches } from '../snapshot/gather.ts';
import { numbersOf } from '../storage/format.ts';
import type { Span } from '../storage/span.ts';

export interface Presence {
  /** The requested names that occur. */
  names: string[];
  /** Visitors who were counted without storage on their device. */
  isCookieless: boolean;
}

/** @param numbers of the names that are asked for @param gathered with the columns `event` and `marks` of events */
export async function presenceOf(
  { events }: Pick<Gathered, 'events'>,
  { from, until }: Span,
  numbers: ReadonlyMap<string, number>,
): Promise<Presence> {
  const found = new Set<number>();
  let marks = 0;
  for (const { minTs, maxTs, columns, arrival } of events) {
    if (!touches({ from, until }, minTs, maxTs)) continue;
    await arrival;
    const { event, marks: ofMarks } = columns;
    for (const number of (event && numbersOf(event)) ?? []) found.add(number);
    for (const each of (ofMarks && numbersOf(ofMarks)) ?? []) marks |= each;
  }
  return {
    names: [...numbers].flatMap(([name, number]) => (found.has(number) ? name : [])),
    isCookieless: (marks & eventMarks.cookieless) !== 0,
  };
}
