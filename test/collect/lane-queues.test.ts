import { createQueues, type Piece } from '#src/collect/lane-queues.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import fc from '#test/kit/fast-check.ts';

const BATCH = 10;
const piece = (size: number): Piece<string> => ({
  events: new Array<FinishedEvent>(size),
  notes: [],
  sinceMs: 0,
  done: () => undefined,
  failed: () => undefined,
});
const puts = fc.array(fc.record({ lane: fc.integer({ min: 0, max: 2 }), size: fc.integer({ min: 1, max: BATCH }) }));

it('gives every piece to one batch, in the order of its queue, and no batch is too large', () => {
  fc.assert(
    fc.property(puts, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), (all, busy) => {
      const queues = createQueues<string>(3, BATCH);
      const waiting = all.map(({ lane, size }) => {
        const each = { lane, piece: piece(size) };
        queues.put(lane, each.piece);
        return each;
      });
      expect(queues.waiting()).toBe(all.reduce((sum, { size }) => sum + size, 0));
      for (const [lane, isBusy] of busy.entries()) queues.of(lane).isBusy = isBusy;
      const taken: Piece<string>[] = [];
      for (;;) {
        const { batch } = queues.take(queues.of(0));
        if (batch.length === 0) break;
        expect(batch.reduce((sum, { events }) => sum + events.length, 0)).toBeLessThanOrEqual(BATCH);
        taken.push(...batch);
      }
      expect(new Set(taken).size).toBe(taken.length);
      for (const lane of [0, 1, 2]) {
        const own = waiting.filter((each) => each.lane === lane).map((each) => each.piece);
        expect(taken.filter((each) => own.includes(each))).toEqual(
          own.slice(0, own.length - queues.of(lane).pieces.length),
        );
        // What a busy lane is to write itself is left to it, up to a batch.
        const left = queues.of(lane).events;
        expect(left).toBeLessThanOrEqual(lane !== 0 && busy[lane] ? BATCH : 0);
      }
    }),
  );
});
