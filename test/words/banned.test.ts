import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Words that have a standard term or a plainer one, in documents as on screens. */
const BANNED = ['whoever', 'anew', "of one's own", 'told', 'taken in'];
const ON_SCREENS = [...BANNED, 'the middle', 'somebody', "the team's own", 'left out of the numbers'];
const IN_DOCUMENTS = [...BANNED, 'whatever'];
const IN_MESSAGES = [...IN_DOCUMENTS, 'the middle', 'somebody'];
const IN_COMMENTS = [...IN_DOCUMENTS, 'somebody'];

const pattern = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi');

/** `file:line: word` of each banned word of a text. */
function findBanned(file: string, text: string, words: readonly string[]): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(pattern(words))].map(([word]) => `${file}:${at + 1}: ${word}`));
}

const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\n|[^'"`/\n]+|\//g;

/** Blanks all tokens of a source file except those that start with `begin`; line numbers stay the same. */
function onlyTokens(source: string, begin: RegExp): string {
  return source.replaceAll(TOKENS, (token) => (begin.test(token) ? token : token.replaceAll(/[^\n]/g, ' ')));
}

const literalsOf = (source: string): string => onlyTokens(source, /^['"`]/);
const commentsOf = (source: string): string => onlyTokens(source, /^\/[*/]/);

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it('finds a word in a literal, and none in comments and names', () => {
  const source = "/** told */\nconst told = 'It\\'s for whoever asks'; // anew\n";
  expect(findBanned('a.ts', literalsOf(source), ON_SCREENS)).toEqual(['a.ts:2: whoever']);
});

it('finds a word in a comment, and none in literals and names', () => {
  const source = "/** It is\n * told */\nconst told = 'It\\'s for whoever asks // anew'; // whatever\n";
  expect(findBanned('a.ts', commentsOf(source), IN_COMMENTS)).toEqual(['a.ts:2: told', 'a.ts:3: whatever']);
});

it.each(globSync('views/words/*.{ts,tsx}', { cwd: root }).sort())('%s has no banned word on screens', (file) => {
  expect(findBanned(file, literalsOf(read(file)), ON_SCREENS)).toEqual([]);
});

it.each(['README.md', 'CHANGELOG.md', ...globSync('docs/{,decisions/}*.md', { cwd: root }).sort()])(
  '%s has no banned word',
  (file) => {
    expect(findBanned(file, read(file), IN_DOCUMENTS)).toEqual([]);
  },
);

// Migrations are frozen, and their SQL has comments.
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !file.startsWith('src/store/migrations/'),
);

it('has no banned word in a comment', () => {
  const files = [...sources, ...globSync(['views/**/*.{ts,tsx,css}', 'bench/*.ts'], { cwd: root })];
  expect(files.flatMap((file) => findBanned(file, commentsOf(read(file)), IN_COMMENTS))).toEqual([]);
});

it('has no banned word in a message, log line or description of the API', () => {
  const textsOf = (file: string): string => literalsOf(read(file)).replaceAll(/\$\{[^}]*\}|'[^' \n]*'/g, ''); // neither code nor names
  expect(['build.mjs', ...sources].flatMap((file) => findBanned(file, textsOf(file), IN_MESSAGES))).toEqual([]);
});
