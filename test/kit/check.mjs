/**
 * `npm test`: types, the build, lint and the tests (import boundaries are one of them). Every gate runs even when one before it failed,
 * except that tests need a build. The last line counts them all: `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * @param {{ root: string, node: string, build: () => Promise<void>, args: string[] }} options
 * @returns {Promise<number>} exit code
 */
export async function check({ root, node, build, args }) {
  const begin = performance.now();
  const total = { passed: 0, failed: 0 };
  const add = ({ passed, failed }) => {
    total.passed += passed;
    total.failed += failed;
  };
  const program = (name, path, ...options) =>
    gate(name, () => run(node, [join(root, 'node_modules', path), ...options], root, { isBehind: true }));

  // Nothing waits for the compiler.
  const types = program('types', 'typescript/bin/tsc', '--noEmit');
  const built = await gate('build', async () => {
    await build();
    return 0;
  });
  add(built);
  const isBuilt = built.failed === 0;
  // What takes a processor and waits for nothing fills what the tests that wait leave of them.
  const behind = (async () => {
    add(await types);
    add(await program('lint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'));
    if (!isBuilt) return;
    // Its figures depend on the machine: what is held here is that it runs.
    add(await gate('bench of pages', () => benchPages(node, root)));
    add(await tests(root, node, 'unit', ['--selectProjects', 'unit', '--maxWorkers=1', ...args], { isBehind: true }));
  })();
  if (isBuilt) {
    // One after the other: beside tests that take all that a processor has, a browser waits for its turn, and what is looked at in it does too.
    for (const [name, project, workers] of suites) {
      add(await tests(root, node, name, ['--selectProjects', project, `--maxWorkers=${workers}`, ...args]));
    }
  }
  await behind;
  console.log(`\nAll gates took ${Math.round((performance.now() - begin) / 1000)} s.`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

async function benchPages(node, root) {
  const home = await mkdtemp(join(tmpdir(), 'luneta-bench-'));
  const small = [
    '--events',
    '2000',
    '--days',
    '4',
    '--rounds',
    '1',
    '--seconds',
    '1',
    '--connections',
    '2',
    '--warm',
    '20',
  ];
  try {
    return await run(node, ['--no-warnings', join(root, 'bench/ssr.ts'), '--home', home, ...small], root);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * With how many workers on two cores: files that wait for timers, for PostgreSQL that starts and for processes that end leave room for a third.
 * Two journeys at a time leave one another most of what they need.
 */
const suites = [
  ['PostgreSQL', 'int', 3],
  ['browser', 'browser', 2],
];

/**
 * Steps below the tests with timers, processes and browsers: what runs behind them gets a quarter of what they get where all want a processor,
 * so that nothing in it is late for its own limits.
 */
const BEHIND = 5;

/** So many of the slowest files of a kind are named. */
const SLOWEST = 15;

async function gate(name, work) {
  const begin = performance.now();
  console.log(`\n== ${name}`);
  const code = await work().catch((error) => {
    console.error(error.message);
    return 1;
  });
  console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

async function tests(root, node, name, options, how = {}) {
  const begin = performance.now();
  console.log(`\n== ${name} tests`);
  const folder = await mkdtemp(join(tmpdir(), 'luneta-check-'));
  const report = join(folder, 'jest.json');
  const runner = join(root, 'node_modules/jest/bin/jest.js');
  const jest = ['--no-warnings', runner, '--json', '--outputFile', report, ...options];
  await run(node, jest, root, { ...how, isTest: true });
  console.log(`The ${name} tests took ${Math.round((performance.now() - begin) / 1000)} s.`);
  const result = await readFile(report, 'utf8').then(JSON.parse, () => null);
  await rm(folder, { recursive: true });
  if (result === null) return { passed: 0, failed: 1 };
  sayWhatTookLong(result.testResults, root);
  // A file that could not even be loaded holds no tests to count; it failed all the same.
  return { passed: result.numPassedTests, failed: result.numFailedTests + result.numRuntimeErrorTestSuites };
}

/** All files together, by kind, and the slowest of each. Test files run at the same time, so this is more than the clock on the wall. */
function sayWhatTookLong(files, root) {
  const timed = files.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  const kinds = Map.groupBy(timed, ({ name }) => /\.(int|browser)\.test\./.exec(name)?.[1] ?? 'unit');
  for (const [kind, of] of kinds) {
    const seconds = of.reduce((sum, file) => sum + file.seconds, 0);
    console.log(`  ${seconds.toFixed(0).padStart(5)} s  ${kind}, ${of.length} files`);
    of.sort((one, other) => other.seconds - one.seconds);
    for (const file of of.slice(0, SLOWEST)) console.log(`  ${file.seconds.toFixed(1).padStart(9)} s  ${file.name}`);
  }
}

/**
 * @param {string} node
 * @param {string[]} options
 * @param {string} cwd
 * @param {{ isTest?: boolean, isBehind?: boolean }} [how] what runs behind says all of it at its end: others write meanwhile
 * @returns {Promise<number>} exit code
 */
function run(node, options, cwd, { isTest = false, isBehind = false } = {}) {
  return new Promise((resolve, reject) => {
    const out = isBehind ? 'pipe' : 'inherit';
    // Jest writes its report for readers to stderr, and with --json the other one to stdout as well.
    const child = spawn(node, options, { cwd, stdio: ['ignore', isTest ? 'ignore' : out, out] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => said.push(piece));
    // The processes that it starts have it, too.
    if (isBehind && child.pid !== undefined) setPriority(child.pid, BEHIND);
    child.on('error', reject);
    child.on('close', (code) => {
      process.stderr.write(Buffer.concat(said));
      resolve(code ?? 1);
    });
  });
}
