/** A project's own rules for paths. */
import { createPathReader, noPathRules, type PathRules, pathPatternEntry } from '#src/kit/reading/paths/values.ts';
import fc from '#test/kit/fast-check.ts';
import { anyPathRules, anyPaths, segments } from './page-spellings.ts';

const read = (rules: Partial<PathRules>, path: string, address?: string) =>
  createPathReader({ ...noPathRules, ...rules }).read(path, address);

it.each<[Partial<PathRules>, string, string]>([
  [{}, '/A/index.html/', '/A/index.html/'],
  [{ trailingSlash: true }, '/a//', '/a'],
  [{ trailingSlash: true }, '/', '/'],
  [{ letterCase: true }, '/Caf%C3%89', '/café'],
  [{ indexFiles: true }, '/a/Index.php', '/a/'],
  [{ indexFiles: true }, '/a/index.html/index.html', '/a/'],
  [{ indexFiles: true }, '/myindex.html', '/myindex.html'],
  [{ indexFiles: true, trailingSlash: true }, '/a/index.html', '/a'],
  [{ ids: true }, '/users/42/orders/0190aaaa-0000-7000-8000-000000000030', '/users/:id/orders/:id'],
  [{ ids: true }, '/c/507f1f77bcf86cd799439011', '/c/:id'],
  [{ ids: true }, '/v2/decade/a1', '/v2/decade/a1'],
  [{ patterns: ['/products/:slug', '/docs/*'] }, '/products/caf%C3%A9', '/products/:slug'],
  [{ patterns: ['/products/:slug', '/docs/*'] }, '/products/a/b', '/products/a/b'],
  [{ patterns: ['/products/:slug', '/docs/*'] }, '/docs/a/b', '/docs/*'],
  [{ patterns: ['/blog/post-*'] }, '/blog/post-a.b', '/blog/post-*'],
  [{ patterns: ['/P/:Slug'], letterCase: true }, '/p/X', '/p/:slug'],
])('%j reads %s as %s', (rules, path, wanted) => {
  expect(read(rules, path)).toBe(wanted);
});

it('reads routes behind the hash as pages', () => {
  const rules = { hashRoutes: true, ids: true };
  expect(read(rules, '/', 'https://shop.example/?a=1#/cart/7?b=2')).toBe('/#/cart/:id');
  expect(read(rules, '/', 'https://shop.example/#!/cart')).toBe('/#/cart');
  const all = { ...rules, indexFiles: true, trailingSlash: true };
  expect(read(all, '/order/7/', 'https://shop.example/order/7/#/pay/')).toBe('/order/:id#/pay');
  expect(read(all, '/app/index.html', 'https://shop.example/app/index.html#/pay')).toBe('/app#/pay');
  expect(read(rules, '/', 'https://shop.example/#top')).toBe('/');
  expect(read({}, '/', 'https://shop.example/#/cart')).toBe('/');
});

it('leaves what was read as it is', () => {
  const paths = fc.oneof(
    anyPaths,
    segments.map((parts) => `/${parts.join('/')}`),
  );
  fc.assert(
    fc.property(anyPathRules, paths, (rules, path) => {
      const reader = createPathReader(rules);
      const once = reader.read(path, `https://shop.example${path}#/a/7`);
      expect(reader.read(once)).toBe(once);
    }),
    { numRuns: 500 },
  );
});

it.each(['a', '', '/', '/:a/:b', '/*', '/a b', '/a?b', '/a/**', `/${'a'.repeat(300)}`, '/a'.repeat(30)])(
  'takes %j for no pattern',
  (typed) => {
    expect(pathPatternEntry(typed)).toBeNull();
  },
);
