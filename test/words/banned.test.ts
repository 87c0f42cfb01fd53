import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Words that have a standard term or a plainer one, in documents. */
const IN_DOCUMENTS = ['whoever', 'anew', "of one's own", 'told', 'taken in', 'whatever'];

const pattern = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi');

/** `file:line: word` of each banned word of a text. */
function findBanned(file: string, text: string, words: readonly string[]): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(pattern(words))].map(([word]) => `${file}:${at + 1}: ${word}`));
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it('finds a word', () => {
  expect(findBanned('a.md', 'For\nwhoever asks.', IN_DOCUMENTS)).toEqual(['a.md:2: whoever']);
});

it.each(['README.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: root }).sort()])(
  '%s has no banned word',
  (file) => {
    expect(findBanned(file, read(file), IN_DOCUMENTS)).toEqual([]);
  },
);
