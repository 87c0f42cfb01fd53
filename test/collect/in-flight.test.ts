import { createInFlight } from '#src/collect/in-flight.ts';
import { createPaceWatch, isTooSlow } from '#src/collect/pace.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { until } from '#test/kit/until.ts';

const MIB = 1024 * 1024;
const limits = { inFlightBytes: 100, inFlightRequests: 3, decodedBytes: 10, largeAtOnce: 1, bodyBytes: 50 };
const pace = { timeoutMs: 1_000, slowestBytesPerSecond: 10, hardLimitMs: 5_000 };
const request = (bytes?: number) => ({ headers: bytes === undefined ? {} : { 'content-length': String(bytes) } });

/** Whether a turn has come by now. */
async function hasCome(turn: Promise<void> | undefined): Promise<boolean> {
  let come = turn === undefined;
  void turn?.then(() => {
    come = true;
  });
  await new Promise(setImmediate);
  return come;
}

describe('what is in flight', () => {
  it('refuses by number, by bytes and by announced length, and gives back what a request held, once', () => {
    const inFlight = createInFlight({ ...limits, bodyBytes: 2 * MIB });
    expect(() => inFlight.admit(request(2 * MIB + 1))).toThrow('exceeds 2 MiB');
    const first = inFlight.admit(request(60));
    expect(() => inFlight.admit(request(41))).toThrow('overloaded');
    const second = inFlight.admit(request());
    const third = inFlight.admit(request(40));
    expect(() => inFlight.admit(request())).toThrow('overloaded');
    expect(() => second.hold(1)).toThrow('overloaded');
    expect(inFlight.counts()).toEqual({ requests: 3, bytes: 101 });
    for (const ticket of [first, second, third, first]) ticket.release();
    expect(inFlight.counts()).toEqual({ requests: 0, bytes: 0 });
  });

  it('lets requests be decoded in order while little is decoded, and large ones among themselves', async () => {
    const inFlight = createInFlight(limits);
    const [one, other, last] = [1, 1, 1].map((bytes) => inFlight.admit(request(bytes)));
    expect(one?.turn()).toBeUndefined();
    one?.hold(10);
    const turns = [other?.turn(), last?.turn()];
    expect(await hasCome(turns[0])).toBe(false);
    const large = one?.largeTurn();
    expect(await hasCome(large)).toBe(true);
    expect(await hasCome(turns[0])).toBe(true);
    expect(await hasCome(turns[1])).toBe(false);
    other?.hold(1);
    expect(await hasCome(turns[1])).toBe(true);
    const waits = other?.largeTurn();
    expect(await hasCome(waits)).toBe(false);
    one?.release();
    expect(await hasCome(waits)).toBe(true);
  });
});

describe('the pace of bodies', () => {
  it.each([
    { ms: 999, receivedBytes: 0, tooSlow: false },
    { ms: 1_000, receivedBytes: 9, tooSlow: true },
    { ms: 1_000, receivedBytes: 10, tooSlow: false },
    { ms: 5_000, receivedBytes: 1_000, tooSlow: false },
    { ms: 5_001, receivedBytes: 1_000, tooSlow: true },
  ])('$receivedBytes bytes in $ms ms', ({ ms, receivedBytes, tooSlow }) => {
    expect(isTooSlow({ startedMs: 7, receivedBytes }, 7 + ms, pace)).toBe(tooSlow);
  });

  it('gives up those that are too slow, and only those', async () => {
    const clock = fixedClock(0);
    const watch = createPaceWatch(clock, pace, 1);
    const givenUp: string[] = [];
    for (const [name, receivedBytes] of [['slow', 1] as const, ['quick', 1_000] as const]) {
      const arrival = {
        startedMs: clock.elapsed(),
        receivedBytes,
        giveUp() {
          givenUp.push(name);
          watch.delete(arrival);
        },
      };
      watch.add(arrival);
    }
    clock.advance(2_000);
    await until(() => givenUp.length > 0);
    watch.stop();
    expect(givenUp).toEqual(['slow']);
  });
});
