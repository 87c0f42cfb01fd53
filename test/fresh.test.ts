/** Every file that a build consists of makes an older build stale. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let root: string;
const sources = [
  'src/kit/a.ts',
  'views/b.module.css',
  'build.mjs',
  'build.bundle.mjs',
  'build.flags.mjs',
  'build.fresh.mjs',
  'build.styles.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Written in plain JavaScript, for a Node that runs nothing else yet. */
function run(script: string): string {
  const text = `
    import { fingerprintOf, isFresh, stampOf } from './build.fresh.mjs';
    const root = ${JSON.stringify(root)};
    process.stdout.write(String(${script}));`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', text]).toString();
}

function build(production = true): void {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist/stamp'), run(`stampOf(${production}, await fingerprintOf(root))`));
}

const isFresh = (): boolean => run('await isFresh(root, await fingerprintOf(root))') === 'true';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'luneta-fresh-'));
  for (const file of sources) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), `of ${file}`);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

it('is fresh right after the build, also when copied and with any file dates', () => {
  build();
  expect(isFresh()).toBe(true);
  for (const file of sources) utimesSync(join(root, file), new Date(), new Date(Date.now() + 60_000));
  expect(isFresh()).toBe(true);
  cpSync(root, `${root}-copy`, { recursive: true });
  rmSync(root, { recursive: true });
  renameSync(`${root}-copy`, root);
  expect(isFresh()).toBe(true);
});

it.each(sources)('is stale once %s has changed, even with an older date', (file) => {
  build();
  writeFileSync(join(root, file), 'another');
  utimesSync(join(root, file), new Date(0), new Date(0));
  expect(isFresh()).toBe(false);
});

it('is stale once a file has come or gone, and is never one for development', () => {
  build();
  writeFileSync(join(root, 'views/new.ts'), '');
  expect(isFresh()).toBe(false);
  rmSync(join(root, 'views/new.ts'));
  expect(isFresh()).toBe(true);
  rmSync(join(root, 'src/kit/a.ts'));
  expect(isFresh()).toBe(false);
  build(false);
  expect(isFresh()).toBe(false);
  rmSync(join(root, 'dist/stamp'));
  expect(isFresh()).toBe(false);
});
