import { visitProperties } from '#src/columns/filters/visit-fields.ts';
import { Growth } from '#src/events/growth.ts';

/** Shows a kind this many events, of which each `every`th brings a new entry. */
function grow(growth: Growth, events: number, every: number, from = 1): number {
  let number = from;
  for (let event = 0; event < events; event++) {
    if (event % every === 0) growth.gained(number++);
    growth.seen();
  }
  return number;
}

describe('Growth', () => {
  it('lets a kind grow while it is small, or slowly', () => {
    const small = new Growth('page');
    grow(small, 16_000, 1);
    expect(small.isTooFast).toBe(false);
    const slow = new Growth('page');
    grow(slow, 400_000, 8);
    expect(slow.isTooFast).toBe(false);
  });

  it('finds a kind too fast when more than one event in four brings a new entry, and only then', () => {
    const growth = new Growth('page');
    const next = grow(growth, 60_000, 2);
    expect([growth.isTooFast, growth.isFull]).toEqual([true, false]);
    grow(growth, 8_000, 20, next);
    expect(growth.isTooFast).toBe(false);
  });

  it('is full at a million entries', () => {
    const growth = new Growth('device');
    growth.gained(999_999);
    expect(growth.isFull).toBe(false);
    growth.gained(1_000_000);
    expect([growth.isTooFast, growth.isFull]).toEqual([true, true]);
  });

  it('keeps in a group what the screens count by', () => {
    const page = { $current_url: 'https://a.b/c?token=1', $host: 'a.b', $pathname: '/c', title: 'C' };
    expect(new Growth('page').divide(page)).toEqual({
      kept: { $host: 'a.b', $pathname: '/c' },
      spilled: { $current_url: 'https://a.b/c?token=1', title: 'C' },
    });
    const odd = JSON.parse('{"__proto__": {"a": 1}}');
    expect(JSON.stringify(new Growth('flags').divide(odd).spilled)).toBe('{"__proto__":{"a":1}}');
  });

  it.each(Object.entries(visitProperties))('keeps what tells the %s of a visit', (_, { kind, names }) => {
    const { kept } = new Growth(kind).divide(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(kept).not.toEqual({});
  });
});
