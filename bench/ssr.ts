/**
 * What the real Overview costs, as people get it: the built server with its database, someone who is signed in, all queries of the page,
 * rendering, data, compression. CPU of Node and of PostgreSQL per page, pages per second, bytes. Answers are the same within two
 * seconds, as for everyone who looks at once. Before the rounds come as many pages as V8 needs until nearly all is compiled.
 *
 * `node build.mjs run bench/ssr.ts [--home /a/folder] [--events 100000] [--days 90] [--rounds 5] [--seconds 3] [--connections 8] [--encoding zstd]
 * [--warm 700]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { openData, openServer, sealEverything } from './questions-data.ts';
import { openScreen } from './questions-screen.ts';

const { values: given } = parseArgs({
  options: {
    home: { type: 'string', default: '/tmp/luneta-bench' },
    events: { type: 'string', default: '100000' },
    days: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '8' },
    encoding: { type: 'string', default: 'zstd' },
    warm: { type: 'string', default: '700' },
    port: { type: 'string', default: '4791' },
  },
});
const events = Number(given.events);
const connections = Number(given.connections);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const decompressors = { br: createBrotliDecompress, gzip: createGunzip, zstd: createZstdDecompress };

interface Round {
  nodeMs: number;
  postgresMs: number;
  perSecond: number;
  p50: number;
  p99: number;
}

const folder = await mkdtemp(join(tmpdir(), 'luneta-ssr-'));
const postgres = await openServer(given.home, Number(given.port));
try {
  const data = await openData(postgres, events, events / 100, {
    days: given.days === undefined ? undefined : Number(given.days),
  });
  await sealEverything(data, postgres, false);
  const { server, cookie } = await openScreen(data, { days: 28, folder, port: Number(given.port) + 1 }, 0);
  const path = `/project/${data.project.id}/overview`;
  try {
    const { bytes, text } = await page(server.url + path, cookie, true);
    if (!text.includes('<main') || !text.includes('"overview"')) throw new Error('The page has no figures.');
    console.log(
      `Overview of ${data.ofProject} events: ${Buffer.byteLength(text)} bytes, ${bytes} as ${given.encoding}. Node ${process.versions.node}, ` +
        `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${connections} connections.`,
    );
    await warmUp(server.url + path, Number(given.warm));
    const rounds: Round[] = [];
    for (let round = 1; round <= Number(given.rounds); round += 1) {
      const result = await load(server.url + path, Number(given.seconds));
      rounds.push(result);
      console.log(`${round} ${shown(result)}, p50 ${result.p50.toFixed(0)} ms, p99 ${result.p99.toFixed(0)} ms`);
    }
    const median = (of: keyof Round) => rounds.map((round) => round[of]).sort((a, b) => a - b)[rounds.length >> 1] ?? 0;
    console.log(
      `Median: ${shown({ nodeMs: median('nodeMs'), postgresMs: median('postgresMs'), perSecond: median('perSecond') })}`,
    );

    /** Asks for so many pages, on all connections. */
    async function warmUp(url: string, pages: number): Promise<void> {
      let left = pages;
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (; left > 0; left -= 1) await page(url, cookie, false);
        }),
      );
    }

    /** Asks for the page over and over on all connections. */
    async function load(url: string, seconds: number): Promise<Round> {
      const times: number[] = [];
      const before = { node: server.cpuSeconds(), postgres: postgres.cpuSeconds() };
      const begin = performance.now();
      const until = begin + seconds * 1_000;
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (performance.now() < until) {
            const asked = performance.now();
            await page(url, cookie, false);
            times.push(performance.now() - asked);
          }
        }),
      );
      const tookSeconds = (performance.now() - begin) / 1_000;
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
      return {
        nodeMs: ((server.cpuSeconds() - before.node) * 1_000) / times.length,
        postgresMs: ((postgres.cpuSeconds() - before.postgres) * 1_000) / times.length,
        perSecond: times.length / tookSeconds,
        p50: at(0.5),
        p99: at(0.99),
      };
    }
  } finally {
    await server.end('SIGTERM');
    await data.close();
  }
} finally {
  agent.destroy();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

function shown({ nodeMs, postgresMs, perSecond }: Pick<Round, 'nodeMs' | 'postgresMs' | 'perSecond'>): string {
  return `${nodeMs.toFixed(1)} ms of Node, ${postgresMs.toFixed(1)} ms of PostgreSQL, ${perSecond.toFixed(0)}/s`;
}

/** One page. @returns bytes on the wire; the text only when it is asked for, since reading it takes this process's time */
function page(url: string, cookie: string, isRead: boolean): Promise<{ bytes: number; text: string }> {
  const headers = { cookie, 'accept-encoding': given.encoding, 'accept-language': 'en', 'user-agent': browser };
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (res) => {
      const pieces: Buffer[] = [];
      res.on('data', (piece: Buffer) => pieces.push(piece));
      res.on('error', reject);
      res.on('end', () => {
        const body = Buffer.concat(pieces);
        if (res.statusCode !== 200) reject(new Error(`${url} was answered ${res.statusCode}`));
        else if (isRead)
          read(body, res.headers['content-encoding']).then((text) => resolve({ bytes: body.length, text }), reject);
        else resolve({ bytes: body.length, text: '' });
      });
    }).on('error', reject);
  });
}

async function read(body: Buffer, encoding: string | undefined): Promise<string> {
  const decompress = decompressors[encoding as keyof typeof decompressors];
  if (decompress === undefined) return body.toString();
  const stream = decompress();
  stream.end(body);
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
