/**
 * What a server-rendered page costs: CPU of the process per page and pages per second, beside an Express answer of the same bytes in the
 * same run, round and round so that both meet the same machine. Answers of the questions are ready (bench/questions.ts
 * has their cost); everything else is the product: routing, headers, queries, rendering, data, compression.
 *
 * `node build.mjs && node_modules/.bin/node bench/ssr.ts [--rounds 5] [--seconds 3] [--connections 16]`
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
  },
});
const rounds = Number(given.rounds);
const seconds = Number(given.seconds);
const connections = Number(given.connections);
const root = process.cwd();
if (!existsSync(join(root, 'dist/browser.meta.json'))) throw new Error('Build first: node build.mjs');

const folder = await mkdtemp(join(root, 'node_modules/.cache/luneta-ssr-'));
const program = await bundle(join(folder, 'server.mjs'));
const child = spawn(process.execPath, ['--max-old-space-size=512', program, join(root, 'dist')], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NODE_ENV: 'production' },
});
try {
  const port = Number(await firstLine());
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { raw, compressed } = JSON.parse(await ask('/same', { method: 'POST' })) as { raw: number; compressed: number };
  console.log(`Overview of the sample shop: ${raw} bytes, ${compressed} compressed (brotli 4).`);
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model}), ${connections} connections.`,
  );

  const kinds = [
    { name: 'page', path: '/project/2/overview' },
    { name: 'same bytes', path: '/same' },
  ];
  for (const { path } of kinds) await load(path, 2);
  const results = new Map(kinds.map(({ name }) => [name, [] as Round[]]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, path } of kinds) {
      const result = await load(path, seconds);
      results.get(name)?.push(result);
      console.log(
        `${round} ${name.padEnd(10)} ${result.cpuMs.toFixed(3)} ms CPU, ${result.perSecond.toFixed(0)}/s, ` +
          `p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
      );
    }
  }
  const median = (name: string, of: (round: Round) => number) => {
    const sorted = (results.get(name) ?? []).map(of).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  const least = Math.min(...(results.get('page') ?? []).map(({ cpuMs }) => cpuMs));
  console.log(
    `Median: ${median('page', (r) => r.cpuMs).toFixed(2)} ms CPU per page (least ${least.toFixed(2)}), ` +
      `${median('page', (r) => r.perSecond).toFixed(0)} pages/s; the same bytes by Express alone ` +
      `${median('same bytes', (r) => r.cpuMs).toFixed(2)} ms, ${median('same bytes', (r) => r.perSecond).toFixed(0)}/s.`,
  );

  interface Round {
    cpuMs: number;
    perSecond: number;
    p50: number;
    p99: number;
  }

  /** Asks for one address over and over on all connections. */
  async function load(path: string, forSeconds: number): Promise<Round> {
    const times: number[] = [];
    const before = await cpu();
    const begin = performance.now();
    const until = begin + forSeconds * 1_000;
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < until) {
          const asked = performance.now();
          await ask(path);
          times.push(performance.now() - asked);
        }
      }),
    );
    const took = (performance.now() - begin) / 1_000;
    const used = (await cpu()) - before;
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
    return { cpuMs: used / times.length, perSecond: times.length / took, p50: at(0.5), p99: at(0.99) };
  }

  /** CPU time of the server so far, ms. */
  async function cpu(): Promise<number> {
    const { user, system } = JSON.parse(await ask('/cpu')) as NodeJS.CpuUsage;
    return (user + system) / 1_000;
  }

  function ask(path: string, options: { method?: string } = {}): Promise<string> {
    const headers = {
      'accept-encoding': 'br, gzip',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'accept-language': 'en',
    };
    return new Promise((resolve, reject) => {
      request({ agent, host: '127.0.0.1', port, path, headers, ...options }, (res) => {
        const pieces: Buffer[] = [];
        res.on('data', (piece: Buffer) => pieces.push(piece));
        res.on('end', () => {
          if (res.statusCode === 200) resolve(Buffer.concat(pieces).toString());
          else reject(new Error(`${path} was answered ${res.statusCode}`));
        });
      })
        .on('error', reject)
        .end();
    });
  }
} finally {
  child.kill();
  await rm(folder, { recursive: true });
}

/** As the build bundles the server: React for production inside, other packages outside. */
async function bundle(outfile: string): Promise<string> {
  const { createStyles } = (await import(join(root, 'build.styles.mjs'))) as {
    createStyles(esbuildModule: typeof esbuild, root: string, production: boolean): { plugin: esbuild.Plugin };
  };
  const inside = ['react', 'react-dom', '@tanstack/react-query', '@tanstack/query-core', '@vercel/analytics'];
  const packages: esbuild.Plugin = {
    name: 'packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
        const isInside = inside.some((name) => path === name || path.startsWith(`${name}/`));
        return kind === 'entry-point' || isInside ? undefined : { path, external: true };
      });
    },
  };
  await esbuild.build({
    entryPoints: [relative(root, join(root, 'bench/ssr-server.ts'))],
    absWorkingDir: root,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`,
    },
    plugins: [createStyles(esbuild, root, true).plugin, packages],
    logLevel: 'error',
  });
  return outfile;
}

async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('The server did not start');
}
