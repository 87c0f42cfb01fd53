import { createQueryCache } from '#src/insights/query/cache.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { fixedClock } from '#src/kit/clock.ts';
import fc from '#test/kit/fast-check.ts';

/** Computations that end on request. */
function setUp(versions: { current: number | null } = { current: 1 }) {
  const clock = fixedClock(1_000_000);
  const cache = createQueryCache(clock, { version: () => versions.current });
  const begun: { end(answer: string): void; fail(error: Error): void; ending: AbortSignal }[] = [];
  const ask = (key = 'question', gone?: AbortSignal) =>
    cache.get(1, key, (_, ending) => new Promise<string>((end, fail) => begun.push({ end, fail, ending })), gone);
  return { clock, versions, begun, ask };
}

describe('answers', () => {
  it('computes once for all who ask at the same time, and keeps the answer for a moment', async () => {
    const { clock, begun, ask } = setUp();
    const asked = [ask(), ask(), ask()];
    expect(begun).toHaveLength(1);
    begun[0]?.end('a');
    expect(await Promise.all(asked)).toEqual(['a', 'a', 'a']);
    clock.advance(1_999);
    expect(await ask()).toBe('a');
    clock.advance(1);
    void ask();
    expect(begun).toHaveLength(2);
  });

  it('never gives what began before a commit to one who asked after it', async () => {
    const { versions, begun, ask } = setUp();
    const early = ask();
    versions.current = 2;
    const late = [ask(), ask()];
    expect(begun).toHaveLength(1);
    begun[0]?.end('old');
    expect(await early).toBe('old');
    expect(begun).toHaveLength(2);
    begun[1]?.end('new');
    expect(await Promise.all(late)).toEqual(['new', 'new']);
    expect(await ask()).toBe('new');
  });

  it('keeps nothing while changes cannot be known, and still runs one at a time', async () => {
    const { begun, ask } = setUp({ current: null });
    const [first, second, third] = [ask(), ask(), ask()];
    begun[0]?.end('1');
    expect(await first).toBe('1');
    begun[1]?.end('2');
    expect(await Promise.all([second, third])).toEqual(['2', '2']);
    void ask();
    expect(begun).toHaveLength(3);
  });

  it('gives an error to its askers only', async () => {
    const { versions, begun, ask } = setUp();
    const first = ask();
    versions.current = 2;
    const second = ask();
    begun[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    begun[1]?.end('well');
    expect(await second).toBe('well');
  });

  it('counts all parts of a screen up to the same time, until something is stored or two seconds have passed', async () => {
    const step = fc.oneof(
      fc.integer({ min: 0, max: 1_500 }).map((ms) => ({ ms })),
      fc.constantFrom({ stored: true }),
      fc.constantFrom('figures', 'pages', 'entry pages').map((part) => ({ part })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const clock = fixedClock(1_000_000);
        const changes = { current: 1 };
        const cache = createQueryCache(clock, { version: () => changes.current });
        let moment: { now: number; version: number } | null = null;
        for (const each of steps) {
          if ('ms' in each) clock.advance(each.ms);
          else if ('stored' in each) changes.current += 1;
          else {
            const isOver = moment?.version !== changes.current || clock.now() - moment.now >= 2_000;
            if (isOver) moment = { now: clock.now(), version: changes.current };
            expect(await cache.get(1, each.part, async (now) => now)).toBe(moment?.now);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('cancels a computation once the last who waits for it has gone, and begins another for who asks then', async () => {
    const { begun, ask } = setUp();
    const [one, other] = [new AbortController(), new AbortController()];
    const asked = [ask('question', one.signal), ask('question', other.signal)];
    one.abort();
    await expect(asked[0]).rejects.toThrow(Cancelled);
    expect(begun[0]?.ending.aborted).toBe(false);
    other.abort();
    await expect(asked[1]).rejects.toThrow(Cancelled);
    expect(begun[0]?.ending.aborted).toBe(true);
    const late = ask();
    begun[0]?.fail(new Cancelled());
    expect(begun).toHaveLength(2);
    begun[1]?.end('anew');
    expect(await late).toBe('anew');
    expect(await ask('question', AbortSignal.timeout(60_000))).toBe('anew');
  });

  it('does not cancel what someone waits for who does not leave, or what is there', async () => {
    const { begun, ask } = setUp();
    const gone = new AbortController();
    const left = ask('question', gone.signal);
    const staying = ask();
    gone.abort();
    await expect(left).rejects.toThrow(Cancelled);
    expect(begun[0]?.ending.aborted).toBe(false);
    begun[0]?.end('a');
    expect(await staying).toBe('a');
    await expect(ask('question', gone.signal)).rejects.toThrow(Cancelled);
    expect(await ask()).toBe('a');
    expect(begun).toHaveLength(1);
  });

  it('does not begin what waited behind another when all who wanted it have gone', async () => {
    const { versions, begun, ask } = setUp();
    const early = ask();
    versions.current = 2;
    const gone = new AbortController();
    const late = ask('question', gone.signal);
    gone.abort();
    await expect(late).rejects.toThrow(Cancelled);
    const later = ask();
    begun[0]?.end('old');
    expect(await early).toBe('old');
    expect(begun).toHaveLength(2);
    begun[1]?.end('new');
    expect(await later).toBe('new');
  });

  it('keeps questions apart', () => {
    const { begun, ask } = setUp();
    void ask('one');
    void ask('two');
    expect(begun).toHaveLength(2);
  });
});
