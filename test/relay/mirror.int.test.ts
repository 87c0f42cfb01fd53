/** The mirror's queue on a real database, against a local upstream. */
import * as nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'express';
import { openSpool } from '#src/collect/spool.ts';
import type { AppError } from '#src/kit/errors.ts';
import { keepForward } from '#src/parts.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { createCounts } from '#src/relay/counts.ts';
import { forwardTo } from '#src/relay/endpoint.ts';
import { explainUpstream } from '#src/relay/explain.ts';
import { forgetRelayed } from '#src/relay/forget.ts';
import { createQueue } from '#src/relay/mirror-queue.ts';
import { createRelay, type Mirror, type Relay, toForward } from '#src/relay/relay.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
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
  await relay.stop();
  await deps.close();
  await upstream.stop();
});

const client = { address: '203.0.113.9', host: 'shop.example', protocol: 'https' };

function makeRequest(n: number, receivedAt = TEST_TIME, projectId: number | null = null) {
  const headers = { 'content-type': 'text/plain', cookie: 'secret', 'content-length': '3', 'user-agent': 'UA' };
  return toForward(
    { method: 'POST', headers },
    `/i/v0/e/?n=${n}`,
    client,
    Buffer.from([n, 0, 255]),
    receivedAt,
    projectId,
  );
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
  expect((await relay.status()).lastProblem?.message).toBe('The upstream responded with 503.');
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
    lastRefusal: { at: TEST_TIME, message: 'The upstream responded with 400.' },
  });
  await mirror.enqueue(makeRequest(4));
  const { passed, failed, queue } = await relay.status();
  const { parts } = explainUpstream(TEST_TIME, true);
  const [[counted], [waits]] = await Promise.all(
    parts.map(({ sql }) => database.query<Record<string, string>>(sql)) as [
      ReturnType<typeof database.query<Record<string, string>>>,
      ReturnType<typeof database.query<Record<string, string>>>,
    ],
  );
  expect([passed, failed, queue?.skipped]).toEqual([2, 1, 0]);
  expect([counted?.['passed'], counted?.['failed'], counted?.['skipped']].map(Number)).toEqual([2, 1, 0]);
  expect([waits?.['requests'], waits?.['refused']].map(Number)).toEqual([queue?.requests, queue?.refused]);
  expect([queue?.requests, queue?.refused]).toEqual([1, 1]);
  expect(explainUpstream(TEST_TIME, false).parts).toHaveLength(1);
});

it.each([401, 403, 404])(
  'loses nothing to an upstream that answers %s for a while, by a wrong key or address',
  async (status) => {
    upstream.respond = (req, res) => void req.resume().on('end', () => res.writeHead(status).end());
    for (let n = 0; n < 40; n++) await mirror.enqueue(makeRequest(n));
    for (let round = 0; round < 12; round++) {
      expect(await deliver()).toBe(0);
      deps.clock.advance(600_000);
    }
    expect(await mirror.status()).toMatchObject({ requests: 40, refused: 0 });
    const { lastProblem } = await relay.status();
    expect(lastProblem).toMatchObject({ status });
    upstream.respond = (req, res) => {
      upstream.seen.push({ method: '', path: String(req.url), headers: {}, body: Buffer.of() });
      req.resume().on('end', () => res.end());
    };
    while ((await mirror.status()).requests > 0) {
      await deliver();
      deps.clock.advance(600_000);
    }
    expect(new Set(upstream.seen.map(({ path }) => path)).size).toBe(40);
  },
);

it('gives up on one request that is answered so while its neighbours pass', async () => {
  upstream.respond = (req, res) => {
    req.resume().on('end', () => res.writeHead(req.url?.endsWith('=0') ? 401 : 200).end());
  };
  await mirror.enqueue(makeRequest(0));
  for (let n = 1; n <= 10; n++) {
    await mirror.enqueue(makeRequest(n));
    await deliver();
    deps.clock.advance(600_000);
  }
  expect(await mirror.status()).toMatchObject({ requests: 0, refused: 1 });
});

it('resends permanently refused requests on request', async () => {
  upstream.respond = (req, res) => void req.resume().on('end', () => res.writeHead(400).end());
  for (let n = 0; n < 20; n++) await mirror.enqueue(makeRequest(n));
  await deliver();
  expect(await mirror.status()).toMatchObject({ requests: 0, refused: 20 });
  upstream.respond = (req, res) => void req.resume().on('end', () => res.end());
  expect(await mirror.retryRefused()).toBe(20);
  expect(await mirror.status()).toMatchObject({ requests: 20, refused: 0 });
  expect(await deliver()).toBe(20);
  expect(await mirror.retryRefused()).toBe(0);
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

it('lets others pass a request that has to wait again', async () => {
  upstream.respond = (req, res) => {
    req.resume().on('end', () => res.writeHead(req.url?.endsWith('=0') ? 500 : 200).end());
  };
  for (let n = 0; n <= 20; n++) await mirror.enqueue(makeRequest(n));
  expect(await deliver()).toBe(20);
  // Not due for a second: nobody waits for it.
  await mirror.enqueue(makeRequest(21));
  expect(await deliver()).toBe(1);
  // Alone in its window it fails like an upstream that is away: the others wait for a second at most.
  deps.clock.advance(240_000);
  expect(await deliver()).toBe(0);
  await mirror.enqueue(makeRequest(22));
  deps.clock.advance(1000);
  expect(await deliver()).toBe(1);
  expect(await mirror.status()).toMatchObject({ requests: 1, refused: 0 });
});

it('leaves an upstream alone that takes nothing, and begins with the oldest again', async () => {
  let numbers: number[] = [];
  upstream.respond = (req, res) => {
    numbers.push(Number(req.url?.split('=')[1]));
    req.resume().on('end', () => res.writeHead(503).end());
  };
  for (let n = 0; n < 40; n++) await mirror.enqueue(makeRequest(n));
  for (const ms of [1000, 2000, 4000]) {
    numbers = [];
    await deliver();
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, n) => n));
    deps.clock.advance(ms);
  }
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

it('forwards the given client details, and sets aside requests without a project', async () => {
  const req = { method: 'POST', url: '/e/?ip=1', headers: { 'x-forwarded-for': '203.0.113.9' }, ip: '203.0.113.9' };
  const request = { ...req, protocol: 'https', get: () => 'shop.example' } as unknown as Request;
  const forward = forwardTo(mirror, deps);
  await forward(request, Buffer.from('1'), { projectId: 7, address: '' });
  await forward(request, Buffer.from('2'), { projectId: 7, address: '203.0.113.0' });
  await forward(request, Buffer.from('3'), { projectId: null, address: '' });
  const rows = await database.query<{ headers: object }>('select headers from relay_queue order by id');
  const ours = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' };
  expect(rows.map(({ headers }) => headers)).toEqual([
    ours,
    { ...ours, 'x-forwarded-for': '203.0.113.0', 'x-real-ip': '203.0.113.0' },
  ]);
  expect(kept).toMatchObject([{ projectId: null, headers: ours, body: Buffer.from('3') }]);
  const without = createRelay(deps);
  const nowhere = forwardTo(without.mirror as Mirror, deps)(request, Buffer.from('4'), {
    projectId: null,
    address: '',
  });
  await expect(nowhere).rejects.toMatchObject({ code: 'unavailable' });
  await without.stop();
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

it('drops no day in which a request is queued at that moment', async () => {
  deps.clock.advance(86_400_000);
  await mirror.tendPartitions();
  await database.query(
    `create table relay_queue_20261119 partition of relay_queue for values from ('2026-11-19') to ('2026-11-20')`,
  );
  const client = await deps.write.connect();
  await client.query('begin');
  // As the spool brings back what waited since yesterday: not committed yet.
  await client.query(QUEUE_ONE, [new Date(TEST_TIME)]);
  let isDone = false;
  const tending = mirror.tendPartitions().finally(() => {
    isDone = true;
  });
  const waiters = () =>
    database.query(
      `select from pg_locks
        where not granted and database = (select oid from pg_database where datname = current_database())`,
    );
  while (!isDone && (await waiters()).length === 0);
  await client.query('commit');
  client.release();
  await tending;
  expect(await mirror.status()).toMatchObject({ requests: 1 });
  expect(await deliver()).toBe(1);
  await mirror.tendPartitions();
  expect(await mirror.status()).toMatchObject({ requests: 0 });
});

const QUEUE_ONE = `
  insert into relay_queue (received_at, day, method, path, headers, body, next_attempt_at)
  values ($1, ($1::timestamptz at time zone 'UTC')::date, 'POST', '/batch/', '{}', '{}', $1)`;

describe('what was refused', () => {
  /** So many requests of the day, which the upstream refused. */
  async function refuse(requests: number): Promise<void> {
    await database.query(
      `insert into relay_queue (received_at, day, method, path, headers, body, next_attempt_at, refused)
       select $1, ($1::timestamptz at time zone 'UTC')::date, 'POST', '/batch/', '{}', 'x', $1, 'The upstream answered 401.'
         from generate_series(1, $2::int)`,
      [new Date(TEST_TIME), requests],
    );
  }

  it('has a bound: the oldest go first', async () => {
    const queue = createQueue(deps, 40_000);
    for (let n = 0; n < 48; n++) await queue.insert(makeRequest(n));
    expect(await queue.status()).toMatchObject({ requests: 48, isRefusedFull: false });
    for (let window = 0; window < 3; window++) {
      const refused = (await queue.nextWindow()).map((request) => ({
        request,
        reason: 'The upstream responded with 401.',
      }));
      await queue.settle({ delivered: [], refused, postponed: [], isWorking: true, askedMs: 0, problem: null });
    }
    const left = await database.query<{ path: string }>('select path from relay_queue order by id');
    expect(left.length).toBeGreaterThan(30);
    expect(left.length).toBeLessThan(40);
    expect(left[0]?.path).toBe(`/i/v0/e/?n=${48 - left.length}`);
    expect(await queue.status()).toMatchObject({ requests: 0, refused: left.length, isRefusedFull: true });
  });

  it('goes after 14 days, a page at a time, and leaves what still waits', async () => {
    await mirror.tendPartitions();
    await refuse(1_100);
    await mirror.enqueue(makeRequest(1));
    deps.clock.advance(15 * 86_400_000);
    await mirror.tendPartitions();
    expect(await mirror.status()).toMatchObject({ requests: 1, refused: 0 });
  });

  it('goes with its day, however long deleting it would take', async () => {
    await mirror.tendPartitions();
    await refuse(700);
    await database.query(`
      create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return old; end';
      create trigger lingers before delete on relay_queue for each row execute function linger()`);
    deps.clock.advance(15 * 86_400_000);
    await mirror.tendPartitions();
    await database.query('drop trigger lingers on relay_queue; drop function linger()');
    expect(await mirror.status()).toMatchObject({ requests: 0, refused: 0 });
  });
});

describe('counts', () => {
  /** As a process that begins: what the room remembers is gone. */
  const another = () => createRelay(deps);

  it('are the same after a restart, and in every process', async () => {
    upstream.respond = (req, res) => {
      const status = req.url?.endsWith('=1') ? 400 : req.url?.endsWith('=2') ? 503 : 200;
      req.resume().on('end', () => res.writeHead(status).end());
    };
    for (let n = 0; n < 4; n++) await mirror.enqueue(makeRequest(n));
    expect(await deliver()).toBe(2);
    const before = await relay.status();
    expect(before).toMatchObject({ passed: 2, failed: 2, since: TEST_TIME, queue: { requests: 1, refused: 1 } });
    const wanted = { at: TEST_TIME, message: 'The upstream responded with 400.', kind: 'declined', status: 400 };
    expect(before.lastProblem).toEqual(wanted);
    await relay.stop();
    deps.clock.advance(60_000);
    expect(await another().status()).toEqual(before);
  });

  it('count a window once, also when it is sent again by a process that was killed before it could note it', async () => {
    await mirror.enqueue(makeRequest(0));
    const killed = { ...deps, write: { query: async () => Promise.reject(new Error('killed')) } as never };
    const window = await createQueue(deps).nextWindow();
    const outcome = { delivered: window, refused: [], postponed: [], problem: null, isWorking: true, askedMs: 0 };
    await expect(createQueue(killed).settle(outcome)).rejects.toThrow('killed');
    expect(await deliver()).toBe(1);
    await createQueue(deps).settle(outcome);
    expect(await relay.status()).toMatchObject({ passed: 1, failed: 0 });
  });

  it('add up over processes, and are written once when the answer to writing them is lost', async () => {
    let lost = 0;
    const losing = {
      query: async (text: string, values: unknown[]) => {
        await deps.write.query(text, values);
        lost += 1;
        throw new Error('the connection is gone');
      },
    };
    const [one, other] = [createCounts({ ...deps, write: losing as never }), createCounts(deps)];
    one.count('passed');
    one.count('skipped');
    await one.stop();
    one.count('passed');
    one.problem('It hangs.');
    await one.stop();
    other.count('passed');
    await other.stop();
    expect(lost).toBe(2);
    expect(await createCounts(deps).read()).toEqual({
      ...{ passed: 3, failed: 0, skipped: 1, since: TEST_TIME },
      lastProblem: { at: TEST_TIME, message: 'It hangs.', kind: null, status: null },
    });
  });

  it('stay what they are when rows of processes long over are put together', async () => {
    for (const message of ['It hung.', 'It hangs.']) {
      const over = createCounts(deps);
      over.count('failed');
      over.problem(message);
      await over.stop();
      deps.clock.advance(86_400_000);
    }
    const living = createCounts(deps);
    living.count('failed');
    await living.stop();
    const before = await living.read();
    for (let day = 0; day < 7; day++) {
      deps.clock.advance(86_400_000);
      await living.fold();
      expect(await createCounts(deps).read()).toEqual(before);
    }
    expect(before).toMatchObject({ failed: 3, since: TEST_TIME, lastProblem: { message: 'It hangs.' } });
    // Whoever counted nothing for a week lives on all the same: its row is nobody's, what it remembers is counted already.
    deps.clock.advance(1);
    await living.fold();
    expect(await living.read()).toEqual(before);
    // Its row may be gone by now: it counts on in another.
    living.count('failed');
    expect(await living.read()).toMatchObject({ failed: 4 });
    await living.stop();
    await living.fold();
    expect(await createCounts(deps).read()).toMatchObject({ failed: 4 });
    expect((await living.read()).failed).toBe(4);
  });

  it('are kept through an outage of more than a day', async () => {
    let isAway = true;
    const write = {
      query: async (text: string, values: unknown[]) => {
        if (isAway) throw new Error('away');
        return deps.write.query(text, values);
      },
    };
    const counts = createCounts({ ...deps, write: write as never });
    counts.count('passed');
    deps.clock.advance(86_400_001);
    await counts.stop();
    counts.count('passed');
    isAway = false;
    await counts.stop();
    expect(await counts.read()).toMatchObject({ passed: 2 });
    expect(await createCounts(deps).read()).toMatchObject({ passed: 2 });
  });

  it('lose nothing that is counted while a day-old row is being written in vain', async () => {
    const gate = Promise.withResolvers<void>();
    let fails = 1;
    const write = {
      query: async (text: string, values: unknown[]) => {
        if (fails-- <= 0) return deps.write.query(text, values);
        await gate.promise;
        throw new Error('away');
      },
    };
    const counts = createCounts({ ...deps, write: write as never });
    counts.count('passed');
    deps.clock.advance(86_400_001);
    const writing = counts.stop();
    await Promise.resolve();
    counts.count('passed');
    gate.resolve();
    await writing;
    await counts.stop();
    expect(await createCounts(deps).read()).toMatchObject({ passed: 2 });
  });
});

it('knows what another process took out of the queue', async () => {
  const queue = createQueue(deps);
  for (let n = 0; n < 3; n++) await queue.insert(makeRequest(n));
  expect(queue.knownBytes()).toBe(9);
  expect(await deliver()).toBe(3);
  deps.clock.advance(10_001);
  await queue.insert(makeRequest(3));
  await until(() => queue.knownBytes() === 3);
});

it('leaves nothing of a project that goes, waiting or refused', async () => {
  upstream.respond = (req, res) => void req.resume().on('end', () => res.writeHead(400).end());
  await mirror.enqueue(makeRequest(1, TEST_TIME, 7));
  await deliver();
  await mirror.enqueue(makeRequest(2, TEST_TIME, 7));
  await mirror.enqueue(makeRequest(3, TEST_TIME, 8));
  await forgetRelayed(deps.db, 7 as ProjectId, new AbortController().signal);
  expect(await database.query('select project_id from relay_queue')).toEqual([{ project_id: 8 }]);
});
