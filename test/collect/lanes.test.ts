import { laneOf } from '#src/collect/assign-lanes.ts';
import { createLanes } from '#src/collect/lanes.ts';
import type { FinishedEvent } from '#src/events/contract.ts';

const eventOf = (distinctId: string): FinishedEvent => ({
  ...{ projectId: 1, uuid: distinctId, event: 'a', distinctId, ts: 0, receivedAt: 0, session: null, marks: 0 },
  ...{ groups: {}, properties: {} },
  person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
});

it('writes what is said of events that were all dropped after what another lane is writing, and rests', async () => {
  const gate = Promise.withResolvers<void>();
  let rests = 0;
  const lanes = createLanes<string>({
    lanes: 2,
    batchEvents: 10,
    elapsed: () => 0,
    async write(batch) {
      await gate.promise;
      for (const { events, done } of batch) done(events.map(({ uuid }) => uuid));
    },
    async rest() {
      rests++;
      // What went round would let nothing else in.
      if (rests > 100) throw new Error('it does not rest');
    },
  });
  // A request without events goes the way of lane 0.
  const id = ['ana', 'bia', 'caio', 'davi', 'edu'].find((each) => laneOf(eventOf(each), 2) === 1) as string;
  const first = lanes.add([eventOf(id)], []);
  const said = lanes.add([], [{ projectId: 1, reason: 'no_name', isDrop: true, times: 1, at: 0, sample: {} }]);
  gate.resolve();
  expect(await first).toEqual([id]);
  expect(await said).toEqual([]);
  await lanes.idle();
  expect(rests).toBe(1);
});

it('lets small requests pass between the parts of large ones', async () => {
  const written: string[][] = [];
  const lanes = createLanes<string>({
    lanes: 1,
    batchEvents: 10,
    elapsed: () => 0,
    async write(batch) {
      await new Promise((resolve) => setImmediate(resolve));
      written.push(batch.flatMap(({ events }) => events.map(({ distinctId }) => distinctId)));
      for (const { events, done } of batch) done(events.map(({ uuid }) => uuid));
    },
    rest: async () => undefined,
  });
  const large = ['ana', 'bia'].map((id) => Array.from({ length: 100 }, () => eventOf(id)));
  const adding = large.map((events) => lanes.add(events, []));
  await lanes.add([eventOf('caio')], []);
  const before = written.flat();
  // One part of each may be ahead, and one is being written; all but those wait.
  expect(before.length).toBeLessThanOrEqual(31);
  for (const [index, outcomes] of (await Promise.all(adding)).entries()) {
    expect(outcomes).toEqual(large[index]?.map(({ uuid }) => uuid));
  }
  await lanes.idle();
  expect(written.flat()).toHaveLength(201);
});
