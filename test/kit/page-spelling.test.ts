/** One page, one spelling. */
import { namesPage, pageSpelling, pageSpellingOfPattern } from '#src/kit/pages/values.ts';
import { searchable } from '#src/kit/search/values.ts';
import fc from '#test/kit/fast-check.ts';
import { anyPaths, spellings } from './page-spellings.ts';

it.each([
  ['/caf%C3%A9', '/café'],
  ['/caf%c3%a9', '/café'],
  ['/cafe\u0301', '/café'],
  ['/cafe%CC%81', '/café'],
  ['/a%20b/%7Euser', '/a b/~user'],
  ['/a%2fb?c%3Dd', '/a%2Fb?c%3Dd'],
  ['/100%', '/100%'],
  ['/%ff%C3', '/%FF%C3'],
  ['/%C0%AF', '/%C0%AF'],
  ['/%%34%31', '/%%34%31'],
  ['/%25C3%25A9', '/%25C3%25A9'],
  ['/%F0%9F%98%80', '/😀'],
  ['', ''],
])('%s is %s', (sent, read) => {
  expect(pageSpelling(sent)).toBe(read);
});

it('is the same for all spellings of a page, and stays what it is', () => {
  fc.assert(
    fc.property(spellings, ([page, sent]) => {
      expect(pageSpelling(sent)).toBe(page.normalize('NFC'));
    }),
  );
  fc.assert(
    fc.property(anyPaths, (path) => {
      expect(pageSpelling(pageSpelling(path))).toBe(pageSpelling(path));
    }),
  );
});

it('is found by patterns in other spellings', () => {
  for (const [pattern, path] of [
    ['^/caf%c3%a9$', '/café'],
    ['^/(a%28b%29|x)$', '/a(b)'],
    ['%2fb', '/a%2Fb'],
  ] as const) {
    expect(pageSpelling(path)).toMatch(new RegExp(pageSpellingOfPattern(pattern)));
  }
});

it('is that of properties which name pages', () => {
  expect(['$pathname', '$current_url', '$host', 'path'].map(namesPage)).toEqual([true, true, false, false]);
});

it('leaves accents out of what is searched', () => {
  expect(searchable('São JOÃO Ω')).toBe('sao joao ω');
});
