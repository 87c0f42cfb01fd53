import { createRecent } from '#src/kit/recent.ts';

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
