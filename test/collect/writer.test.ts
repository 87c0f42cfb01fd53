import type { Pool } from 'pg';
import { DatabaseError } from 'pg';
import { laneOf } from '#src/collect/assign-lanes.ts';
import type { EventStore } from '#src/collect/batch-store.ts';
import type { Note, NoteSet } from '#src/collect/notes.ts';
import type { Spool, UnroutedRecord } from '#src/collect/spool.ts';
import { createWriter, type WriterLimits } from '#src/collect/writer.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';

const event = (uuid: string, projectId = 1, distinctId = 'd'): FinishedEvent => ({
  projectId,
  uuid,
  event: 'a',
  distinctId,
  ts: 0,
  receivedAt: 60_000,
  session: null,
  marks: 0,
  groups: {},
  properties: {},
  person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
});
const events = (count: number, prefix = 'e') => Array.from({ length: count }, (_, index) => event(`${prefix}${index}`));

/** A controllable database that records commits. */
function fakeDatabase() {
  const committed: string[][] = [];
  const rows: { text: string; values: unknown[] }[] = [];
  /** Ids of notes that are counted. */
  const counted = new Set<string>();
  const client = {
    query: async (query: string | { text: string; values: unknown[] }, values?: unknown[]) => {
      if (typeof query !== 'string') rows.push(query);
      else rows.push({ text: query, values: values ?? [] });
      if (typeof query !== 'string' || !query.includes('ingestion_kept')) return { rows: [] };
      if (state.holdNotes !== null) await state.holdNotes;
      const [ids] = values as [string[]];
      const fresh = ids.filter((id) => !counted.has(id));
      for (const id of fresh) counted.add(id);
      return { rows: fresh.map((id) => ({ id })) };
    },
    release() {},
  };
  const state = {
    fail: null as null | ((batch: readonly FinishedEvent[]) => unknown),
    hold: null as Promise<void> | null,
    /** Where notes are entered. */
    holdNotes: null as Promise<void> | null,
    isUp: true,
    /** All of it was stored before. */
    areCopies: false,
  };
  const store: EventStore = {
    storeHeatmap: async () => undefined,
    async store(batch, beforeCommit) {
      await state.hold;
      const failure = state.fail?.(batch);
      if (failure) throw failure;
      const result = {
        outcomes: batch.map(() => (state.areCopies ? ('duplicate' as const) : ('stored' as const))),
        warnings: [],
      };
      const closing = await beforeCommit?.(client as never, result);
      if (closing) rows.push({ text: closing.text, values: closing.values ?? [] });
      committed.push(batch.map(({ uuid }) => uuid));
      return result;
    },
  };
  const pool = {
    connect: async () => {
      if (!state.isUp) throw refused();
      return client;
    },
    query: async () => {
      if (!state.isUp) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      return { rows: [] };
    },
  } as unknown as Pool;
  /** Counts of the minutes' outcomes that were written. */
  const tallies = () => {
    const sums: Record<string, number> = {};
    for (const { text, values } of rows) {
      if (!text.includes('ingestion_minutes')) continue;
      const [, , outcomes, counts] = values as [number[], string[], string[], number[]];
      for (const [at, outcome] of outcomes.entries()) sums[outcome] = (sums[outcome] ?? 0) + (counts[at] ?? 0);
    }
    return sums;
  };
  return { store, pool, committed, rows, counted, state, tallies };
}

function fakeSpool(durable: boolean, isFull = false) {
  const kept: (FinishedEvent[] | UnroutedRecord)[] = [];
  const notes: Note[] = [];
  const ids: string[] = [];
  const spool = {
    durable,
    append: async (record: FinishedEvent[] | NoteSet) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      if ('notes' in record) {
        notes.push(...record.notes);
        ids.push(record.id);
      } else kept.push(record);
    },
  } as unknown as Spool;
  return { spool, kept, notes, ids };
}

function make(
  database: ReturnType<typeof fakeDatabase>,
  spool: Spool | null = null,
  limits: Partial<WriterLimits> = {},
  onTurn: () => void = () => undefined,
) {
  return createWriter(
    { pool: database.pool, events: database.store, spool, clock: systemClock, log: createLog('silent'), onTurn },
    { lanes: 2, batchEvents: 1_000, timeoutMs: 100, replayTimeoutMs: 200, ...limits },
  );
}

const sqlError = (code: string) => Object.assign(new DatabaseError('refused', 0, 'error'), { code });
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('group commit', () => {
  it('stores at once when nothing waits', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    expect(await writer.write(events(2))).toEqual(['stored', 'stored']);
    expect(database.committed).toEqual([['e0', 'e1']]);
    expect(database.tallies()).toEqual({ stored: 2 });
  });

  it('takes everything that waits, and answers each request its own outcomes', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    const gate = Promise.withResolvers<void>();
    database.state.hold = gate.promise;
    const writes = Array.from({ length: 10 }, (_, index) => writer.write(events(3, `r${index}-`)));
    expect(writer.stats().waiting).toBe(27);
    gate.resolve();
    const outcomes = await Promise.all(writes);
    expect(outcomes.every((own) => own.length === 3)).toBe(true);
    expect(database.committed.map((batch) => batch.length)).toEqual([3, 27]);
  });

  it('takes what waits in both lanes together while less than a batch does', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    const gate = Promise.withResolvers<void>();
    database.state.hold = gate.promise;
    const first = writer.write(events(1));
    const ids = Array.from({ length: 40 }, (_, index) => `visitor-${index}`);
    const written = Promise.all(ids.map((id) => writer.write([event(id, 1, id)])));
    expect(writer.stats().waiting).toBe(40);
    gate.resolve();
    await first;
    await written;
    expect(database.committed.map((batch) => batch.length)).toEqual([1, 40]);
  });

  it('gives those that are on their way a few milliseconds, once many came together', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    const gate = Promise.withResolvers<void>();
    database.state.hold = gate.promise;
    const crowd = [0, 1, 2, 3, 4, 5].map((n) => writer.write(events(1, `crowd${n}-`)));
    gate.resolve();
    await Promise.all(crowd);
    // The crowd's answer has come; its lane was begun a moment ago, so what comes now one after the other goes together.
    const one = writer.write(events(1, 'one'));
    await null;
    const other = writer.write(events(1, 'other'));
    await Promise.all([one, other]);
    expect(database.committed.at(-1)).toEqual(['one0', 'other0']);
  });

  it('keeps the events of a device in one lane when both are at work, and gives outcomes in the order of the request', async () => {
    const database = fakeDatabase();
    const writer = make(database, null, { batchEvents: 40 });
    const ids = Array.from({ length: 40 }, (_, index) => `visitor-${index % 20}`);
    const batch = ids.map((id, index) => event(`${id}#${index}`, 1, id));
    // Somebody signs in: the id is another one, the device is not.
    const signedIn = { ...event('visitor-7#signed-in', 1, 'somebody'), properties: { $device_id: 'visitor-7' } };
    database.state.fail = (part) => (part.some(({ uuid }) => uuid === 'visitor-3#3') ? sqlError('22P05') : null);
    const outcomes = await writer.write([...batch, signedIn]);
    expect(outcomes.map((outcome, at) => (outcome === 'unstorable' ? at : -1)).filter((at) => at >= 0)).toEqual([3]);
    database.state.fail = null;
    database.committed.length = 0;
    const gate = Promise.withResolvers<void>();
    database.state.hold = gate.promise;
    const before = writer.write(events(1));
    const written = writer.write([...batch, signedIn]);
    gate.resolve();
    await before;
    await written;
    const lanes = database.committed.filter((part) => part[0] !== 'e0');
    expect(lanes).toHaveLength(2);
    const [one, other] = lanes.map((part) => new Set(part.map((uuid) => uuid.split('#')[0])));
    expect([...(one ?? [])].filter((visitor) => other?.has(visitor))).toEqual([]);
    expect(lanes.flat()).toHaveLength(41);
  });

  it('keeps ids that a request merges in one transaction, and all of a request that removes a property', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    const ids = Array.from({ length: 240 }, (_, index) => `visitor-${index}`);
    const batch = ids.map((id) => event(id, 1, id));
    const merging = (uuid: string, id: string, otherDistinctId: string, device?: string): FinishedEvent => {
      const said = event(uuid, 1, id);
      const properties = device === undefined ? {} : { $device_id: device };
      return { ...said, properties, person: { ...said.person, merge: { kind: 'identify', otherDistinctId } } };
    };
    // In a circle, on devices of their own.
    const merges = ids
      .slice(0, 12)
      .map((id, at) => merging(`m${at}`, id, ids[(at + 1) % 12] as string, `device-${at}`));
    await writer.write([...batch, ...merges]);
    const partOf = (uuid: string) => database.committed.findIndex((part) => part.includes(uuid));
    const united = [...ids.slice(0, 12), ...merges.map(({ uuid }) => uuid)];
    expect(new Set(united.map(partOf)).size).toBe(1);
    expect(database.committed).toHaveLength(2);
    expect(database.committed.flat()).toHaveLength(252);

    database.committed.length = 0;
    const removal = event('removal', 1, 'somebody');
    await writer.write([...batch, { ...removal, person: { ...removal.person, unset: ['plan'] } }]);
    expect(database.committed).toHaveLength(1);
  });

  it('writes a request that is too large for one transaction in the order of time, one part after the other', async () => {
    const database = fakeDatabase();
    const writer = make(database, null, { batchEvents: 10 });
    // As they came: the newest first. One of the oldest removes a property.
    const said = (at: number): FinishedEvent => ({ ...event(`e${at}`), ts: at });
    const batch = Array.from({ length: 25 }, (_, index) => said(24 - index));
    const removal = { ...said(1), person: { ...said(1).person, unset: ['plan'] } };
    batch[23] = removal;
    let atWork = 0;
    let most = 0;
    const { store } = database.store;
    database.store.store = async (...all) => {
      most = Math.max(most, ++atWork);
      await new Promise(setImmediate);
      return store(...all).finally(() => atWork--);
    };
    expect(await writer.write(batch)).toHaveLength(25);
    const byTime = Array.from({ length: 25 }, (_, at) => `e${at}`);
    const transactions = () =>
      database.committed.map((part) => part.toSorted((a, b) => byTime.indexOf(a) - byTime.indexOf(b)));
    expect(transactions()).toEqual([byTime.slice(0, 10), byTime.slice(10, 20), byTime.slice(20)]);
    expect(most).toBe(1);

    // So are the halves of one that cannot be stored whole.
    database.committed.length = 0;
    database.state.fail = (part) => (part.some(({ uuid }) => uuid === 'e2') ? sqlError('22P05') : null);
    const outcomes = await make(database).write(batch.slice(17));
    expect(
      outcomes.map((outcome, at) => (outcome === 'unstorable' ? batch[17 + at]?.uuid : null)).filter(Boolean),
    ).toEqual(['e2']);
    expect(transactions()).toEqual([['e0', 'e1'], ['e3'], ['e4', 'e5', 'e6', 'e7']]);
  });

  it('lets an idle lane help one that has more than a batch waiting', async () => {
    const database = fakeDatabase();
    const writer = make(database, null, { batchEvents: 10 });
    const gate = Promise.withResolvers<void>();
    database.state.hold = gate.promise;
    const writes = Promise.all(['a', 'b', 'c', 'd'].map((prefix) => writer.write(events(6, prefix))));
    // One batch in each lane: the first request, and the one that the other lane took over.
    expect(writer.stats().waiting).toBe(12);
    gate.resolve();
    await writes;
    expect(database.committed.flat()).toHaveLength(24);
  });

  it('lets others by that have nothing to do with what takes long', async () => {
    const database = fakeDatabase();
    const writer = make(database, null, { timeoutMs: 60_000 });
    const ids = Array.from({ length: 20 }, (_, at) => `visitor-${at}`);
    const [slow, other] = [0, 1].map((way) => ids.find((each) => laneOf(event('a', 1, each), 2) === way) as string);
    const gate = Promise.withResolvers<void>();
    database.state.hold = gate.promise;
    const held = writer.write([event('held', 1, slow)]);
    await new Promise(setImmediate);
    database.state.hold = null;
    // What came right after, and what comes when it has been at work for long.
    await writer.write([event('one', 1, other)]);
    await writer.write([event('two', 1, other)]);
    expect(database.committed).toEqual([['one'], ['two']]);
    gate.resolve();
    await held;
  });

  it('fails the request whose part failed, when all its parts are over', async () => {
    const database = fakeDatabase();
    const ids = ['visitor-0', 'visitor-1', 'visitor-2', 'visitor-3'];
    database.state.fail = (part) => (part.some(({ distinctId }) => distinctId === 'visitor-1') ? refused() : null);
    const write = make(database).write(ids.map((id) => event(id, 1, id)));
    await expect(write).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('never takes more than a batch holds, and splits requests that are larger', async () => {
    const database = fakeDatabase();
    const writer = make(database, null, { batchEvents: 10, lanes: 1 });
    const outcomes = await Promise.all([
      writer.write(events(4)),
      writer.write(events(25, 'b')),
      writer.write(events(4, 'c')),
    ]);
    expect(outcomes.map((own) => own.length)).toEqual([4, 25, 4]);
    expect(Math.max(...database.committed.map((batch) => batch.length))).toBe(10);
    expect(database.committed.flat()).toHaveLength(33);
  });

  it('writes drops and warnings with the batch, even when there is nothing else', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    const note = { projectId: 1, reason: 'no_name', isDrop: true, times: 3, at: 60_000, sample: {} };
    await writer.write([], [note]);
    await writer.write(events(1), [{ ...note, reason: 'late', isDrop: false }]);
    expect(database.tallies()).toEqual({ no_name: 3, stored: 1 });
    const warnings = database.rows.filter(({ text }) => text.includes('ingestion_warnings'));
    expect(warnings.map(({ values }) => values[1])).toEqual([['no_name'], ['late']]);
  });

  it('writes what waits when it stops, and refuses after', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    const writes = Promise.all([writer.write(events(1)), writer.write(events(1)), writer.write(events(1))]);
    await writer.stop();
    await writes;
    expect(database.committed.flat()).toHaveLength(3);
    await expect(writer.write(events(1))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('refused data', () => {
  const poison = (batch: readonly FinishedEvent[]) =>
    batch.some(({ uuid }) => uuid === 'e37') ? sqlError('22P05') : null;

  it('costs one event, and its neighbours nothing', async () => {
    const database = fakeDatabase();
    database.state.fail = poison;
    const writer = make(database);
    const outcomes = await writer.write(events(100));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(99);
    expect(outcomes[37]).toBe('unstorable');
    expect(database.committed.flat()).toHaveLength(99);
    await writer.stop();
    expect(database.tallies()).toEqual({ stored: 99, unstorable: 1 });
  });

  it('does not take an error of ours for the event’s fault when nothing can be stored at all', async () => {
    const database = fakeDatabase();
    database.state.fail = () => new TypeError('a bug');
    const { spool, kept } = fakeSpool(true);
    const writer = make(database, spool);
    await writer.write(events(8));
    expect(kept.flat()).toHaveLength(8);
    expect(writer.stats().unstorable).toBe(0);
  });

  it('takes it for the event’s fault while others are stored, but not without end', async () => {
    const database = fakeDatabase();
    const { spool, kept } = fakeSpool(true);
    const writer = make(database, spool);
    await writer.write(events(1, 'ok'));
    database.state.fail = (batch) => (batch.some(({ uuid }) => uuid.startsWith('bad')) ? new TypeError('a bug') : null);
    await writer.write([...events(5), event('bad0')]);
    expect(writer.stats()).toMatchObject({ unstorable: 1, stored: 6 });
    for (let round = 0; round < 30; round++) await writer.write([event(`bad${round}`)]);
    expect(writer.stats().unstorable).toBe(20);
    expect(kept.flat()).toHaveLength(11);
  });

  it('tries again when two writers waited for each other', async () => {
    const database = fakeDatabase();
    let failures = 2;
    database.state.fail = () => (failures-- > 0 ? sqlError('40P01') : null);
    expect(await make(database).write(events(1))).toEqual(['stored']);
  });
});

describe('while the database is away', () => {
  it('keeps events on a durable disk and acknowledges them', async () => {
    const database = fakeDatabase();
    database.state.fail = refused;
    database.state.isUp = false;
    const { spool, kept } = fakeSpool(true);
    const writer = make(database, spool);
    expect(await writer.write(events(2))).toEqual(['stored', 'stored']);
    expect(await writer.write(events(1))).toEqual(['stored']);
    expect(kept.flat()).toHaveLength(3);
    expect(writer.stats()).toMatchObject({ isStoring: false, spooled: 3 });
  });

  it('keeps events on an ephemeral disk and acknowledges nothing', async () => {
    const database = fakeDatabase();
    database.state.fail = refused;
    const { spool, kept } = fakeSpool(false);
    await expect(make(database, spool).write(events(2))).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSec: 5,
    });
    expect(kept.flat()).toHaveLength(2);
  });

  it('refuses without a disk, and with a full one', async () => {
    const database = fakeDatabase();
    database.state.fail = refused;
    await expect(make(database).write(events(1))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(make(database, fakeSpool(true, true).spool).write(events(1))).rejects.toBeDefined();
  });

  it('does not wait for one that is frozen', async () => {
    const database = fakeDatabase();
    database.state.hold = new Promise(() => {});
    const { spool, kept } = fakeSpool(true);
    const writer = make(database, spool);
    await writer.write(events(1));
    await writer.write(events(1));
    expect(kept.flat()).toHaveLength(2);
    expect(writer.stats()).toMatchObject({ isStoring: false, isSlow: true });
  });

  it('tells one that is slow from one that is away', async () => {
    const database = fakeDatabase();
    database.state.hold = new Promise(() => {});
    const writer = make(database, fakeSpool(false).spool);
    await expect(writer.write(events(1))).rejects.toMatchObject({ code: 'busy' });
    database.state.isUp = false;
    while (writer.stats().isSlow) await new Promise((wake) => setTimeout(wake, 20));
    await expect(writer.write(events(1))).rejects.toMatchObject({ code: 'unavailable' });
    expect(writer.stats().isStoring).toBe(false);
    await writer.stop();
  });

  it('comes back by itself; drops that were counted meanwhile are on disk, where a restart does not end them', async () => {
    const database = fakeDatabase();
    database.state.fail = refused;
    database.state.isUp = false;
    const { spool, notes } = fakeSpool(true);
    const turns: boolean[] = [];
    const writer = make(database, spool, {}, () => turns.push(writer.stats().isStoring));
    const dropped = { projectId: 1, reason: 'no_name', isDrop: true, times: 1, at: 60_000, sample: {} };
    await writer.write(events(1), [dropped]);
    expect(notes).toEqual([dropped]);
    await expect(writer.store(events(1))).rejects.toMatchObject({ code: 'unavailable' });
    database.state.fail = null;
    database.state.isUp = true;
    while (!writer.stats().isStoring) await new Promise((wake) => setTimeout(wake, 20));
    await writer.store(events(3, 'replayed'));
    await writer.stop();
    expect(database.tallies()).toEqual({ stored: 3 });
    expect(turns).toEqual([false, true]);
  });

  it('writes drops that no disk takes when it is back', async () => {
    const database = fakeDatabase();
    database.state.fail = refused;
    database.state.isUp = false;
    const writer = make(database, fakeSpool(true, true).spool);
    await writer.write([], [{ projectId: 1, reason: 'no_name', isDrop: true, times: 1, at: 60_000, sample: {} }]);
    database.state.fail = null;
    database.state.isUp = true;
    while (!writer.stats().isStoring) await new Promise((wake) => setTimeout(wake, 20));
    await writer.stop();
    expect(database.tallies()).toEqual({ no_name: 1 });
  });

  it('leaves what it could not write about events on disk when it stops', async () => {
    const database = fakeDatabase();
    const { spool, notes } = fakeSpool(true);
    const writer = make(database, spool);
    database.state.fail = (batch) => (batch.length > 0 ? sqlError('22003') : refused());
    database.state.isUp = false;
    expect(await writer.write(events(1))).toEqual(['unstorable']);
    await writer.stop();
    expect(notes).toMatchObject([{ reason: 'unstorable', times: 1 }]);
  });

  it('does not count copies among replayed events: their file may be read again', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    await writer.store(events(3));
    database.state.areCopies = true;
    await writer.store(events(3));
    await writer.write(events(1));
    expect(database.tallies()).toEqual({ stored: 3, duplicate: 1 });
  });

  it('replayed events are sorted out like any others', async () => {
    const database = fakeDatabase();
    database.state.fail = (batch) => (batch.some(({ uuid }) => uuid === 'e1') ? sqlError('22003') : null);
    const writer = make(database);
    await writer.store(events(3));
    expect(database.committed.flat()).toEqual(['e0', 'e2']);
  });

  it('replayed events that take too long together are stored in halves while the database answers', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    database.state.fail = (batch) => (batch.length > 3 ? sqlError('57014') : null);
    await writer.store(events(10));
    expect(database.committed.flat().sort()).toEqual(
      events(10)
        .map(({ uuid }) => uuid)
        .sort(),
    );
    expect(Math.max(...database.committed.map((batch) => batch.length))).toBeLessThanOrEqual(3);
    database.committed.length = 0;
    database.state.isUp = false;
    await expect(writer.store(events(10))).rejects.toMatchObject({ code: 'unavailable' });
    database.state.isUp = true;
    database.state.fail = () => sqlError('57014');
    await expect(writer.store(events(10))).rejects.toMatchObject({ code: 'busy' });
    expect(database.committed).toEqual([]);
  });
});

describe('what is said of events', () => {
  const dropped = { projectId: 1, reason: 'no_name', isDrop: true, times: 1, at: 60_000, sample: {} };

  it('costs a batch of which nothing is said no statement', async () => {
    const database = fakeDatabase();
    await make(database).write(events(2));
    expect(database.rows.map(({ text }) => /into (\w+)/.exec(text)?.[1])).toEqual(['ingestion_minutes']);
  });

  it('waits on disk under the id that it was stored with, when half of the batch was stored before the outage', async () => {
    const database = fakeDatabase();
    const { spool, kept, notes, ids } = fakeSpool(true);
    const writer = make(database, spool);
    database.state.fail = (batch) =>
      batch.length > 1 ? sqlError('22P05') : batch[0]?.uuid === 'e1' ? refused() : null;
    await writer.write(events(2), [dropped]);
    expect([kept.flat().length, notes]).toEqual([2, [dropped]]);
    expect(database.counted.size).toBe(1);
    expect(ids).toEqual([...database.counted]);
  });

  it('keeps its id in memory too, and holds up nothing while it is written', async () => {
    const database = fakeDatabase();
    const writer = make(database);
    const gate = Promise.withResolvers<void>();
    database.state.holdNotes = gate.promise;
    await writer.write([], [dropped]);
    expect(writer.stats().isStoring).toBe(false);
    while (!writer.stats().isStoring) await new Promise((wake) => setTimeout(wake, 20));
    expect(await writer.write(events(1))).toEqual(['stored']);
    gate.resolve();
    await writer.stop();
    expect(database.counted.size).toBe(1);
    expect(database.tallies()).toEqual({ stored: 1, no_name: 1 });
  });

  it('is counted under the same id where an event cannot be stored, live and read from disk', async () => {
    const database = fakeDatabase();
    database.state.fail = (batch) => (batch.some(({ uuid }) => uuid === 'e1') ? sqlError('22003') : null);
    const writer = make(database);
    expect(await writer.write(events(2))).toEqual(['stored', 'unstorable']);
    await writer.store(events(2));
    await writer.stop();
    await make(database).store(events(2));
    expect(database.tallies()['unstorable']).toBe(1);
  });
});
