import { assignLanes, laneOf } from '#src/collect/assign-lanes.ts';
import type { FinishedEvent } from '#src/events/contract.ts';

const merging = (distinctId: string, otherDistinctId: string | null): FinishedEvent => ({
  ...{ projectId: 1, uuid: distinctId, event: 'a', distinctId, ts: 0, receivedAt: 0, session: null, marks: 0 },
  ...{ groups: {}, properties: {} },
  person: {
    ...{ process: true, set: {}, setOnce: {}, unset: [], identify: false },
    merge: otherDistinctId === null ? null : { kind: 'alias', otherDistinctId },
  },
});

// A search that walked the whole chain each time would take minutes.
it.each<[string, (at: number) => FinishedEvent]>([
  ['each with the one before', (at) => merging(`id ${at + 1}`, `id ${at}`)],
  ['each with the one after', (at) => merging(`id ${at}`, `id ${at + 1}`)],
  ['all with the same', (at) => merging(`id ${at}`, 'null')],
  ['the same with all', (at) => merging('null', `id ${at}`)],
])('send a hundred thousand ids that are merged one way: %s', (_, merge) => {
  const events = Array.from({ length: 100_000 }, (_, at) => merge(at));
  const first = laneOf(events[0], 8);
  const others = Array.from({ length: 50 }, (_, at) => merging(`somebody ${at}`, null));
  const ways = assignLanes([...events, ...others], 8) ?? [];
  expect(new Set(ways.slice(0, events.length))).toEqual(new Set([first]));
  expect(new Set(ways.slice(events.length)).size).toBeGreaterThan(1);
});
