/**
 * The short rows of the reliability table, in every run of the tests: real processes of the built program, killed and stopped. The
 * whole table is `npm run test:faults`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shortRows } from './rows.ts';

const root = process.cwd();

let report = '';

// Jest's sandbox is no place for processes that are killed: the runner is a program of its own, and one PostgreSQL does for all rows.
beforeAll(async () => {
  if (!existsSync(join(root, 'dist/main.js'))) throw new Error('Build first: node build.mjs');
  const args = ['--no-warnings', join(root, 'test/faults/run.ts'), ...shortRows.map(({ id }) => id), '--short'];
  // Every start of a process would compile the program again.
  const cache = await mkdtemp(join(tmpdir(), 'luneta-short-'));
  const ended = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache },
  }).catch((error: { stdout: string; stderr: string }) => error);
  await rm(cache, { recursive: true, force: true });
  report = `${ended.stdout}${ended.stderr}`;
}, 300_000);

it.each(shortRows.map(({ id, title }) => [id, title] as const))('%s: %s', (id) => {
  // The report of one row: its line, and the indented ones below.
  const own = new RegExp(`^${id} [^]*?(?=^\\S|(?![^]))`, 'm').exec(report)?.[0] ?? report;
  expect(own).toMatch(new RegExp(`^${id} +pass`));
});
