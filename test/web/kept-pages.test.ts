/** Pages that are kept for seconds: drawn once for all who ask, anew for other content, and never kept when a part is missing. */
import { createKeptPages } from '#src/web/kept-pages.ts';

function setUp() {
  let now = 0;
  let drawn = 0;
  const pages = createKeptPages({ elapsed: () => now });
  const ask = (content: unknown, isWhole = true) =>
    pages.body(content, async () => {
      const nth = ++drawn;
      await Promise.resolve();
      return { body: Buffer.from(`page ${nth}`), isWhole };
    });
  const text = async (content: unknown, isWhole = true) => (await ask(content, isWhole)).toString();
  return { pages, text, pass: (ms: number) => (now += ms) };
}

it('draws a page once for all who ask within ten seconds', async () => {
  const { text, pass } = setUp();
  expect(await Promise.all([text(['a']), text(['a']), text(['b'])])).toEqual(['page 1', 'page 1', 'page 2']);
  pass(9_999);
  expect(await text(['a'])).toBe('page 1');
  pass(1);
  expect(await text(['a'])).toBe('page 3');
});

it('keeps no page that lacks a part, and none that failed', async () => {
  const { pages, text } = setUp();
  expect(await text('a', false)).toBe('page 1');
  expect(await text('a')).toBe('page 2');
  const failing = () => pages.body('b', () => Promise.reject(new Error('away')));
  await expect(Promise.all([failing(), failing()])).rejects.toThrow('away');
  expect(await text('b')).toBe('page 3');
});
