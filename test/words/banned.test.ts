import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Words that have a standard term or a plainer one, in documents as on screens. */
const BANNED = ['whoever', 'anew', "of one's own", 'told', 'taken in'];
const ON_SCREENS = [...BANNED, 'the middle', 'somebody', "the team's own", 'left out of the numbers'];
const IN_DOCUMENTS = [...BANNED, 'whatever'];
const IN_MESSAGES = [...IN_DOCUMENTS, 'the middle', 'somebody'];

const pattern = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi');

/** `file:line: word` of each banned word of a text. */
function findBanned(file: string, text: string, words: readonly string[]): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(pattern(words))].map(([word]) => `${file}:${at + 1}: ${word}`));
}

/** The literals of a source file, each on its line: comments and names of code are not shown to anybody. */
function literalsOf(source: string): string {
  const tokens =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\n|[^'"`/\n]+|\//g;
  return source.replaceAll(tokens, (token) => {
    const isLiteral = /^['"`]/.test(token);
    return isLiteral ? token : token.replaceAll(/[^\n]/g, ' ');
  });
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it('finds a word in a literal, and none in comments and names', () => {
  const source = "/** told */\nconst told = 'It\\'s for whoever asks'; // anew\n";
  expect(findBanned('a.ts', literalsOf(source), ON_SCREENS)).toEqual(['a.ts:2: whoever']);
});

it.each(globSync('views/words/*.{ts,tsx}', { cwd: root }).sort())('%s has no banned word on screens', (file) => {
  expect(findBanned(file, literalsOf(read(file)), ON_SCREENS)).toEqual([]);
});

it.each(['README.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: root }).sort()])(
  '%s has no banned word',
  (file) => {
    expect(findBanned(file, read(file), IN_DOCUMENTS)).toEqual([]);
  },
);

it('has no banned word in a message, log line or description of the API', () => {
  // Migrations are frozen, and their SQL has comments.
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.startsWith('src/store/migrations/'),
  );
  const textsOf = (file: string): string => literalsOf(read(file)).replaceAll(/\$\{[^}]*\}|'[^' \n]*'/g, ''); // neither code nor names
  expect(['build.mjs', ...files].flatMap((file) => findBanned(file, textsOf(file), IN_MESSAGES))).toEqual([]);
});
