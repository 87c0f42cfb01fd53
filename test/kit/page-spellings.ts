/** Paths in their spellings, made up. */
import { type PathRules, pathPatternEntry } from '#src/kit/reading/paths/values.ts';
import fc from './fast-check.ts';

const letters = fc.constantFrom(
  'a',
  'Z',
  '4',
  'é',
  'e\u0301',
  'ã',
  'ß',
  'Ω',
  '茶',
  '한',
  '😀',
  ' ',
  '~',
  '@',
  '"',
  '\u200b',
);

/** A letter as it is, or as bytes in either case. */
const written = fc.tuple(letters, fc.constantFrom('plain', 'bytes', 'BYTES', 'NFD')).map(([letter, how]) => {
  const sent = how === 'NFD' ? letter.normalize('NFD') : letter;
  const bytes = [...Buffer.from(sent)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return [letter, how === 'bytes' ? bytes : how === 'BYTES' ? bytes.toUpperCase() : sent] as const;
});

/** A page, and one of its spellings. */
export const spellings: fc.Arbitrary<[page: string, sent: string]> = fc
  .array(fc.array(written, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  .map((segments) => {
    const path = (at: 0 | 1) => `/${segments.map((segment) => segment.map((each) => each[at]).join('')).join('/')}`;
    return [path(0), path(1)];
  });

/** Anything that might be sent as a path, broken encodings too. */
export const anyPaths: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        '%',
        '4',
        '1',
        'c',
        '3',
        'A',
        '9',
        '%C3',
        '%a9',
        '%25',
        '%34',
        '%ed%a0%80',
        '/',
        '%2f',
        'é',
        '\u0301',
        ';',
        '?',
      ),
      {
        maxLength: 12,
      },
    )
    .map((pieces) => pieces.join('')),
  spellings.map(([, sent]) => sent),
);

/** Parts of paths, and of patterns for them. */
export const segments = fc.array(
  fc.constantFrom('a', 'A', 'caf%C3%A9', '7', 'deadbeef0123', 'index.html', '', ':id', ':slug', 'x-1', '#', '*'),
  { maxLength: 6 },
);
const patterns = segments.map((parts) => pathPatternEntry(`/${parts.join('/')}`)).filter((entry) => entry !== null);
export const anyPathRules: fc.Arbitrary<PathRules> = fc.record({
  trailingSlash: fc.boolean(),
  letterCase: fc.boolean(),
  indexFiles: fc.boolean(),
  ids: fc.boolean(),
  hashRoutes: fc.boolean(),
  patterns: fc.array(patterns, { maxLength: 4 }),
});
