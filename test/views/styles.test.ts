/** Holds the style sheets against the components: class names are looked up as text, so the compiler sees no slip. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const views = join(process.cwd(), 'views');
const sources = globSync('**/*.tsx', { cwd: views }).map((path) => join(views, path));
const sheets = globSync('**/*.module.css', { cwd: views }).map((path) => join(views, path));

interface Use {
  sheet: string;
  names: string[];
  /** Also looked up by a value, whose names are not in the source. */
  byValue: boolean;
}

function usesOf(path: string): Use[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/import (\w+) from '(\.{1,2}\/|#views\/)([\w./-]+\.module\.css)'/g)].map(
    ([, variable, from = '', file = '']) => ({
      sheet: from === '#views/' ? join(views, file) : join(dirname(path), from, file),
      names: [...text.matchAll(new RegExp(`\\b${variable}\\['(\\w+)'\\]`, 'g'))].map(([, name = '']) => name),
      byValue: new RegExp(`\\b${variable}\\[[^']`).test(text),
    }),
  );
}

function classesOf(sheet: string): Set<string> {
  const css = readFileSync(sheet, 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = css.replace(/\{[^{}]*\}/g, ' ');
  return new Set([...selectors.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name));
}

const uses = sources.flatMap(usesOf);
const without = <Item>(all: Iterable<Item>, some: Set<Item>): Item[] => [...all].filter((item) => !some.has(item));

it('finds sheets and components', () => {
  expect(sheets.length).toBeGreaterThan(30);
  expect(uses.length).toBeGreaterThanOrEqual(sheets.length);
});

it.each(sheets.map((sheet) => [relative(views, sheet), sheet]))(
  '%s has the classes that are used, and no others',
  (_, sheet) => {
    const here = uses.filter((use) => use.sheet === sheet);
    const used = new Set(here.flatMap(({ names }) => names));
    const there = classesOf(sheet);
    expect(without(used, there)).toEqual([]);
    if (!here.some(({ byValue }) => byValue)) expect(without(there, used)).toEqual([]);
  },
);

it('uses every token, and defines every one that is used', () => {
  const all = globSync('**/*.css', { cwd: views }).map((path) => readFileSync(join(views, path), 'utf8'));
  const css = all.join('\n');
  const code = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
  const used = new Set([...`${css}\n${code}`.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const defined = new Set([...`${css}\n${code}`.matchAll(/(--[\w-]+)(?:'|:)/g)].map(([, name]) => name));
  expect(without(used, defined).filter((name) => name !== '--mark-gap')).toEqual([]);
  const tokens = new Set(
    [...readFileSync(join(views, 'styles/tokens.css'), 'utf8').matchAll(/^\s+(--[\w-]+):/gm)].map(([, name]) => name),
  );
  expect(without(tokens, used)).toEqual([]);
});
