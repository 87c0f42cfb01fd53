/**
 * Feature flags under load: `/flags` with 100 flags and a million people whose stored properties decide, and definitions that did not change
 * (304), each at a steady rate, with the server on one core; sender and PostgreSQL are on the others.
 *
 * `node build.mjs run bench/flags.ts [--people 1000000] [--rate 2000] [--seconds 20] [--turns 3]`
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { asStarted, openPostgres } from '#test/faults/kit/postgres.ts';
import { openScene, TOKEN } from '#test/faults/kit/scene.ts';
import type { Server } from '#test/faults/kit/server.ts';
import type { FlagsSending, FlagsSendOptions } from './flags-sender.ts';

const { values: given } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '20' },
    turns: { type: 'string', default: '3' },
    port: { type: 'string', default: '5760' },
  },
});
const people = Number(given.people);
const rate = Number(given.rate);
const seconds = Number(given.seconds);
const port = Number(given.port);
const SECRET = `phs_${'0'.repeat(40)}`;

const home = await mkdtemp(join(tmpdir(), 'luneta-bench-flags-'));
const scratch = join(home, 'scratch');
await mkdir(scratch, { recursive: true });
for (const folder of [home, scratch]) await chmod(folder, 0o755);
const postgres = await openPostgres(process.cwd(), join(home, 'postgres'), port, {}, asStarted);
await postgres.start();
try {
  const scene = await openScene({ root: process.cwd(), scratch, postgres, name: 'flags', firstPort: port + 1 });
  await fill(scene.databaseUrl);
  const server = scene.server({ env: { LOG_LEVEL: 'warn', JOBS: 'worker' } });
  await server.ready();
  const cores = cpus().length;
  if (cores > 1) execFileSync('taskset', ['-acp', '0', String(server.pid)], { stdio: 'ignore' });
  const flags = {
    url: `${server.url}/ingest/flags/?v=2`,
    people,
    token: TOKEN,
    headers: { origin: 'https://shop.example' },
    status: 200,
  };
  const etag = await etagOf(server.url);
  const definitions = {
    url: `${server.url}/ingest/flags/definitions?token=${TOKEN}&send_cohorts`,
    token: TOKEN,
    headers: { authorization: `Bearer ${SECRET}`, 'if-none-match': etag },
    status: 304,
  };
  await send({ ...flags, rate, seconds: 8 });
  await send({ ...definitions, rate, seconds: 3 });
  for (let turn = 1; turn <= Number(given.turns); turn += 1) {
    say(`turn ${turn}, load of the machine ${loadavg()[0]?.toFixed(1)}`);
    await measure(server, `/flags, 100 flags, ${people} people`, { ...flags, rate, seconds });
    await measure(server, 'definitions, 304', { ...definitions, rate, seconds: seconds / 2 });
    // One request at a time: what one takes without a queue.
    await measure(server, 'definitions, 304, 100/s', { ...definitions, rate: 100, seconds: seconds / 2 });
  }
  await scene.close();
} finally {
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}

/** People with properties, and flags of every kind: for all, by share, with variants, by one property and by several. */
async function fill(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: number }>('select project_id as id from project_tokens where token = $1', [
    TOKEN,
  ]);
  const project = rows[0]?.id as number;
  await client.query(
    `insert into persons (project_id, number, uuid, properties, merged, identified, has_profile, created_at)
     select $1, n, gen_random_uuid(),
            jsonb_build_object('email', 'p' || n || '@example.com', 'plan', (array['free', 'basic', 'pro'])[n % 3 + 1], 'seats', n % 50,
                               'version', '1.' || n % 30 || '.0', 'city', 'City ' || n % 1000),
            false, true, true, '2026-01-01'
       from generate_series(1, $2::int) as n`,
    [project, people],
  );
  await client.query(
    `insert into distinct_ids (project_id, distinct_id, number, person)
     select $1, 'person-' || n, n, n from generate_series(1, $2::int) as n`,
    [project, people],
  );
  for (let nth = 0; nth < 100; nth++) {
    await client.query(
      `insert into flags (project_id, key, description, version, definition, created_at, changed_at)
       values ($1, $2, '', 1, $3, '2026-01-01', '2026-01-01')`,
      [project, `flag-${nth}`, JSON.stringify({ active: true, filters: filtersOf(nth) })],
    );
  }
  await client.query(
    `insert into project_secrets (project_id, hash, hint, created_at) values ($1, $2, 'phs_0000', '2026-01-01')`,
    [project, createHash('sha256').update(SECRET).digest()],
  );
  await client.query('vacuum analyze persons, distinct_ids, flags');
  await client.end();
}

function filtersOf(nth: number): object {
  const is = (key: string, operator: string, value: unknown) => ({ key, type: 'person', operator, value });
  const variants = {
    variants: [
      { key: 'control', rollout_percentage: 50 },
      { key: 'test', rollout_percentage: 50 },
    ],
  };
  switch (nth % 5) {
    case 0:
      return { groups: [{ properties: [], rollout_percentage: 100 }] };
    case 1:
      return { groups: [{ properties: [], rollout_percentage: 5 + nth / 2 }] };
    case 2:
      return {
        groups: [{ properties: [], rollout_percentage: 80 }],
        multivariate: variants,
        payloads: { test: '{"color":"green"}' },
      };
    case 3:
      return { groups: [{ properties: [is('plan', 'exact', ['pro', 'basic'])], rollout_percentage: 50 }] };
    default:
      return {
        groups: [
          {
            properties: [is('email', 'icontains', `${nth}@example`), is('seats', 'gt', '10')],
            rollout_percentage: 100,
          },
          { properties: [is('version', 'semver_gte', '1.20.0')], rollout_percentage: 40 },
        ],
      };
  }
}

async function etagOf(url: string): Promise<string> {
  const response = await fetch(`${url}/ingest/flags/definitions?token=${TOKEN}`, {
    headers: { authorization: `Bearer ${SECRET}` },
  });
  if (response.status !== 200) throw new Error(`definitions: ${response.status}`);
  return response.headers.get('etag') ?? '';
}

async function measure(server: Server, name: string, options: FlagsSendOptions): Promise<void> {
  const [cpu, postgresCpu] = [server.cpuSeconds(), postgres.cpuSeconds()];
  const { answers, others, p50, p99, most, cpuMs } = await send(options);
  const perRequest = (used: number) => ((used * 1000) / Math.max(1, answers)).toFixed(3);
  const took = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, at most ${most.toFixed(1)} ms`;
  const used = `CPU ${perRequest(server.cpuSeconds() - cpu)} + ${perRequest(postgres.cpuSeconds() - postgresCpu)} ms, sender ${cpuMs.toFixed(3)} ms`;
  say(
    `  ${name}: ${Math.round(answers / options.seconds)}/s, ${took}, ${used}${others > 0 ? `, ${others} others` : ''}`,
  );
}

async function send(options: FlagsSendOptions): Promise<FlagsSending> {
  const script = fileURLToPath(new URL('./flags-sender.ts', import.meta.url));
  const command = [process.execPath, '--no-warnings', script, JSON.stringify(options)];
  const [file = '', ...args] = cpus().length > 1 ? ['taskset', '-c', '1', ...command] : command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as FlagsSending;
  throw new Error('the sender ended without a result');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
