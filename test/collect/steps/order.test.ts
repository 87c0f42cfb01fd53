import { effectiveTime, type FinishedEvent } from '#src/events/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { finished, NOW, testContext } from '../context.ts';

const at = (ms: number) => new Date(ms).toISOString();
const set = (more: JsonObject = {}): JsonObject => ({ event: '$set', properties: { $set: { plan: 'pro' } }, ...more });
/** Events of one request. */
const together = (events: JsonObject[], context = testContext()): FinishedEvent[] =>
  events.map((event) => finished(event, context));
const beyond = (events: FinishedEvent[]) =>
  events.map((event) => Math.round((effectiveTime(event) - NOW) * 1000) / 1000);

describe('of what one request says in one millisecond', () => {
  it.each<[string, JsonObject]>([
    ['without times or uuids', {}],
    ['of one second', { timestamp: '2026-11-19T15:00:00+00:00' }],
    ['of one millisecond', { timestamp: at(NOW) }],
  ])('the later counts as later: %s', (_, more) => {
    const events = together([set(more), set({ ...more, $set: { n: 1 } }), set({ ...more, $set: { n: 2 } })]);
    expect(beyond(events)).toEqual([0, 0.001, 0.002]);
    expect(events.map(({ ts }) => ts)).toEqual([NOW, NOW, NOW]);
    expect(events.map((event) => 'orderedAt' in event)).toEqual([false, true, true]);
  });

  it('that has uuids of no order too; of those that are in order the uuid tells', () => {
    const random = '3f0c7a52-9d5e-4f0d-8a55-2b3c7de1c0a7';
    expect(beyond(together([set(), set({ uuid: random })]))).toEqual([0, 0.001]);
    expect(beyond(together([set({ uuid: uuidV7(NOW) }), set({ uuid: uuidV7(NOW) })]))).toEqual([0, 0]);
    expect(beyond(together([set({ uuid: uuidV7(NOW) }), set()]))).toEqual([0, 0.001]);
  });

  it('each person is by itself, and events that say nothing of anybody are left alone', () => {
    const events = together([set(), { event: 'a' }, set({ distinct_id: 'other' }), set(), { event: 'a' }]);
    expect(beyond(events)).toEqual([0, 0, 0, 0.001, 0]);
    const personless = { $process_person_profile: false, $set: { a: 1 } };
    expect(beyond(together([set(), { event: '$set', properties: personless }]))).toEqual([0, 0]);
  });

  it('groups are no other', () => {
    const group = (plan: string) => ({
      event: '$groupidentify',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { plan } },
    });
    expect(beyond(together([group('free'), group('pro')]))).toEqual([0, 0.001]);
  });

  it('microseconds decide, in any order of the request', () => {
    const stated = [
      '15:00:00.000200Z',
      '15:00:00.000100Z',
      '15:00:00,0003+00:00',
      '15:00:00.0004',
      '15:00:00.000400999Z',
    ];
    const known = together(stated.map((time) => set({ uuid: uuidV7(NOW), timestamp: `2026-11-19T${time}` })));
    expect(beyond(known)).toEqual([0.2, 0.1, 0.3, 0.4, 0.4]);
    expect(known.map(({ ts }) => ts)).toEqual(stated.map(() => NOW));
    const seconds = [NOW / 1000 + 0.00025, String(NOW / 1000 + 0.00035), NOW + 0.5];
    expect(beyond(together(seconds.map((timestamp) => set({ uuid: uuidV7(NOW), timestamp }))))).toEqual([
      0.25, 0.35, 0.5,
    ]);
    // What goes back within a millisecond, and has no order of its own, follows.
    expect(beyond(together(stated.slice(0, 2).map((time) => set({ timestamp: `2026-11-19T${time}` }))))).toEqual([
      0.2, 0.201,
    ]);
  });

  it('no more events are ordered than a millisecond can hold', () => {
    const events = together(Array.from({ length: 1_200 }, (_, n) => set({ $set: { n } })));
    expect(Math.max(...beyond(events))).toBe(0.999);
    expect(new Set(beyond(events)).size).toBe(1_000);
  });

  it('nothing counts later than it came, though it is in order', () => {
    const context = testContext({ facts: { sentAt: null } });
    const ahead = [NOW + 3_600_000, NOW + 7_200_000].map((ms) => set({ timestamp: `${at(ms).slice(0, -1)}500Z` }));
    expect(beyond(together([...ahead, set()], context))).toEqual([0, 0.001, 0.002]);
    const unheard = [
      { timestamp: '2099-01-01T00:00:00.000900Z' },
      { timestamp: '2026-11-19T14:00:00.000900Z', offset: 0 },
    ];
    for (const each of unheard) expect(beyond(together([set(each)]))).toEqual([0]);
  });

  it('the same comes of the same request', () => {
    const events = [set(), set({ timestamp: at(NOW) }), set({ timestamp: '2026-11-19T15:00:00.000250Z' }), set()];
    expect(beyond(together(events))).toEqual(beyond(together(events)));
  });
});

it('a request of one event remembers nothing', () => {
  const context = { ...testContext(), earlier: null };
  expect(beyond([finished(set(), context), finished(set(), context)])).toEqual([0, 0]);
});
