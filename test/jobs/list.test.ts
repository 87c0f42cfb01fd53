/** Whatever works by itself has a name that people read, in both languages. */
import { type RecurringParts, recurringWork } from '#src/jobs/list.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { ingestionWords } from '#views/words/ingestion.ts';

describe('delivery of the mirror', () => {
  const MINUTE = Date.UTC(2026, 10, 19, 15, 4);

  /** For how long it delivers, begun so many ms into a minute; each round lasts so much longer than asked. */
  async function rounds(beganMs: number, longerMs: number[] = []): Promise<number[]> {
    const clock = fixedClock(MINUTE + beganMs);
    const asked: number[] = [];
    const mirror = {
      deliver: async (_signal: AbortSignal, forMs: number) => {
        clock.advance(forMs + (longerMs[asked.push(forMs) - 1] ?? 0));
        return { delivered: 0 };
      },
    };
    const parts = { clock, relay: { mode: 'mirror', mirror } } as unknown as RecurringParts;
    const job = recurringWork(parts).find(({ name }) => name === 'mirror-deliver');
    await job?.run(new AbortController().signal);
    return asked;
  }

  it('goes on to the end of the minute, when the next run takes over', async () => {
    expect(await rounds(0)).toEqual([58_000]);
    expect(await rounds(20_000, [900])).toEqual([38_000]);
  });

  it('goes on through the next minute when the run of that one would find it at work, and leave', async () => {
    expect(await rounds(58_500)).toEqual([59_500]);
    expect(await rounds(59_999)).toEqual([58_001]);
    expect(await rounds(30_000, [9_000])).toEqual([28_000, 51_000]);
    expect(await rounds(30_000, [1_900])).toEqual([28_000, 58_100]);
  });

  it('ends when it is aborted', async () => {
    const clock = fixedClock(MINUTE);
    const stop = new AbortController();
    const deliver = async () => stop.abort();
    const parts = { clock, relay: { mode: 'mirror', mirror: { deliver } } } as unknown as RecurringParts;
    await recurringWork(parts)
      .find(({ name }) => name === 'mirror-deliver')
      ?.run(stop.signal);
    expect(stop.signal.aborted).toBe(true);
  });
});

describe('recurring work', () => {
  it('has a name to read for each entry, and no name for what is not there', () => {
    const parts = { collect: {}, relay: { mode: 'mirror', mirror: {} } } as RecurringParts;
    const names = recurringWork(parts).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const language of ['en', 'pt-BR'] as const) {
      expect(Object.keys(ingestionWords[language].jobNames).sort()).toEqual([...names].sort());
    }
  });
});
