/**
 * Walks the Dockerfile without a container engine: each stage in a Debian root of its own made by debootstrap, each RUN in it by chroot, the
 * server started as the image would, asked for its health, sent an event and stopped. Needs root, debootstrap and Debian's packages:
 * `npm run test:deploy`. Not the same as an image: no namespaces, and Node comes from the npm package instead of the base image.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../faults/kit/postgres.ts';
import { freePort } from '../kit/free-port.ts';
import { commandOf, type Instruction, readDockerfile, variablesOf } from './dockerfile.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Certificate authorities of this machine, which may have one of its own before the registry. */
const authorities = '/etc/ssl/certs/ca-certificates.crt';
const work = mkdtempSync(join(tmpdir(), 'luneta-deploy-'));
const mounted: string[] = [];
const sh = (command: string, ...words: string[]) =>
  execFileSync(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });

/** What an image has beside its files. */
interface Machine {
  folder: string;
  directory: string;
  env: Record<string, string>;
  user: string;
  command: string[];
  health: string[];
}

function makeBase(): string {
  const base = join(work, 'base');
  sh('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', base);
  mkdirSync(join(base, 'usr/local/bin'), { recursive: true });
  cpSync(join(root, 'node_modules/node/bin/node'), join(base, 'usr/local/bin/node'));
  cpSync(npmFolder(), join(base, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  sh('ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
  sh('chroot', base, 'useradd', '--uid', '1000', '--create-home', 'node');
  // Where packages come from is a setting of this machine, not of the image.
  for (const file of ['/etc/resolv.conf', authorities]) {
    if (existsSync(file)) cpSync(file, join(base, file), { dereference: true });
  }
  return base;
}

/** The npm that runs this script. */
function npmFolder(): string {
  const script = process.env['npm_execpath'];
  if (script === undefined) throw new Error('Run this with: npm run test:deploy');
  return dirname(dirname(script));
}

function inside(machine: Machine, command: string[], options: { user?: string } = {}): [string, string[]] {
  const { folder, directory, env, user } = machine;
  const own = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', NODE_EXTRA_CA_CERTS: authorities };
  const pairs = Object.entries({ ...own, ...env }).map((pair) => pair.join('='));
  const script = 'cd "$0" && exec "$@"';
  const as = (options.user ?? user) === 'root' ? [] : ['--userspec', options.user ?? user];
  return ['chroot', [...as, folder, '/usr/bin/env', '-i', ...pairs, '/bin/sh', '-c', script, directory, ...command]];
}

/** What a .dockerignore that begins with `*` lets through. */
function inContext(name: string): boolean {
  const kept =
    readFileSync(join(root, '.dockerignore'), 'utf8')
      .match(/^!(.*)$/gm)
      ?.map((line) => line.slice(1)) ?? [];
  const top = name.split('/')[0] as string;
  return kept.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(top));
}

function copy(machine: Machine, { flags, text }: Instruction, stages: Map<string, Machine>): void {
  const words = text.split(/\s+/);
  const target = words.pop() as string;
  for (const word of words) {
    const from = flags['from'] === undefined ? null : stages.get(flags['from']);
    const source = from ? join(from.folder, word) : join(root, word);
    const into = join(machine.folder, machine.directory, target);
    const isFolder = target.endsWith('/') && word !== '.';
    const to = isFolder ? join(into, word.split('/').pop() as string) : into;
    mkdirSync(dirname(to), { recursive: true });
    const files =
      from || word !== '.' ? null : execFileSync('git', ['ls-files', '-z'], { cwd: root }).toString().split('\0');
    if (files === null) cpSync(source, to, { recursive: true, verbatimSymlinks: true });
    else for (const file of files) if (file !== '' && inContext(file)) cpSync(join(root, file), join(into, file));
  }
}

function carryOut(machine: Machine, instruction: Instruction, stages: Map<string, Machine>): void {
  const { name, text } = instruction;
  console.log(`  ${name} ${text.slice(0, 120)}`);
  if (name === 'WORKDIR') {
    machine.directory = text;
    mkdirSync(join(machine.folder, text), { recursive: true });
  } else if (name === 'COPY') copy(machine, instruction, stages);
  else if (name === 'RUN') sh(...(inside(machine, commandOf(text)).flat() as [string, ...string[]]));
  else if (name === 'ENV') Object.assign(machine.env, variablesOf(text));
  else if (name === 'USER') machine.user = text;
  else if (name === 'CMD') machine.command = commandOf(text);
  else if (name === 'HEALTHCHECK') machine.health = commandOf(text.replace(/^.*?CMD /, ''));
  else if (!['VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(name)) throw new Error(`${name} is not read here.`);
}

async function isHealthy(machine: Machine): Promise<boolean> {
  const [command, words] = inside(machine, machine.health);
  return new Promise((resolve) =>
    spawn(command, words, { stdio: 'ignore' }).on('close', (code) => resolve(code === 0)),
  );
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

async function main(): Promise<void> {
  chmodSync(work, 0o755); // the account of PostgreSQL has to get to its data
  const base = makeBase();
  const stages = new Map<string, Machine>();
  let last: Machine | undefined;
  for (const [at, stage] of readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8')).entries()) {
    console.log(`FROM ${stage.base}`);
    const folder = join(work, `stage-${at}`);
    sh('cp', '-a', base, folder);
    mkdirSync(join(folder, 'proc'), { recursive: true });
    sh('mount', '-t', 'proc', 'proc', join(folder, 'proc'));
    mounted.push(join(folder, 'proc'));
    last = { folder, directory: '/', env: {}, user: 'root', command: [], health: [] };
    for (const instruction of stage.instructions) carryOut(last, instruction, stages);
    if (stage.name !== null) stages.set(stage.name, last);
  }
  if (last === undefined) throw new Error('The Dockerfile has no stage.');
  sh('du', '-sh', join(last.folder, 'app'));

  const postgres = await openPostgres(root, join(work, 'postgres'), await freePort());
  await postgres.start();
  try {
    await postgres.createDatabase('luneta');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    Object.assign(last.env, {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: postgres.urlOf('luneta'),
      PUBLIC_APP_URL: url,
      AUTH_SECRET: 'for this walk through the steps only, never elsewhere',
    });
    sh(...(inside(last, ['node', 'dist/launch.js', 'migrate']).flat() as [string, ...string[]]));
    const [command, words] = inside(last, last.command);
    const server = spawn(command, words, { stdio: 'inherit' });
    const end = ended(server);
    for (let tries = 0; !(await isHealthy(last)); tries += 1) {
      if (tries === 60) throw new Error('The health check does not pass.');
      await sleep(500);
    }
    console.log('The health check passes.');
    const page = await fetch(url, { redirect: 'manual' });
    if (page.status >= 400) throw new Error(`The first screen answers ${page.status}.`);
    const owner = execFileSync('ps', ['-o', 'uid=', '-p', String(server.pid)])
      .toString()
      .trim();
    if (owner !== '1000') throw new Error(`The server runs as user ${owner}.`);
    server.kill('SIGTERM');
    const code = await end;
    if (code !== 0) throw new Error(`The server stopped with ${code}.`);
    console.log('The server ran as user 1000 and stopped with 0.');
  } finally {
    await postgres.stop();
  }
}

try {
  await main();
  console.log('1 passed, 0 failed');
} catch (error) {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} finally {
  for (const folder of mounted) sh('umount', folder);
  rmSync(work, { recursive: true, force: true });
}
