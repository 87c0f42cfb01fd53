/** Every word of the catalogues is said somewhere: what no screen says would be kept in two languages for nothing. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { en } from '#views/words/en.ts';
import { installWords } from '#views/words/install.ts';
import { liveWords } from '#views/words/live.ts';
import { panelWords } from '#views/words/panels.ts';
import { problemWords } from '#views/words/problem.ts';

const views = join(process.cwd(), 'views');
const code = globSync('**/*.{ts,tsx}', { cwd: views })
  .filter((path) => !/^words\/(en|pt-br|install|live|panels|problem)\.ts$/.test(path))
  .map((path) => readFileSync(join(views, path), 'utf8'))
  .join('\n');

/** What lies deeper than two names is looked up by a value of the data, and so are these; names of screens by the list of routes. */
const byValue = /^(compare|interval|metrics|nav|palette|tables)\./;

/** `group.key` for each entry of a catalogue. */
function entries(words: object): string[] {
  return Object.entries(words).flatMap(([group, value]) =>
    value !== null && typeof value === 'object' ? Object.keys(value).map((key) => `${group}.${key}`) : [],
  );
}

const isSaid = (name: string): boolean => new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(code);

it('says every word of the catalogue', () => {
  expect(entries(en).filter((name) => !byValue.test(name) && !isSaid(name))).toEqual([]);
});

it.each([
  ['text', installWords.en],
  ['live', liveWords.en],
  ['text', problemWords.en],
])('says every word of its parts, read as %s', (variable, words) => {
  expect(Object.keys(words).filter((key) => !isSaid(`${variable}.${key}`))).toEqual([]);
});

it('says every word of the panels', () => {
  expect(entries(panelWords.en).filter((name) => !byValue.test(name) && !isSaid(name))).toEqual([]);
});
