import { createCache } from '#src/columns/storage/cache.ts';

it('keeps what was used last, within its bytes', () => {
  const cache = createCache(3_000);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 700);
  cache.get('a');
  cache.set('d', 'd', 700);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd']);
  expect(cache.bytes).toBe(2_700);
});

it('lets go first what was used first, when all was used since it was put', () => {
  const cache = createCache(3_000);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 700);
  for (const key of ['b', 'a', 'c']) cache.get(key);
  cache.set('d', 'd', 700);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd']);
});

it('does not empty itself for what is larger than it', () => {
  const cache = createCache(3_000);
  cache.set('a', 'a', 700);
  cache.set('large', 'large', 2_900);
  expect([cache.get('a'), cache.get('large')]).toEqual(['a', undefined]);
});

it('counts what is put again once, and knows that nothing is there', () => {
  const cache = createCache(3_000);
  cache.set('a', 'a', 700);
  cache.set('a', null, 100);
  expect([cache.get('a'), cache.get('b')]).toEqual([null, undefined]);
  expect(cache.bytes).toBe(300);
});
