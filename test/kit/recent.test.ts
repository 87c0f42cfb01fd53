import { createRecent, createRecentOf, remembering } from '#src/kit/recent.ts';
import fc from '#test/kit/fast-check.ts';

describe('createRecent', () => {
  it('keeps what was used last and never more than its size', () => {
    const recent = createRecent<number, string>(10);
    for (let key = 0; key < 100; key++) {
      recent.set(key, String(key));
      expect(recent.get(0)).toBe('0');
    }
    const kept = Array.from({ length: 100 }, (_, key) => key).filter((key) => recent.get(key) !== undefined);
    expect(kept).toContain(99);
    expect(kept.length).toBeLessThanOrEqual(10);
    expect(kept.length).toBeGreaterThanOrEqual(5);
  });

  it('forgets on request, in both halves', () => {
    const recent = createRecent<string, number>(4);
    for (const key of ['a', 'b', 'c']) recent.set(key, 1);
    recent.delete('a');
    recent.delete('c');
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([undefined, 1, undefined]);
    recent.clear();
    expect(recent.get('b')).toBeUndefined();
  });
});

it('remembers what was made of a text, empty ones too', () => {
  const asked: string[] = [];
  const make = (text: string) => {
    asked.push(text);
    return text.slice(1);
  };
  const remembered = remembering(make, { size: 4, maxBytes: 100 });
  expect(['ab', 'x', 'ab', 'x'].map(remembered)).toEqual(['b', '', 'b', '']);
  expect(asked).toEqual(['ab', 'x']);
  const long = 'y'.repeat(60);
  expect([remembered(long), remembered(long)]).toEqual([long.slice(1), long.slice(1)]);
  expect(asked.filter((text) => text === long)).toHaveLength(2);
});

it('takes no more bytes than it may, whatever comes, and says how many', () => {
  const steps = fc.array(
    fc.record({
      key: fc.integer({ min: 0, max: 40 }),
      bytes: fc.integer({ min: 0, max: 700 }),
      does: fc.constantFrom('set', 'get', 'grow', 'delete'),
    }),
    { maxLength: 100, size: 'max' },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const usage = { bytes: 0 };
      const maxBytes = 1_000;
      const recent = createRecent<number, { bytes: number }>(20, { maxBytes, bytesOf: (_, { bytes }) => bytes, usage });
      const last = new Map<number, { bytes: number }>();
      for (const { key, bytes, does } of all) {
        const found = recent.get(key);
        if (found !== undefined) expect(found).toBe(last.get(key));
        if (does === 'set') {
          const value = { bytes };
          last.set(key, value);
          recent.set(key, value);
          expect(recent.get(key)).toBe(bytes > maxBytes / 2 ? undefined : value);
        } else if (does === 'delete') recent.delete(key);
        else if (does === 'grow' && found !== undefined) {
          found.bytes += bytes;
          recent.grow(bytes);
        }
        const kept = [...last].filter(([each]) => recent.get(each) !== undefined);
        // What grew last may be beyond it until it is forgotten.
        expect(kept.reduce((sum, [, value]) => sum + value.bytes, 0)).toBeLessThanOrEqual(maxBytes + 700);
        expect(usage.bytes).toBeLessThanOrEqual(maxBytes + 700);
        expect(usage.bytes).toBeGreaterThanOrEqual(0);
      }
      recent.clear();
      expect(usage.bytes).toBe(0);
    }),
  );
});

it('keeps what several owners have under a name within its bytes', () => {
  const recent = createRecentOf<string>(1_000, {
    maxBytes: 1_000,
    bytesOf: (name, value) => name.length + value.length,
  });
  for (let at = 0; at < 100; at++) for (const owner of [1, 2]) recent.set(owner, `name ${at}`, 'v'.repeat(20));
  const kept = Array.from({ length: 100 }, (_, at) => recent.get(2, `name ${at}`)).filter(
    (value) => value !== undefined,
  );
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(20);
  expect(recent.get(1, 'name 99')).toBe('v'.repeat(20));
});
