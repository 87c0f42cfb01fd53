/** Events that wait to be stored: asked for by every screen and answer, and said in the API. */
import { withCaveats } from '#src/api/caveats.ts';
import { createWaiting } from '#src/collect/ingest-status.ts';
import { fixedClock } from '#src/kit/clock.ts';

it('is remembered for a moment, a failure is not', async () => {
  const clock = fixedClock(0);
  let asked = 0;
  let events: number | null = 7;
  const waiting = createWaiting(async () => {
    asked++;
    if (events === null) throw new Error('away');
    const spool = { events, bytes: 300 * events, oldestAt: 0 };
    return { isStoring: false, isSlow: true, guarantee: 'durable', latencyMs: null, spool };
  }, clock);
  expect(await Promise.all([waiting(), waiting()])).toEqual([7, 7]);
  events = null;
  expect(await waiting()).toBe(7);
  clock.advance(2_000);
  await expect(waiting()).rejects.toThrow('away');
  events = 0;
  expect(await waiting()).toBe(0);
  expect(asked).toBe(3);
});

it('is a caveat of every answer of the API, beside its own', () => {
  const answer = { caveats: ['noClicks'], value: 1 };
  const unknown = { event: 'purchse', goal: null, suggestions: [] };
  expect(withCaveats(answer, [], 0)).toEqual({ ...answer, waitingEvents: 0, unknownEvents: [] });
  expect(withCaveats(answer, [unknown], 3)).toMatchObject({
    caveats: ['noClicks', 'unknownEvents', 'waitingEvents'],
    waitingEvents: 3,
  });
});
