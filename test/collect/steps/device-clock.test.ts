/** Times of one device keep their order regardless of request latency, and those of several as far as possible. */

import { effectiveTime } from '#src/events/contract.ts';
import fc from '#test/kit/fast-check.ts';
import { finished, NOW, testContext } from '../context.ts';

/** Requests take up to this. */
const MAX_LATENCY_MS = 2_000;

const event = fc.record({
  device: fc.integer({ min: 0, max: 2 }),
  /** After the previous event, of any device. */
  afterMs: fc.integer({ min: 1, max: 3_000 }),
  waitsMs: fc.integer({ min: 0, max: 60_000 }),
  latencyMs: fc.integer({ min: 1, max: MAX_LATENCY_MS }),
  form: fc.constantFrom('timestamp', 'offset'),
});
const clocks = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -86_400_000, max: 86_400_000 })));

/** What is stored of each, with when it really happened, as the requests arrive. */
function arrive(events: readonly (typeof event extends fc.Arbitrary<infer E> ? E : never)[], skews: readonly number[]) {
  const context = testContext();
  let happened = NOW;
  const requests = events.map((each, index) => {
    happened += each.afterMs;
    const sentAt = happened + each.waitsMs;
    return { ...each, index, happened, sentAt, receivedAt: sentAt + each.latencyMs };
  });
  return requests
    .toSorted((a, b) => a.receivedAt - b.receivedAt)
    .map(({ device, form, waitsMs, happened, sentAt, receivedAt }) => {
      const skew = skews[device] ?? 0;
      const facts = { ...context.facts, receivedAt, sentAt: sentAt + skew };
      const time = form === 'offset' ? { offset: waitsMs } : { timestamp: new Date(happened + skew).toISOString() };
      const properties = { $device_id: `device ${device}`, $set: { at: happened } };
      const stored = finished({ event: '$set', ...time, properties }, { ...context, facts, earlier: null });
      return { device, happened, ts: stored.ts, told: effectiveTime(stored) };
    })
    .toSorted((a, b) => a.happened - b.happened);
}

it('keeps the order of each device, exactly', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 2, maxLength: 12 }), clocks, (events, skews) => {
      const stored = arrive(events, skews);
      for (const device of [0, 1, 2]) {
        const own = stored.filter((each) => each.device === device);
        const [first] = own;
        const elapsed = own.map(({ happened }) => happened - (first?.happened ?? 0));
        expect(own.map(({ ts }) => ts - (first?.ts ?? 0))).toEqual(elapsed);
        expect(own.map(({ told }) => told - (first?.told ?? 0))).toEqual(elapsed);
      }
    }),
  );
});

it('tells devices apart as far as requests take time', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 2, maxLength: 12 }), clocks, (events, skews) => {
      for (const { happened, ts, told } of arrive(events, skews)) {
        expect(ts - happened).toBeGreaterThan(0);
        expect(ts - happened).toBeLessThanOrEqual(MAX_LATENCY_MS);
        expect(told).toBe(ts);
      }
    }),
  );
});

it('keeps the place of requests that were very slow, however many', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 55_000 }), { minLength: 1, maxLength: 6 }), (slow) => {
      const context = testContext();
      const tsAt = (happened: number, latency: number) => {
        const facts = { ...context.facts, sentAt: happened, receivedAt: happened + latency };
        const event = { timestamp: new Date(happened).toISOString(), properties: { $device_id: 'one' } };
        return finished(event, { ...context, facts }).ts;
      };
      expect(tsAt(NOW, 100)).toBe(NOW + 100);
      slow.forEach((latency, index) => {
        expect(tsAt(NOW + index, 100 + latency)).toBe(NOW + index + 100);
      });
    }),
  );
});

it('measures a clock again that was set, and each request of who names no device', () => {
  const context = testContext();
  const tsAt = (sentAt: number, device: object) => {
    const facts = { ...context.facts, sentAt };
    return finished({ timestamp: new Date(sentAt).toISOString(), properties: { ...device } }, { ...context, facts }).ts;
  };
  const device = { $device_id: 'one' };
  expect([tsAt(NOW - 100, device), tsAt(NOW - 400, device)]).toEqual([NOW, NOW - 300]);
  expect([tsAt(NOW - 3_600_000, device), tsAt(NOW - 3_600_100, device)]).toEqual([NOW, NOW - 100]);
  expect([tsAt(NOW - 100, {}), tsAt(NOW - 400, {})]).toEqual([NOW, NOW]);
  const session = { $session_id: '0193abcd-1234-7000-8000-000000000001' };
  expect([tsAt(NOW - 100, session), tsAt(NOW - 400, session)]).toEqual([NOW, NOW - 300]);
});
