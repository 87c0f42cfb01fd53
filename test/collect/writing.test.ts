/** The parts of the writer, each alone; together they are in writer.test.ts. */
import type { Pool } from 'pg';
import { DatabaseError } from 'pg';
import { createAvailability } from '#src/collect/availability.ts';
import { createBatchStore, type EventStore, NO_NOTES } from '#src/collect/batch-store.ts';
import { createKeeper } from '#src/collect/keep.ts';
import type { NoteSet } from '#src/collect/notes.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { until } from '#test/kit/until.ts';
import { finished } from './context.ts';

const log = createLog('silent');
const events = ['good', 'bad', 'fine'].map((event) => finished({ event }));
const [good] = events;
if (good === undefined) throw new Error('no events');
const notes: NoteSet = {
  id: 'n',
  notes: [{ projectId: 7, reason: 'no_name', isDrop: true, times: 1, at: 0, sample: {} }],
};

describe('availability', () => {
  it('asks until the database answers, and says so once each way', async () => {
    const calls: string[] = [];
    let pings = 0;
    const availability = createAvailability({
      async ping() {
        pings++;
        if (pings < 3) throw new Error('refused');
      },
      log,
      spool: 'none',
      onTurn: () => calls.push('turn'),
      onBack: () => calls.push('back'),
      probeEveryMs: 1,
    });
    availability.expect();
    availability.goAway(new Error('refused'));
    availability.goAway(new Error('refused'));
    expect(availability.expect).toThrow('Database unavailable');
    await until(() => !availability.isAway());
    expect(calls).toEqual(['turn', 'turn', 'back']);
    expect(pings).toBe(3);
  });
});

describe('keeping what cannot be written', () => {
  const keeperOf = (disk: 'none' | 'durable' | 'rescue' | 'full') => {
    const done: string[] = [];
    const keeper = createKeeper({
      spool:
        disk === 'none'
          ? null
          : {
              durable: disk !== 'rescue',
              append: async (record) => {
                if (disk === 'full') throw new Error('full');
                done.push(Array.isArray(record) ? 'events on disk' : 'notes on disk');
              },
            },
      log,
      cause: () => new Error('refused'),
      keepInMemory: () => done.push('notes in memory'),
      onSpooled: (count) => done.push(`${count} spooled`),
    });
    return { keeper, done };
  };

  it.each([
    ['durable', ['events on disk', '1 spooled', 'notes on disk'], null],
    ['rescue', ['events on disk', '1 spooled'], 'Database unavailable'],
    ['none', [], 'Database unavailable'],
    ['full', [], 'full'],
  ] as const)('with a disk that is %s', async (disk, expected, failure) => {
    const { keeper, done } = keeperOf(disk);
    const kept = keeper.events([good], notes);
    if (failure === null) await kept;
    else await expect(kept).rejects.toThrow(failure);
    expect(done).toEqual(expected);
  });

  it.each(['none', 'full'] as const)('notes wait in memory with a disk that is %s', async (disk) => {
    const { keeper, done } = keeperOf(disk);
    await keeper.notes(notes);
    await keeper.notes({ id: 'x', notes: [] });
    expect(done).toEqual(['notes in memory']);
  });
});

describe('a batch', () => {
  const policy = { timeoutMs: 1_000, countsCopies: true, noteDropped: async () => {} };
  const storeOf = (fail: (names: string[]) => unknown) => {
    const committed: string[][] = [];
    const unwritten: NoteSet[] = [];
    const store: EventStore = {
      storeHeatmap: async () => undefined,
      async store(batch) {
        const names = batch.map(({ event }) => event);
        const failure = fail(names);
        if (failure) throw failure;
        committed.push(names);
        return { outcomes: batch.map(() => 'stored' as const), warnings: [] };
      },
    };
    const batches = createBatchStore({
      pool: {} as Pool,
      events: store,
      clock: fixedClock(0),
      log,
      onUnwritten: (set) => unwritten.push(set),
    });
    return { batches, committed, unwritten };
  };
  const sqlError = (code: string) => Object.assign(new DatabaseError('refused', 0, 'error'), { code });

  it('loses the event that cannot be stored, and no other', async () => {
    const { batches, committed } = storeOf((names) => (names.includes('bad') ? sqlError('22021') : null));
    expect(await batches.store(events, NO_NOTES, policy)).toEqual(['stored', 'unstorable', 'stored']);
    expect(committed.flat().sort()).toEqual(['fine', 'good']);
    expect(batches.counts).toMatchObject({ stored: 2, unstorable: 1, batchedEvents: 2 });
  });

  it('hands back the notes of an event that is alone', async () => {
    const { batches, unwritten } = storeOf(() => sqlError('22021'));
    expect(await batches.store([good], notes, policy)).toEqual(['unstorable']);
    expect(unwritten).toEqual([notes]);
  });

  it('tries three times after a deadlock, and blames no event for what is not its fault', async () => {
    let tries = 0;
    const deadlocked = storeOf(() => {
      tries++;
      return sqlError('40P01');
    });
    await expect(deadlocked.batches.store(events, NO_NOTES, policy)).rejects.toThrow('refused');
    expect(tries).toBe(3);
    const ours = storeOf(() => new TypeError('a mistake'));
    await expect(ours.batches.store(events, NO_NOTES, policy)).rejects.toThrow('a mistake');
  });
});
