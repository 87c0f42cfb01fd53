import type { LiveRow, LiveSnapshot } from '#src/events/contract.ts';
import { keyOf, readKey } from '#views/kit/event-key.ts';
import { MAX_SHOWN, MAX_WAITING, reduceStream, type StreamState, startOf } from '#views/screens/events/stream-state.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const row = (n: number): LiveRow => ({
  ts: n,
  receivedAt: n,
  uuid: uuid(n),
  event: '$pageview',
  detail: '/',
  person: { uuid: uuid(1), identified: false, label: null, distinctId: 'a' },
  path: '/',
  country: null,
  bot: false,
});
const summary = { peopleNow: 1, eventsPerMinute: 1, delayMs: null, minutes: [], pages: [], sources: [], at: 1 };
const snapshot: LiveSnapshot = { summary, rows: [row(2), row(1)], cursor: 'c0' };
const NONE = { rows: 0, more: false };
const arrived = (state: StreamState, rows: LiveRow[], held: boolean, passedOver = NONE): StreamState =>
  reduceStream(state, {
    type: 'arrived',
    of: 'all',
    update: { summary: { ...summary, at: 9 }, rows, passedOver, cursor: 'c1' },
    held,
  });
const numbers = (rows: readonly LiveRow[]): number[] => rows.map(({ ts }) => ts);

describe('reduceStream', () => {
  it('puts what arrives on top, newest first, and remembers where to go on', () => {
    const state = arrived(startOf({ of: 'all', snapshot }), [row(3), row(4)], false);
    expect(numbers(state.rows)).toEqual([4, 3, 2, 1]);
    expect(state).toMatchObject({ cursor: 'c1', waiting: [], summary: { at: 9 } });
  });

  it('lets rows wait while someone reads, and lets them in together', () => {
    let state = arrived(startOf({ of: 'all', snapshot }), [row(3)], true);
    state = arrived(state, [row(4), row(5)], true);
    expect(numbers(state.rows)).toEqual([2, 1]);
    expect(numbers(state.waiting)).toEqual([5, 4, 3]);
    state = reduceStream(state, { type: 'released' });
    expect(numbers(state.rows)).toEqual([5, 4, 3, 2, 1]);
    expect(state.waiting).toEqual([]);
  });

  it('restarts with another stream, and keeps nothing of the previous one', () => {
    const before = arrived(startOf({ of: 'all', snapshot }), [row(3)], true);
    const begun = reduceStream(before, { type: 'begun', of: 'some', snapshot: { ...snapshot, rows: [row(1)] } });
    expect(begun).toMatchObject({ of: 'some', waiting: [], cursor: 'c0' });
    expect(arrived(begun, [row(4)], false)).toBe(begun);
  });

  it('shows a row once, however often it comes', () => {
    let state = arrived(startOf({ of: 'all', snapshot }), [row(2), row(3)], true);
    state = arrived(state, [row(3)], true);
    expect(numbers(state.waiting)).toEqual([3]);
    expect(numbers(arrived(state, [row(1), row(3)], false).rows)).toEqual([2, 1]);
  });

  it('moves the summary on without rows, and leaves the lists as they are', () => {
    const before = startOf({ of: 'all', snapshot });
    const state = arrived(before, [], false);
    expect(state.rows).toBe(before.rows);
    expect(state.summary.at).toBe(9);
  });

  it('keeps no more than fits, and says that more arrived', () => {
    const many = Array.from({ length: MAX_WAITING + 50 }, (_, index) => row(index + 10));
    const held = arrived(startOf({ of: 'all', snapshot }), many, true);
    expect(held.waiting).toHaveLength(MAX_WAITING);
    expect(held.overflown).toBe(true);
    const state = reduceStream(held, { type: 'released' });
    expect(state.rows).toHaveLength(MAX_SHOWN);
    expect(state.rows[0]?.ts).toBe(MAX_WAITING + 59);
    expect(state.overflown).toBe(false);
  });

  it('adds up what was passed over, also while rows wait', () => {
    let state = arrived(startOf({ of: 'all', snapshot }), [row(3)], true, { rows: 400, more: false });
    expect(state.passedOver).toEqual({ rows: 400, more: false });
    state = arrived(state, [], true, { rows: 20, more: true });
    state = arrived(reduceStream(state, { type: 'released' }), [row(4)], false);
    expect(state.passedOver).toEqual({ rows: 420, more: true });
  });
});

describe('readKey', () => {
  it('reads what keyOf wrote', () => {
    expect(readKey(keyOf(row(7)))).toEqual({ ts: 7, uuid: uuid(7) });
    expect(readKey(`1763660000000.5_${uuid(1)}`)).toEqual({ ts: 1763660000000.5, uuid: uuid(1) });
  });

  it.each([
    null,
    '',
    '7',
    `_${uuid(1)}`,
    `7_${uuid(1)}x`,
    `x_${uuid(1)}`,
    '7_not-a-uuid',
    `7_${'-'.repeat(36)}`,
    `${'9'.repeat(15)}_${uuid(1)}`,
  ])('refuses %j', (text) => {
    expect(readKey(text)).toBeNull();
  });
});
