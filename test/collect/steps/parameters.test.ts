/** Secrets in addresses are not stored. */
import { stripParameters } from '#src/collect/steps/parameters.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { secretParameters } from '#src/projects/values.ts';
import fc from '#test/kit/fast-check.ts';

function stripped(properties: JsonObject, strippedParameters: readonly string[] = secretParameters): JsonObject {
  const draft = { raw: { event: 'e', properties } };
  stripParameters(draft as never, { project: { settings: { strippedParameters } } } as never);
  return draft.raw.properties;
}

it.each([
  ['https://a.example/reset?token=abc', 'https://a.example/reset'],
  ['https://a.example/?token=abc&utm_source=x', 'https://a.example/?utm_source=x'],
  ['https://a.example/?utm_source=x&Token=abc&b=1#top', 'https://a.example/?utm_source=x&b=1#top'],
  ['https://a.example/?email=ana%40a.example#/x?token=1', 'https://a.example/#/x'],
  ['https://a.example/cb#access_token=abc&state=1', 'https://a.example/cb#state=1'],
  ['https://a.example/cb#access_token=abc', 'https://a.example/cb'],
  ['https://a.example/?mytoken=1&tokens=2', 'https://a.example/?mytoken=1&tokens=2'],
  ['a="1":href="/x?token=1":text="b"', 'a="1":href="/x":text="b"'],
  ['a="1":href="/x?b=1&amp;token=1"', 'a="1":href="/x?b=1"'],
  ['token=1', 'token=1'],
])('stores %s as %s', (sent, kept) => {
  expect(stripped({ $current_url: sent })).toEqual({ $current_url: kept });
});

it('looks everywhere, and leaves what has none the same object', () => {
  const url = 'https://a.example/?senha=1';
  expect(stripped({ $set_once: { $initial_referrer: url }, $elements: [{ attr__href: url }], n: 1 })).toEqual({
    $set_once: { $initial_referrer: 'https://a.example/' },
    $elements: [{ attr__href: 'https://a.example/' }],
    n: 1,
  });
  const properties = { $current_url: 'https://a.example/?a=1', list: ['x=1'], nested: { b: null } };
  expect(stripped(properties)).toBe(properties);
  expect(stripped({ url }, [])).toEqual({ url });
  expect(stripped({ url: 'https://a.example/?a.b=1&axb=2' }, ['a.b'])).toEqual({ url: 'https://a.example/?axb=2' });
});

it('keeps everything but the secrets of any address', () => {
  const parameter = fc.tuple(
    fc.constantFrom('a', 'b', 'token', 'email', 'utm_source', 'password'),
    fc.constantFrom('', '1', 'x%20y'),
  );
  fc.assert(
    fc.property(fc.array(parameter, { maxLength: 6 }), (all) => {
      const address = (some: typeof all) =>
        `https://a.example/p${some.length === 0 ? '' : '?'}${some.map(([name, value]) => `${name}=${value}`).join('&')}`;
      const kept = all.filter(([name]) => !secretParameters.includes(name));
      expect(stripped({ u: address(all) })).toEqual({ u: address(kept) });
    }),
  );
});
