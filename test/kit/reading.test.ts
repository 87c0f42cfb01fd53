/** How a project reads hosts and channels, and rules as they are typed. */
import { channelBy, channelProperties, channelRuleLine, channelRuleOf } from '#src/kit/reading/channels/values.ts';
import { readHost } from '#src/kit/reading/hosts.ts';
import { noReadingRules, plainReader, readerOf } from '#src/kit/reading/reader.ts';
import fc from '#test/kit/fast-check.ts';

const said = (texts: Partial<Record<'source' | 'medium' | 'referrer', string>>) =>
  channelProperties.map((name) => {
    if (name.endsWith('utm_source')) return texts.source ?? '';
    if (name.endsWith('utm_medium')) return texts.medium ?? '';
    return name.endsWith('referring_domain') ? (texts.referrer ?? '') : '';
  });

it('gives a visit the channel of the first rule that fits', () => {
  const lines = [
    'Partners: source=partner*; medium=blog',
    'Press: referrer=*.news',
    'Nobody: source=; referrer=$direct',
  ];
  const rules = lines.map(channelRuleOf).filter((rule) => rule !== null);
  expect(rules.map(channelRuleLine)).toEqual(lines);
  expect(channelBy(rules, said({ source: 'PARTNER-1', medium: 'Blog' }))).toBe('Partners');
  expect(channelBy(rules, said({ source: 'partner-1' }))).toBeNull();
  expect(channelBy(rules, said({ referrer: 'daily.news' }))).toBe('Press');
  expect(channelBy(rules, said({ referrer: '$direct' }))).toBe('Nobody');
});

it.each(['', 'A', 'A:', 'A: sauce=x', ': source=x', 'A: source=****', `${'a'.repeat(61)}: source=x`, 'A: source'])(
  'takes %j for no rule of a channel',
  (line) => {
    expect(channelRuleOf(line)).toBeNull();
  },
);

it('reads other hosts of a site, and those of translators, as the primary one', () => {
  const rules = { primaryHost: 'shop.example', otherHosts: ['www.shop.example', '*.preview.example'] };
  const read = (host: string) => readHost(rules, host);
  expect(
    ['www.shop.example', 'a.preview.example', 'shop-example.translate.goog', 'WWW.shop.example'].map(read),
  ).toEqual(Array(4).fill('shop.example'));
  expect(['blog.example', 'preview.example', 'shop.example.evil'].map(read)).toEqual([
    ...['blog.example', 'preview.example', 'shop.example.evil'],
  ]);
  expect(readHost({ primaryHost: '', otherHosts: ['a.example'] }, 'a.example')).toBe('a.example');
});

it('is one reader for the same rules, and says by its key when they are others', () => {
  expect(readerOf(noReadingRules)).toBe(plainReader);
  expect(plainReader.key).toBe('');
  const other = readerOf({ ...noReadingRules, primaryHost: 'a.example' });
  expect(other.key).not.toBe('');
  expect(readerOf({ ...noReadingRules, primaryHost: 'a.example' })).toBe(other);
});

it('takes time in proportion to the text, whatever the pattern', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '*', 'b'), { maxLength: 60 }), (pieces) => {
      const rule = channelRuleOf(`A: source=${pieces.join('')}`);
      if (rule !== null) channelBy([rule], said({ source: 'ab'.repeat(500) }));
    }),
  );
});
