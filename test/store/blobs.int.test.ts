/** Files in pieces: as rows, and as objects of a storage that is spoken to over HTTP. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Blobs, createBlobs } from '#src/store/blobs.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
const KEY = 'service-role-key';
const objects = new Map<string, Buffer>();
let server: Server;
let deps: TestDeps;
let isAway = false;
let refusals = 0;

beforeAll(async () => {
  server = createServer((req, res) => {
    const body: Buffer[] = [];
    req.on('data', (piece: Buffer) => body.push(piece));
    req.on('end', () => {
      const bytes = Buffer.concat(body);
      const path = (req.url ?? '').replace('/storage/v1', '');
      const object = path.replace('/object/luneta-exports/', '');
      if (req.headers.authorization !== `Bearer ${KEY}` || req.headers['apikey'] !== KEY) {
        refusals += 1;
        return res.writeHead(403).end();
      }
      if (isAway) return res.writeHead(503).end('down');
      if (path === '/bucket') return res.writeHead(409).end('{"error":"Duplicate"}');
      if (req.method === 'POST') {
        objects.set(object, bytes);
        return res.writeHead(200).end('{}');
      }
      if (req.method === 'DELETE') {
        for (const prefix of (JSON.parse(bytes.toString()) as { prefixes: string[] }).prefixes) objects.delete(prefix);
        return res.writeHead(200).end('[]');
      }
      const found = objects.get(object);
      return found ? res.writeHead(200).end(found) : res.writeHead(400).end('{"error":"not_found"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

beforeEach(async () => {
  objects.clear();
  isAway = false;
  const { port } = server.address() as AddressInfo;
  const hosted = { PUBLIC_SUPABASE_URL: `http://127.0.0.1:${port}`, SUPABASE_SERVICE_ROLE_KEY: KEY };
  deps = testDeps(database.url, { config: hosted });
  for (const id of [1, 2]) {
    await database.query(
      "insert into projects (id, name, created_at) overriding system value values ($1, 'x', '2026-01-01')",
      [id],
    );
  }
});
afterEach(() => deps.close());

async function* bytesOf(length: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < length; at += 100_000) yield Buffer.alloc(Math.min(100_000, length - at), at / 100_000);
}

async function read(blobs: Blobs, project: number, id: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of (await blobs.read(project, id)).pieces) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function whole(length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of bytesOf(length)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe.each(['database', 'hosted'] as const)('in the %s', (place) => {
  let blobs: Blobs;
  const stored = async () =>
    place === 'hosted' ? objects.size : (await database.query('select from blob_pieces')).length;

  beforeEach(() => {
    blobs = createBlobs(place === 'hosted' ? deps : { ...deps, config: {} });
  });

  it('keeps a file in pieces, of one project, until it expires', async () => {
    const length = 3_500_000;
    const soon = deps.clock.now() + 1_000;
    const kept = await blobs.keep(1, soon, bytesOf(length));
    const later = await blobs.keep(1, soon + 60_000, bytesOf(10));
    expect(kept.bytes).toBe(length);
    expect(await stored()).toBe(5);
    expect((await read(blobs, 1, kept.id)).equals(await whole(length))).toBe(true);
    await expect(blobs.read(2, kept.id)).rejects.toMatchObject({ code: 'not_found' });
    await blobs.tidy();
    expect(await stored()).toBe(5);
    deps.clock.advance(1_000);
    await blobs.tidy();
    await expect(blobs.read(1, kept.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await read(blobs, 1, later.id)).length).toBe(10);
    await blobs.keep(2, soon, bytesOf(10));
    await blobs.forget(1, new AbortController().signal);
    expect(await stored()).toBe(1);
  });

  it('leaves nothing of a file that failed, and holds no more than a piece or two', async () => {
    const failing = async function* () {
      yield* bytesOf(2_500_000);
      throw new Error('cut');
    };
    await expect(blobs.keep(1, deps.clock.now(), failing())).rejects.toThrow('cut');
    expect(await stored()).toBe(0);
    expect(await database.query('select from blobs')).toEqual([]);
    let ahead = 0;
    const watched = async function* () {
      for await (const piece of bytesOf(5_000_000)) {
        ahead += piece.length;
        yield piece;
        await sleep(0);
        expect(ahead - 1_100_000 * (await stored())).toBeLessThan(2_300_000);
      }
    };
    await blobs.keep(1, deps.clock.now() + 1_000, watched());
  });
});

it('says that the storage is away, and takes it up again', async () => {
  const blobs = createBlobs(deps);
  const kept = await blobs.keep(1, deps.clock.now() + 1_000, bytesOf(10));
  isAway = true;
  await expect(read(blobs, 1, kept.id)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(blobs.remove(1, kept.id)).rejects.toMatchObject({ code: 'unavailable' });
  isAway = false;
  expect((await read(blobs, 1, kept.id)).length).toBe(10);
  const withoutKey = createBlobs({ ...deps, config: {} });
  await expect(withoutKey.read(1, kept.id)).rejects.toMatchObject({ code: 'unavailable' });
  expect(refusals).toBe(0);
});

it('deletes as many as possible, also when a storage is unavailable', async () => {
  const blobs = createBlobs(deps);
  const own = createBlobs({ ...deps, config: {} });
  const until = deps.clock.now() + 1_000;
  for (let file = 0; file < 25; file++) await blobs.keep(1, until, bytesOf(10));
  await own.keep(1, until, bytesOf(10));
  await own.keep(2, until, bytesOf(10));
  deps.clock.advance(1_000);
  const places = () => database.query<{ place: string }>('select distinct place from blobs order by 1');
  await expect(own.forget(2, new AbortController().signal)).resolves.toBeUndefined();
  isAway = true;
  await expect(blobs.tidy()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await places()).toEqual([{ place: 'hosted' }]);
  await own.keep(1, until, bytesOf(10));
  await expect(own.tidy()).rejects.toMatchObject({ code: 'unavailable' }); // without its keys
  expect(await places()).toEqual([{ place: 'hosted' }]);
  isAway = false;
  await blobs.tidy();
  expect(await places()).toEqual([]);
});
