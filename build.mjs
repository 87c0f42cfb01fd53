/**
 * Builds and runs Luneta: `node build.mjs [build|dev|start|check|jest|run|migrate|backup|restore|rederive|rebuild|verify|delete-early|clickhouse]`. Plain JavaScript, because the first
 * thing it does is to make sure that the right Node runs the rest.
 */
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serverEnv, serverFlags } from './build.flags.mjs';
import { fingerprintOf, isFresh } from './build.fresh.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const pinnedNode = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const commands = {
  build,
  dev,
  standby,
  start,
  check,
  jest,
  run,
  migrate: maintain,
  backup: maintain,
  restore: maintain,
  rederive: maintain,
  rebuild: maintain,
  verify: maintain,
  'delete-early': maintain,
  'reset-password': maintain,
  clickhouse: maintain,
};

// ---------------------------------------------------------------------------------------------------------- commands

async function build() {
  const begin = performance.now();
  const bundler = await openBundler({ out: 'dist', production: true, say: console.log });
  await buildOrEnd(bundler);
  await bundler.stop();
  console.log(`Built dist/ in ${((performance.now() - begin) / 1000).toFixed(1)} s.`);
}

/** A start must not take a newcomer's patience for granted: it says why it does not serve yet. */
async function buildIfOld() {
  if (await isFresh(root, await fingerprintOf(root))) return;
  const isFirst = !existsSync(join(root, 'dist/stamp'));
  console.log(
    isFirst ? 'Building Luneta. This takes a few seconds.' : 'The sources have changed. Building Luneta again.',
  );
  await build();
}

/** Loaded when needed: esbuild is not there in every installation that only runs. */
async function openBundler(options) {
  const { createBundler } = await import('./build.bundle.mjs');
  return createBundler({ root, ...options });
}

/** One process serves; what a newcomer lacks is supplied by the launcher. */
async function start(args) {
  await buildIfOld();
  const { launch } = await import(join(root, 'dist/launch.js'));
  await launch({ root, args });
}

/** migrate, backup, restore, rederive, rebuild, verify. */
async function maintain(args) {
  await buildIfOld();
  const { maintain } = await import(join(root, 'dist/launch.js'));
  process.exitCode = await maintain({ root, command, args });
}

/** All gates, in order; prints one closing line. */
async function check(args) {
  const { check } = await import('./test/kit/check.mjs');
  process.exitCode = await check({ root, node: process.execPath, build, args });
}

async function jest(args) {
  const runner = join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, ['--no-warnings', runner, ...args], {
    stdio: 'inherit',
    cwd: root,
  });
  process.exitCode = await exitCode(child);
}

/** A program of ours in TypeScript, against a fresh build: the reliability suite, the benches. */
async function run([file, ...args]) {
  await buildIfOld();
  const child = spawn(process.execPath, ['--no-warnings', join(root, file), ...args], { stdio: 'inherit', cwd: root });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.exitCode = await exitCode(child);
}

/** Rebuilds and restarts on every change; pages reload themselves when dist/dev/stamp changes. */
async function dev() {
  const out = 'dist/dev';
  const bundler = await openBundler({ out, production: false });
  await buildOrEnd(bundler);
  const { supply } = await import(join(root, out, 'launch.js'));
  const supplied = await supply({ root });
  const env = { ...process.env, ...supplied.env, LUNETA_DEV: join(root, out, 'stamp') };
  const spare = () =>
    spawn(process.execPath, [...flags, '--enable-source-maps', fileURLToPath(import.meta.url), 'standby', out], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env,
      detached: true, // Ctrl-C reaches us only; we stop it before the database
    });
  let server = null;
  let next = spare();
  const restart = async () => {
    await stopChild(server);
    server = next;
    server.send('go');
    next = spare();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      await Promise.all([stopChild(server), stopChild(next)]);
      await supplied.stop();
      process.exit(0);
    });
  }
  await restart();
  await onChange(['src', 'views'], async (changed) => {
    const begin = performance.now();
    try {
      await bundler.build(changed, restart);
      console.log(`Rebuilt in ${Math.round(performance.now() - begin)} ms.`);
    } catch (error) {
      reportBuildError(error);
    }
  });
}

/** Calls `work` with what changed, one call at a time; an editor's several writes are one change. */
async function onChange(folders, work) {
  const changed = new Set();
  let wake = () => undefined;
  for (const folder of folders) {
    watch(join(root, folder), { recursive: true }, (_, name) => {
      changed.add(`${folder}/${name}`);
      wake();
    });
  }
  for (;;) {
    if (changed.size === 0) {
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
    await sleep(10);
    const now = [...changed];
    changed.clear();
    await work(now);
  }
}

/** A server with everything loaded but our own code, which it loads when told: so a change is there in a moment. */
async function standby([out]) {
  const begin = new Promise((resolve) => process.once('message', resolve));
  process.channel.ref();
  const { outputs } = JSON.parse(await readFile(join(root, out, 'server.meta.json'), 'utf8'));
  const packages = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  await Promise.all([...new Set(packages.map(({ path }) => path))].map((path) => import(path)));
  await begin;
  process.channel.unref();
  process.argv[1] = join(root, out, 'main.js');
  await import(process.argv[1]);
}

/** Whatever a killed server had acknowledged is stored, so a slow one is not waited for. */
async function stopChild(child) {
  if (!child) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 150);
  await exitCode(child);
  clearTimeout(late);
}

async function buildOrEnd(bundler) {
  await bundler.build().catch((error) => {
    reportBuildError(error);
    process.exit(1);
  });
}

/** esbuild has printed its own errors. */
function reportBuildError(error) {
  if (!error.errors) console.error(error.message);
}

// -------------------------------------------------------------------------------------------------- the right process

function flagsOf(name) {
  return [
    'start',
    'dev',
    'migrate',
    'backup',
    'restore',
    'rederive',
    'rebuild',
    'verify',
    'delete-early',
    'reset-password',
    'clickhouse',
  ].includes(name)
    ? serverFlags()
    : [];
}

function isRightNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major === 24 && minor >= 7;
}

/** Runs this very command again: under the Node that was installed with the packages, if ours is another. */
function rerun() {
  const node = isRightNode() ? process.execPath : pinnedNode;
  if (!existsSync(node)) {
    fail(
      `Luneta requires Node 24.7 or a later 24.x (found ${process.versions.node}). Install it, ` +
        'or run "npm ci" with install scripts enabled to get it automatically.',
    );
  }
  const child = spawn(node, [...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: flags.length === 0 ? process.env : { ...serverEnv, ...process.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm passes SIGTERM to the shell between us, which dies of it and tells nobody.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 250).unref();
  child.on('error', (error) => fail(`Failed to start Node at ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}

/** When the process that started us is killed, we stop in order, as if it had asked. */
function stopWithParent() {
  if (!process.channel) return;
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

function exitCode(child) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? 1;
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

// ------------------------------------------------------------------------------------------------------------- begin

const [command = 'build', ...rest] = process.argv.slice(2);
if (!(command in commands)) fail(`Unknown command "${command}". Available: ${Object.keys(commands).join(', ')}.`);
if (!existsSync(join(root, 'node_modules/esbuild'))) fail('Dependencies are not installed. Run "npm ci" first.');
const flags = flagsOf(command);
if (!isRightNode() || flags.some((flag) => !process.execArgv.includes(flag))) rerun();
else {
  stopWithParent();
  await commands[command](rest);
}
