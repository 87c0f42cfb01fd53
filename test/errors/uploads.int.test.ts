/** Source maps by the uploader that the installation serves and by PostHog's command line, and uncaught errors of the real posthog-node. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import request from 'supertest';
import { keyScopes } from '#src/projects/api-keys/values.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const run = promisify(execFile);
let server: Server;
let url: string;
let folder: string;
let key: string;
let token: string;

beforeAll(async () => {
  server = createServer(whole.app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Beside node_modules, where the client of the built code is found.
  await mkdir('dist', { recursive: true });
  folder = await mkdtemp(join(process.cwd(), 'dist', 'uploads-'));
  const input = { name: 'maps', scopes: [...keyScopes], projects: null, days: 'never' };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.apiKeys.create', input).expect(200);
  key = made.body.result.data.json.key;
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  token = row?.token as string;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const source = `
import { PostHog } from 'posthog-node';
const client = new PostHog(process.env.TOKEN, { host: process.env.HOST, enableExceptionAutocapture: true, flushAt: 1 });
function chargeCustomer(order) {
  // The total is missing.
  return order.total.cents;
}
setTimeout(() => chargeCustomer({}), 10);
`;

/** Built and minified; its map is not beside it where it runs. */
async function buildApp(): Promise<void> {
  await writeFile(join(folder, 'charge.js'), source);
  await build({
    entryPoints: [join(folder, 'charge.js')],
    outfile: join(folder, 'out/charge.mjs'),
    bundle: true,
    minify: true,
    sourcemap: 'external',
    format: 'esm',
    platform: 'node',
    external: ['posthog-node'],
    logLevel: 'silent',
  });
}

it('shows where the real posthog-node was hit by an uncaught error, with the uploader that is served', async () => {
  await buildApp();
  const uploader = join(tmpdir(), `luneta-maps-${process.pid}.mjs`);
  const served = await request(whole.app).get('/static/luneta-maps.mjs').expect(200);
  await writeFile(uploader, served.text);
  const env = { ...process.env, LUNETA_URL: url, LUNETA_PROJECT: String(whole.project), LUNETA_API_KEY: key };
  const upload = (...flags: string[]) => run(process.execPath, [uploader, join(folder, 'out'), ...flags], { env });
  const { stdout } = await upload('--commit', 'abc1234', '--release', '1.0.0');
  expect(stdout).toContain('1 of 1 source maps uploaded.');
  await upload();
  await expect(
    run(process.execPath, [uploader, join(folder, 'out')], { env: { ...env, LUNETA_API_KEY: 'lnk_x' } }),
  ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('401') });
  await rm(uploader);

  const thrown = run(process.execPath, [join(folder, 'out/charge.mjs')], {
    env: { ...process.env, TOKEN: token, HOST: `${url}/ingest` },
  });
  await expect(thrown).rejects.toMatchObject({ code: expect.any(Number) });
  await whole.parts.rooms.errors.group();
  const listed = await callsOf(whole)
    .query(whole.owner, 'errors.list', { project: String(whole.project) })
    .expect(200);
  const [issue] = listed.body.result.data.json.issues;
  expect(issue).toMatchObject({ type: 'TypeError', unhandled: true, culprit: expect.stringContaining('charge.js:6') });
  const read = await callsOf(whole)
    .query(whole.owner, 'errors.occurrence', { project: String(whole.project), issue: issue.id })
    .expect(200);
  const { exceptions } = read.body.result.data.json;
  expect(exceptions[0].frames.filter(({ inApp }: { inApp: boolean }) => inApp).at(-1)).toMatchObject({
    line: 6,
    source: { line: '  return order.total.cents;', before: expect.arrayContaining(['  // The total is missing.']) },
  });
});

it('takes uploads of PostHog’s command line by chunk', async () => {
  const at = (path: string) => `/api/projects/${whole.project}/error_tracking/${path}`;
  const post = (path: string, body: object, as = key) =>
    request(whole.app).post(at(path)).set('Authorization', `Bearer ${as}`).send(body);
  const get = (path: string) => request(whole.app).get(at(path)).set('Authorization', `Bearer ${key}`);
  await get('releases/hash/h1').expect(404);
  const release = { hash_id: 'h1', version: '2.0.0', project: 'shop', metadata: { git: { commit_id: 'abc' } } };
  const { body: made } = await post('releases', release).expect(200);
  expect((await get('releases/hash/h1').expect(200)).body).toEqual({ ...release, id: made.id });

  const chunk = 'b4c0ffee-0000-4000-8000-000000000001';
  const sets = { symbol_sets: [{ chunk_id: chunk, release_id: made.id, content_hash: 'c1' }] };
  expect((await post('symbol_sets/bulk_check_upload', sets).expect(200)).body).toEqual({
    chunk_ids_to_upload: [chunk],
  });
  await post('symbol_sets/bulk_start_upload', sets, 'lnk_none').expect(401);
  const { body: started } = await post('symbol_sets/bulk_start_upload', sets).expect(200);
  const { presigned_url: signed, symbol_set_id: id } = started.id_map[chunk];
  const map = JSON.stringify({
    version: 3,
    sources: ['a.ts'],
    names: [],
    mappings: 'AAAA',
    sourcesContent: ['throw 1'],
  });
  const container = (text: string) => {
    const part = (value: string) => {
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(value.length));
      return Buffer.concat([length, Buffer.from(value)]);
    };
    const head = Buffer.from([1, 0, 0, 0, 2, 0, 0, 0]);
    return Buffer.concat([Buffer.from('posthog_error_tracking'), head, part('throw 1'), part(text)]);
  };
  const { pathname } = new URL(signed.url);
  const upload = (ticket: string, content: Buffer) =>
    request(whole.app).post(pathname).field('ticket', ticket).attach('file', content, 'file');
  await upload(
    signed.fields.ticket.replace(/.$/, (sign: string) => (sign === 'A' ? 'B' : 'A')),
    container(map),
  ).expect(404);
  await upload(signed.fields.ticket, Buffer.from('nonsense')).expect(400);
  await upload(signed.fields.ticket, container('{"version":3,"sources":[],"mappings":""}')).expect(400);
  await upload(signed.fields.ticket, container(map)).expect(204);
  await post('symbol_sets/bulk_finish_upload', { content_hashes: { [id]: 'c1' } }).expect(200);
  expect((await post('symbol_sets/bulk_check_upload', sets).expect(200)).body).toEqual({ chunk_ids_to_upload: [] });
  const other = { symbol_sets: [{ chunk_id: chunk, release_id: made.id, content_hash: 'c2' }] };
  const refused = await post('symbol_sets/bulk_start_upload', other).expect(400);
  expect(refused.body).toMatchObject({ code: 'content_hash_mismatch', attr: 'content_hash' });
  expect((await post('symbol_sets/bulk_start_upload', { ...other, skip_on_conflict: true })).body).toEqual({
    id_map: {},
  });

  expect((await get(`symbol_sets/?ref=${chunk}&limit=1`).expect(200)).body).toEqual({ results: [{ id }] });
  const { body: link } = await get(`symbol_sets/${id}/download/`).expect(200);
  const { pathname: path, search } = new URL(link.url);
  const file = await request(whole.app)
    .get(`${path}${search}`)
    .buffer()
    .parse((res, done) => {
      const pieces: Buffer[] = [];
      res.on('data', (piece: Buffer) => pieces.push(piece));
      res.on('end', () => done(null, Buffer.concat(pieces)));
    })
    .expect(200);
  expect((file.body as Buffer).toString()).toContain('"sources":["a.ts"]');
});
