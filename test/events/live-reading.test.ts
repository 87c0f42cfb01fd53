/** The parts of Live's feed, each alone; with a database they are in live.int.test.ts. */
import type { LiveRow } from '#src/events/contract.ts';
import { createLiveBuffer, NONE } from '#src/events/live-buffer.ts';
import type { EventAddress } from '#src/events/live-queries.ts';
import { createLiveReader, type LiveRows } from '#src/events/live-reader.ts';
import { fixedClock } from '#src/kit/clock.ts';

const NOW = Date.UTC(2026, 10, 19, 15);
const address = (uuid: string, receivedAt: number): EventAddress => ({ uuid, ts: receivedAt, receivedAt });
const row = (uuid: string, receivedAt = NOW) => address(uuid, receivedAt) as LiveRow;
const names = (rows: readonly LiveRow[]) => rows.map(({ uuid }) => uuid).join('');

describe('the rows that are kept', () => {
  it('goes on from a position, in pieces', () => {
    const buffer = createLiveBuffer({ rowsKept: 4, rowsPerUpdate: 2 });
    buffer.add({ rows: [...'abc'].map((uuid) => row(uuid)), passed: NONE });
    const first = buffer.from(0);
    expect([names(first.rows), first.position, first.passed]).toEqual(['ab', 2, NONE]);
    expect(names(buffer.from(first.position).rows)).toBe('c');
    expect(buffer.from(buffer.end()).rows).toEqual([]);
  });

  it('says how many rows a viewer missed, and whether there were others', () => {
    const buffer = createLiveBuffer({ rowsKept: 4, rowsPerUpdate: 10 });
    buffer.add({ rows: [...'abcdef'].map((uuid) => row(uuid)), passed: NONE });
    expect(names(buffer.rows())).toBe('cdef');
    expect(buffer.from(1).passed).toEqual({ rows: 1, more: false });
    buffer.add({ rows: [row('z')], passed: { rows: 10, more: true } });
    const piece = buffer.from(6);
    expect([names(piece.rows), piece.passed]).toEqual(['z', { rows: 10, more: true }]);
    expect(buffer.from(piece.position).passed).toEqual(NONE);
  });
});

describe('reading what is new', () => {
  function setUp() {
    const clock = fixedClock(NOW);
    const stored: EventAddress[] = [];
    const state = { isAway: false };
    const source: LiveRows = {
      async receivedSince(since, limit, before = Number.POSITIVE_INFINITY) {
        if (state.isAway) throw new Error('away');
        return stored
          .filter(({ receivedAt }) => receivedAt >= since && receivedAt < before)
          .sort((one, other) => other.receivedAt - one.receivedAt)
          .slice(0, limit);
      },
      newest: async () => [],
      at: async (addresses) => addresses as LiveRow[],
    };
    const reader = createLiveReader(source, clock);
    const read = async () => names((await reader.next([])).rows);
    return { clock, stored, state, reader, read };
  }

  it('finds each row once, also one that was committed after a later one', async () => {
    const { clock, stored, reader, read } = setUp();
    stored.push(address('a', NOW - 5_000));
    expect(names((await reader.first()).rows)).toBe('a');
    clock.advance(1_000);
    stored.push(address('c', NOW + 900));
    expect(await read()).toBe('c');
    stored.push(address('b', NOW + 100));
    expect(await read()).toBe('b');
    expect(await read()).toBe('');
    expect(reader.newestReceived()).toBe(NOW + 900);
  });

  it('finds what was received long ago where it is said so, once, and after a failed read', async () => {
    const { stored, state, reader, read } = setUp();
    await reader.first();
    stored.push(address('s', NOW - 10 * 60_000));
    expect(await read()).toBe('');
    reader.expectSince(NOW - 10 * 60_000);
    state.isAway = true;
    await expect(read()).rejects.toThrow('away');
    state.isAway = false;
    expect(await read()).toBe('s');
    reader.expectSince(NOW - 10 * 60_000);
    expect(await read()).toBe('');
  });

  it('counts what a viewer from elsewhere did not get, as far back as it looks', async () => {
    const { stored, reader } = setUp();
    stored.push(address('a', NOW - 3_000), address('b', NOW - 2_000));
    expect(await reader.passedSince(NOW - 2_500, NOW)).toEqual({ rows: 1, more: false });
    expect(await reader.passedSince(NOW - 60 * 60_000, NOW)).toEqual({ rows: 2, more: true });
    expect(await reader.passedSince(Number.NaN, NOW)).toEqual(NONE);
  });
});
