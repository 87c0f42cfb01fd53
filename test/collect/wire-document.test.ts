import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dropReasons, warningReasons } from '#src/collect/contract.ts';
import { eventPaths } from '#src/collect/endpoint.ts';
import { emptyLists } from '#src/collect/remote-config.ts';
import { MAX_DEPTH } from '#src/collect/steps/text.ts';
import { personWarningReasons } from '#src/persons/contract.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/wire.md'), 'utf8');
const tableUnder = (heading: string): string[] => {
  const from = text.indexOf(`| ${heading} |`);
  const rows = text.slice(from).split('\n').slice(2);
  return rows
    .slice(
      0,
      rows.findIndex((row) => !row.startsWith('|')),
    )
    .map((row) => /`(\w+)`/.exec(row)?.[1] ?? '');
};

describe('docs/wire.md', () => {
  it('lists every drop and every warning, in the order of the code', () => {
    expect(tableUnder('Drop')).toEqual([...dropReasons]);
    expect(tableUnder('Warning')).toEqual([...warningReasons]);
    for (const reason of personWarningReasons) expect(text).toContain(`\`${reason}\``);
  });

  it('says how deep an event may be', () => {
    expect(text).toContain(`| \`too_deep\` | over ${MAX_DEPTH} nested objects or lists |`);
  });

  it('lists every path that is answered', () => {
    const source = readFileSync(join(import.meta.dirname, '../../src/collect/endpoint.ts'), 'utf8');
    const paths = [...source.matchAll(/case '(\/[^']+)':/g)].map(([, path]) => path as string);
    expect(eventPaths.length).toBeGreaterThan(5);
    expect(paths.length).toBeGreaterThan(5);
    for (const path of [...eventPaths, ...paths, ...Object.keys(emptyLists)]) expect(text).toContain(`\`${path}\``);
  });
});
