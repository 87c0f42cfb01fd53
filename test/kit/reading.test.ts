/** How a project reads hosts and channels. */
import {
  type ChannelRule,
  channelBy,
  channelNameEntry,
  channelPatternEntry,
  channelProperties,
} from '#src/kit/reading/channels/values.ts';
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
  const rules: ChannelRule[] = [
    {
      channel: 'Partners',
      when: [
        { field: 'source', like: 'partner*' },
        { field: 'medium', like: 'blog' },
      ],
    },
    { channel: 'Press', when: [{ field: 'referrer', like: '*.news' }] },
    {
      channel: 'Nobody',
      when: [
        { field: 'source', like: '' },
        { field: 'referrer', like: '$direct' },
      ],
    },
  ];
  expect(channelBy(rules, said({ source: 'PARTNER-1', medium: 'Blog' }))).toBe('Partners');
  expect(channelBy(rules, said({ source: 'partner-1' }))).toBeNull();
  expect(channelBy(rules, said({ referrer: 'daily.news' }))).toBe('Press');
  expect(channelBy(rules, said({ referrer: '$direct' }))).toBe('Nobody');
});

it('takes names and patterns as they are stored, or not at all', () => {
  expect(['  Press: news; more ', '', ' ', 'a'.repeat(61), 'a\nb'].map(channelNameEntry)).toEqual([
    ...['Press: news; more', null, null, null, null],
  ]);
  expect([' a*;b ', '', '***', '****', 'a'.repeat(201), 'a\tb'].map(channelPatternEntry)).toEqual([
    ...['a*;b', '', '***', null, null, null],
  ]);
});

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
      const like = channelPatternEntry(pieces.join(''));
      const rule: ChannelRule = { channel: 'A', when: [{ field: 'source', like: like ?? '' }] };
      channelBy([rule], said({ source: 'ab'.repeat(500) }));
    }),
  );
});
