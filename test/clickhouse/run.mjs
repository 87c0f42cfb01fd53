/** `npm run test:clickhouse`: installs ClickHouse as a library (some 550 MB, in bench/clickhouse) and runs the tests that need it. Not part of `npm test`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const bench = join(root, 'bench/clickhouse');
// Histories of each kind: more of them take long.
const env = { MODEL_RUNS: '12', ...process.env, TEST_CLICKHOUSE: '1' };
const run = (program, args, cwd) => spawnSync(program, args, { cwd, env, stdio: 'inherit' }).status ?? 1;

if (!existsSync(join(bench, 'node_modules/chdb'))) {
  process.stdout.write('Installing ClickHouse as a library (550 MB) in bench/clickhouse.\n');
  const failed = run('npm', ['install', '--no-audit', '--no-fund'], bench);
  if (failed) process.exit(failed);
}
process.exit(
  run(
    'node',
    ['build.mjs', 'jest', '--selectProjects', 'clickhouse', '--maxWorkers=1', ...process.argv.slice(2)],
    root,
  ),
);
