/** The built program as a process: what its two threads answer together, and what stays as it was with one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { compileCache } from '#test/kit/compile-cache.ts';
import { useDatabase } from '#test/kit/database.ts';
import { freePort } from '#test/kit/free-port.ts';
import { OWNER, setUpOwner } from '#test/kit/sign-in.ts';
import { until } from '#test/kit/until.ts';

const root = process.cwd();
const database = useDatabase({ between: 'nothing' });
let server: Server;
let cookie = '';
let token = '';
let project = 0;

interface Server {
  url: string;
  port: number;
  child: ChildProcess;
  /** Its temporary files. */
  folder: string;
  log(): string;
  ended: Promise<number | null>;
}

async function start(settings: Record<string, string> = {}): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'luneta-threads-'));
  await mkdir(join(folder, 'tmp'));
  let text = '';
  const child = spawn(process.execPath, ['--max-http-header-size=65536', join(root, 'dist/main.js')], {
    cwd: folder,
    env: {
      ...{
        PATH: process.env['PATH'],
        ...compileCache,
        NODE_ENV: 'production',
        TMPDIR: join(folder, 'tmp'),
        SPOOL_DIR: join(folder, 'spool'),
      },
      ...{ DATABASE_URL: database.url, PUBLIC_APP_URL: url, PORT: String(port), LOG_LEVEL: 'debug' },
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (text += data));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await until(() => text.includes('"listening"') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(text);
  return { url, port, child, folder, log: () => text, ended };
}

async function stop({ child, ended, folder }: Server): Promise<number | null> {
  child.kill('SIGTERM');
  const code = await ended;
  await rm(folder, { recursive: true, force: true });
  return code;
}

beforeAll(async () => {
  if (!existsSync(join(root, 'dist/screens.js'))) throw new Error('Build first: node build.mjs');
  server = await start();
});
afterAll(async () => {
  if (server.child.exitCode === null) await stop(server);
});

const headers = () => ({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });

async function asked<Answer>(path: string, input: object = {}): Promise<Answer> {
  const search = `input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
  const { body } = await request(server.url).get(`/api/trpc/${path}?${search}`).set(headers()).expect(200);
  return (body as { result: { data: { json: Answer } } }).result.data.json;
}

async function told<Answer>(path: string, input: object): Promise<Answer> {
  const { body } = await request(server.url).post(`/api/trpc/${path}`).set(headers()).send({ json: input }).expect(200);
  return (body as { result: { data: { json: Answer } } }).result.data.json;
}

const send = (event: string, api_key: string) =>
  request(server.url).post('/ingest/e/').send({ api_key, event, distinct_id: 'ana', properties: {} });

/** The folders of its sockets: none before the thread was begun. */
const sockets = ({ folder } = server) =>
  readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('luneta-screens-'));

it('does not start the thread for events or health checks', async () => {
  await send('pageview', 'lnt_nobody').expect(401);
  for (const path of ['/healthz', '/readyz', '/metrics', '/ingest/static/array.js']) {
    await request(server.url).get(path);
  }
  expect(sockets()).toEqual([]);
});

it('renders, and signs in with the client’s address', async () => {
  const page = await fetch(server.url, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('</html>');
  expect(sockets()).toHaveLength(1);
  expect(statSync(join(server.folder, 'tmp', sockets()[0] as string)).mode & 0o777).toBe(0o700);
  ({ cookie } = await setUpOwner(server.url));
  const signIn = { email: OWNER.email, password: OWNER.password };
  await request(server.url)
    .post('/api/sign-in/password')
    .set({ 'Sec-Fetch-Site': 'same-origin', 'X-Luneta-Client': '6.6.6.6 6.6.6.6' })
    .send(signIn)
    .expect(200);
  const rows = await database.query<{ address: string }>(
    `select sess->'luneta'->>'address' as address from sign_in_sessions`,
  );
  expect(rows.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
  const [made] = await database.query<{ id: number; token: string }>(
    'select id, token from projects join project_tokens on project_id = id where not built_in',
  );
  ({ id: project, token } = made as { id: number; token: string });
});

it('takes events in beside it, and shows at once how that goes', async () => {
  await send('click', token).expect(200);
  const { guarantee, isStoring } = await asked<{ guarantee: string; isStoring: boolean }>('collect.ingestion', {
    project: String(project),
  });
  expect({ guarantee, isStoring }).toEqual({ guarantee: 'durable', isStoring: true });
  const { processes, disks, refused } = await asked<{
    processes: { role: string }[];
    disks: { what: string }[];
    refused: unknown[];
  }>('status.read');
  expect(processes).toMatchObject([{ role: 'web' }]);
  expect(disks.map(({ what }) => what)).toContain('spool');
  expect(refused).toEqual([{ reason: 'token', times: 1 }]);
  expect(await told('collect.sendTestEvent', { project: String(project) })).toMatchObject({ outcome: 'stored' });
});

it('knows a new token in both threads as soon as it was made', async () => {
  await send('click', 'phc_brought').expect(401);
  await told('projects.addToken', { project: String(project), token: 'phc_brought' });
  await send('click', 'phc_brought').expect(200);
  await told('projects.removeToken', { project: String(project), token: 'phc_brought' });
  await send('click', 'phc_brought').expect(401);
});

it('streams what happens, and notices who has gone', async () => {
  const search = `input=${encodeURIComponent(JSON.stringify({ json: { project: String(project) } }))}`;
  const gone = new AbortController();
  const stream = await fetch(`${server.url}/api/trpc/events.liveStream?${search}`, {
    headers: headers(),
    signal: gone.signal,
  });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const pieces = stream.body
    ?.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  expect((await pieces.read()).value).toContain('connected');
  await send('live click', token).expect(200);
  let text = '';
  while (!text.includes('live click')) {
    const { done, value } = await pieces.read();
    expect([done, done && server.log()]).toEqual([false, false]);
    text += value;
  }
  gone.abort();
  await until(() => /"path":"\/api\/trpc\/events.liveStream"[^\n]*"aborted":true/.test(server.log()));
});

it('tells how many questions wait, of both', async () => {
  const { text } = await request(server.url).get('/metrics').expect(200);
  expect(text).toMatch(/^luneta_screen_pool_waiting 0$/m);
});

it('shuts down in order with an open stream', async () => {
  const search = `input=${encodeURIComponent(JSON.stringify({ json: { project: String(project) } }))}`;
  const stream = await fetch(`${server.url}/api/trpc/events.liveStream?${search}`, { headers: headers() });
  const { child, ended, folder } = server;
  child.kill('SIGTERM');
  expect(await stream.text()).toContain('event: return');
  expect(await ended).toBe(0);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  expect(server.log()).toContain('"msg":"stopped"');
  expect(server.log()).not.toMatch(/"level":(50|60)/);
  await rm(folder, { recursive: true });
});

it('starts the thread right after a start where somebody has looked lately', async () => {
  const other = await start();
  await until(() => sockets(other).length === 1);
  expect(await stop(other)).toBe(0);
  await database.query(`update sign_in_sessions set sess = jsonb_set(sess::jsonb, '{luneta,seenAt}', '0')`);
  const quiet = await start();
  await fetch(`${quiet.url}/readyz`);
  expect(sockets(quiet)).toEqual([]);
  await stop(quiet);
});
