/** One fault test: a fresh database and scratch folder, servers and senders as processes, and the comparison at the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, type QueryResultRow } from 'pg';
import { loadConfig } from '#src/config.ts';
import { createLog } from '#src/kit/log.ts';
import { migrate } from '#src/store/db.ts';
import { ours } from './children.ts';
import type { Postgres } from './postgres.ts';
import type { SenderOptions } from './sender.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';

export const TOKEN = 'lnt_faults_0000000000000000';

export interface Answer {
  /** Wall clock at the start of the request, ms. */
  at: number;
  /** Wall clock when the system had all of it, ms; 0: never. */
  writtenAt: number;
  /** 0: no answer. */
  status: number;
  tookMs: number;
  events: number;
}

export interface Sender {
  stop(): Promise<void>;
  /** Answers so far, in order of their arrival. */
  answers(): Promise<Answer[]>;
}

export interface Verdict {
  sent: number;
  acked: number;
  stored: number;
  /** Acknowledged and not stored. */
  lost: number;
  /** Stored more than once. */
  twice: number;
}

export interface Scene {
  root: string;
  folder: string;
  postgres: Postgres;
  databaseUrl: string;
  /** Starts a server; it is ended with the scene. */
  server(options?: Partial<Pick<ServerOptions, 'databaseUrl' | 'env' | 'port' | 'entry' | 'flags'>>): Server;
  sender(url: string, options?: Partial<SenderOptions>): Sender;
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  verdict(): Promise<Verdict>;
  /** Waits until everything acknowledged is stored. @returns ms that it took, or null when the time ran out */
  caughtUp(limitMs: number): Promise<number | null>;
  close(): Promise<void>;
}

export interface SceneOptions {
  root: string;
  scratch: string;
  postgres: Postgres;
  name: string;
  firstPort: number;
  /** False leaves the database empty. */
  isMigrated?: boolean;
  /** The database of an earlier scene of this name is taken as it is. */
  isKept?: boolean;
}

export async function openScene(options: SceneOptions): Promise<Scene> {
  const { root, scratch, postgres, name, firstPort, isMigrated = true, isKept = false } = options;
  const folder = join(scratch, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const database = `faults_${name.toLowerCase()}`;
  if (!isKept) await postgres.createDatabase(database);
  const databaseUrl = postgres.urlOf(database);
  if (isMigrated && !isKept) await prepare(databaseUrl);
  const servers: Server[] = [];
  const senders: ChildProcess[] = [];
  let nextPort = firstPort;

  async function query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000, query_timeout: 30_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async function verdict(): Promise<Verdict> {
    const sent = new Set(await linesOf(join(folder, 'sent.txt')));
    const acked = new Set(await linesOf(join(folder, 'acked.txt')));
    const rows = await query<{ uuid: string; times: string }>(
      'select uuid, count(*) as times from events group by uuid',
    );
    const stored = new Map(rows.map(({ uuid, times }) => [uuid, Number(times)]));
    let lost = 0;
    let twice = 0;
    for (const uuid of acked) if (!stored.has(uuid)) lost++;
    for (const [uuid, times] of stored) if (times > 1 && sent.has(uuid)) twice++;
    const ours = [...stored.keys()].filter((uuid) => sent.has(uuid)).length;
    return { sent: sent.size, acked: acked.size, stored: ours, lost, twice };
  }

  return {
    root,
    folder,
    postgres,
    databaseUrl,
    server({ databaseUrl: url = databaseUrl, env = {}, port = nextPort++, entry, flags } = {}) {
      const spool = { SPOOL_DIR: join(folder, 'spool') };
      const server = startServer({
        root,
        port,
        databaseUrl: url,
        folder,
        env: { ...spool, ...env },
        ...(entry ? { entry } : {}),
        ...(flags ? { flags } : {}),
      });
      servers.push(server);
      return server;
    },
    sender(url, options = {}) {
      const wanted: SenderOptions = { url, token: TOKEN, folder, rate: 500, batch: 1, retry: 'none', ...options };
      const script = fileURLToPath(new URL('./sender.ts', import.meta.url));
      const child = ours(
        spawn(process.execPath, [script, JSON.stringify(wanted)], { stdio: ['ignore', 'inherit', 'inherit'] }),
      );
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      senders.push(child);
      return {
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
        answers: async () => (await linesOf(join(folder, 'answers.txt'))).map(parseAnswer),
      };
    },
    query,
    verdict,
    async caughtUp(limitMs) {
      const since = performance.now();
      while (performance.now() - since < limitMs) {
        const { lost } = await verdict();
        if (lost === 0) return performance.now() - since;
        await sleep(500);
      }
      return null;
    },
    async close() {
      for (const sender of senders) sender.kill('SIGKILL');
      for (const server of servers) if (!server.hasEnded) await server.end('SIGKILL');
    },
  };
}

/** The newest schema, with a project to send to. */
async function prepare(databaseUrl: string): Promise<void> {
  await migrate(loadConfig({ DATABASE_URL: databaseUrl, PUBLIC_APP_URL: 'http://localhost:3000' }), createLog('warn'));
  await addProject(databaseUrl);
}

export async function addProject(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const now = new Date(Date.now());
  await client.query(
    `with made as (insert into projects (name, created_at) values ('Faults', $1) returning id)
     insert into project_tokens (token, project_id, created_at) select $2, id, $1 from made`,
    [now, TOKEN],
  );
  await client.end();
}

async function linesOf(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function parseAnswer(line: string): Answer {
  const [at = 0, writtenAt = 0, status = 0, tookMs = 0, events = 0] = line.split(' ').map(Number);
  return { at, writtenAt, status, tookMs, events };
}
