/** The mirror's queue on a real database, against a local upstream. */
import * as nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSpool } from '#src/collect/spool.ts';
import type { AppError } from '#src/kit/errors.ts';
import { keepForward } from '#src/parts.ts';
import { createRelay, type Mirror, type Relay, toForward } from '#src/relay/relay.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { startUpstream, type TestUpstream } from '#test/kit/upstream.ts';

const database = useDatabase();
let upstream: TestUpstream;
let deps: TestDeps;
let relay: Relay;
let mirror: Mirror;
let kept: unknown[];

beforeEach(async () => {
  upstream = await startUpstream();
  deps = testDeps(database.url, { config: { PUBLIC_POSTHOG_HOST: upstream.url, INGEST_MODE: 'mirror' } });
  kept = [];
  relay = createRelay(deps, { keep: (request) => Promise.resolve(void kept.push(request)) });
  mirror = relay.mirror as Mirror;
});
afterEach(async () => {
  relay.stop();
  await deps.close();
  await upstream.stop();
});

const client = { address: '203.0.113.9', host: 'shop.example', protocol: 'https' };

function makeRequest(n: number, receivedAt = TEST_TIME) {
  const headers = { 'content-type': 'text/plain', cookie: 'secret', 'content-length': '3', 'user-agent': 'UA' };
  return toForward({ method: 'POST', headers }, `/i/v0/e/?n=${n}`, client, Buffer.from([n, 0, 255]), receivedAt);
}

/** Sends until nothing is due. `elapsed` stands still with the clock, so the time limit is what the clock is moved by. */
async function deliver(): Promise<number> {
  const stop = new AbortController();
  const work = mirror.deliver(stop.signal, 1000);
  let before = -1;
  for (let quiet = 0; quiet < 4; quiet = before === upstream.seen.length ? quiet + 1 : 0) {
    before = upstream.seen.length;
    await new Promise((wake) => setTimeout(wake, 40));
  }
  stop.abort();
  return (await work).delivered;
}

it('sends what was queued, byte for byte, in the order it came, once', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => mirror.enqueue(makeRequest(n))));
  expect(await mirror.status()).toMatchObject({
    requests: 50,
    bytes: 150,
    oldestAt: TEST_TIME,
    refused: 0,
    skipped: 0,
  });
  expect(await deliver()).toBe(50);
  const [first] = upstream.seen;
  expect(first).toMatchObject({ method: 'POST', path: '/i/v0/e/?n=0', body: Buffer.from([0, 0, 255]) });
  expect(first?.headers).toMatchObject({ 'x-forwarded-for': '203.0.113.9', 'user-agent': 'UA', 'content-length': '3' });
  expect(first?.headers).not.toHaveProperty('cookie');
  // A window of requests is under way at once; windows follow one another.
  const windows = upstream.seen.map(({ path }) => Math.floor(Number(path.split('=')[1]) / 16));
  expect(windows).toEqual([...windows].sort((a, b) => a - b));
  expect(await mirror.status()).toMatchObject({ requests: 0, bytes: 0, oldestAt: null });
  expect(await deliver()).toBe(0);
});

it('waits longer and longer while the upstream is away, and loses nothing', async () => {
  await mirror.enqueue(makeRequest(1));
  await mirror.enqueue(makeRequest(2));
  let answers = 0;
  upstream.respond = (req, res) => {
    answers++;
    req.resume().on('end', () => res.writeHead(503, { 'retry-after': '7' }).end());
  };
  expect(await deliver()).toBe(0);
  expect(answers).toBe(2);
  expect((await relay.status()).lastProblem?.message).toBe('The upstream answered 503.');
  expect(
    await database.query('select attempts, extract(epoch from next_attempt_at)::float8 * 1000 as at from relay_queue'),
  ).toEqual([
    { attempts: 1, at: TEST_TIME + 7000 },
    { attempts: 1, at: TEST_TIME + 7000 },
  ]);
  deps.clock.advance(6900);
  await deliver();
  expect(answers).toBe(2);
  deps.clock.advance(200);
  const port = Number(new URL(upstream.url).port);
  await upstream.stop();
  await deliver();
  upstream = await startUpstream(port);
  deps.clock.advance(3000);
  expect(await deliver()).toBe(2);
  expect(upstream.seen).toHaveLength(2);
});

it('puts what the upstream refuses on the dead list with its reason and goes on', async () => {
  for (let n = 0; n < 3; n++) await mirror.enqueue(makeRequest(n));
  upstream.respond = (req, res) => {
    req.resume().on('end', () => res.writeHead(req.url?.endsWith('=1') ? 400 : 200).end());
  };
  expect(await deliver()).toBe(2);
  expect(await mirror.status()).toMatchObject({
    requests: 0,
    refused: 1,
    lastRefusal: { at: TEST_TIME, message: 'The upstream answered 400.' },
  });
});

it('gives up on a request that fails while its neighbours pass', async () => {
  upstream.respond = (req, res) => {
    req.resume().on('end', () => res.writeHead(req.url?.endsWith('=0') ? 500 : 200).end());
  };
  await mirror.enqueue(makeRequest(0));
  for (let n = 1; n <= 10; n++) {
    await mirror.enqueue(makeRequest(n));
    await deliver();
    deps.clock.advance(600_000);
  }
  expect(await mirror.status()).toMatchObject({ requests: 0, refused: 1 });
});

it('keeps requests elsewhere while the database is away, and takes them back later', async () => {
  await deps.close();
  await mirror.enqueue(makeRequest(4));
  expect(kept).toEqual([makeRequest(4)]);
  await expect(mirror.insert(makeRequest(4))).rejects.toThrow();
  deps = testDeps(database.url, { config: { PUBLIC_POSTHOG_HOST: upstream.url, INGEST_MODE: 'mirror' } });
  const later = createRelay(deps).mirror as Mirror;
  await later.insert(makeRequest(4));
  expect(await later.status()).toMatchObject({ requests: 1, bytes: 3 });
});

it.each([true, false])('calls a request safe that it kept on a disk only if that is durable: %s', async (durable) => {
  const dir = nodeFs.mkdtempSync(join(tmpdir(), 'luneta-mirror-'));
  const { log, clock } = deps;
  const spool = await openSpool({ dir, durable, fs: nodeFs, log, clock, limits: { keepFreeBytes: 0 } });
  const away = testDeps('postgresql:///nowhere?host=/nowhere', {
    config: { PUBLIC_POSTHOG_HOST: upstream.url, INGEST_MODE: 'mirror' },
  });
  const own = createRelay(away, { keep: (request) => keepForward(spool, request) }).mirror as Mirror;
  const outcome = await own.enqueue(makeRequest(4)).catch((error: AppError) => error.code);
  const { bytes } = spool.stats();
  await spool.close(0);
  await away.close();
  nodeFs.rmSync(dir, { recursive: true });
  expect(outcome).toBe(durable ? undefined : 'unavailable');
  expect(bytes).toBeGreaterThan(0);
});

it('makes the partitions of the next days and drops those that are empty', async () => {
  const names = async () =>
    (
      await database.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'relay_queue'::regclass order by 1`,
      )
    ).map(({ name }) => name);
  await mirror.tendPartitions();
  expect(await names()).toEqual([
    'relay_queue_20261119',
    'relay_queue_20261120',
    'relay_queue_20261121',
    'relay_queue_default',
  ]);
  await mirror.enqueue(makeRequest(1));
  expect(await database.query('select tableoid::regclass::text as name from relay_queue')).toEqual([
    { name: 'relay_queue_20261119' },
  ]);
  deps.clock.advance(3 * 86_400_000);
  await mirror.tendPartitions();
  expect(await names()).toEqual([
    'relay_queue_20261119',
    'relay_queue_20261122',
    'relay_queue_20261123',
    'relay_queue_20261124',
    'relay_queue_default',
  ]);
  expect(await deliver()).toBe(1);
  await mirror.tendPartitions();
  expect(await names()).not.toContain('relay_queue_20261119');
});
