/**
 * Whatever a stranger puts into the address, the head or the body of a request: a door that asks who is there answers it as it answers a plain
 * request of nobody, so it has looked at nothing else before, and no door fails. The doors are those that the application lists.
 */
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '#src/api/operations.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type DoorBomb, doorBomb, doorBombs } from '#test/kit/door-bombs.ts';
import fc from '#test/kit/fast-check.ts';
import { filled, httpRoutes, screenPaths } from '#test/kit/routes.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const runs = Number(process.env['RUNS'] ?? 400);

interface Door {
  method: string;
  path: string;
}

let server: Server;
let doors: Door[];
const plain = new Map<Door, number>();

beforeAll(async () => {
  // As large as the product takes them.
  server = createServer({ maxHeaderSize: 65_536 }, whole.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const values = { project: whole.project, team: whole.team, ts: Date.now(), annotation: 1 };
  doors = [
    ...httpRoutes(whole.app).filter(({ method }) => method !== 'OPTIONS' && method !== 'ALL'),
    ...operations.map(({ method = 'get', path }) => ({ method: method.toUpperCase(), path: `/api/v1${path}` })),
  ].map(({ method, path }) => ({ method, path: filled(path, values) }));
  doors.push(...screenPaths(values).map((path) => ({ method: 'GET', path })));
  for (const door of doors) plain.set(door, await answerOf(door, NOTHING));
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));
beforeEach(() => database.query('delete from rate_limits'));

const NOTHING: DoorBomb = { kind: 'nothing', search: '', headers: {}, body: null };
/** Of pages to sign in, and of calls with a key or a session. */
const ASKS: ReadonlySet<number> = new Set([302, 401]);
/** A head that is too large, or in which a name means something else, ends before any door. */
const EARLIER: ReadonlySet<number> = new Set([400, 403, 431]);

async function answerOf({ method, path }: Door, { search, headers, body }: DoorBomb): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const address = `${path}${search === '' ? '' : `?${search}`}`;
  const own = { 'sec-fetch-site': 'same-origin', ...headers };
  const options = { port, method, path: address, headers: own, agent: false, maxHeaderSize: 1_000_000 } as const;
  return new Promise((resolve, reject) => {
    const asked = send(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', reject);
    });
    // A refusal may come before the body was sent.
    asked.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve(0) : reject(error)));
    asked.end(method === 'GET' ? undefined : (body ?? undefined));
  });
}

it('knows doors that ask, and doors that do not', () => {
  const statuses = [...plain.values()];
  expect(statuses.filter((status) => ASKS.has(status)).length).toBeGreaterThan(30);
  expect(statuses).toContain(200);
});

it('answers a stranger without looking at what was sent', async () => {
  const bomb = fc.integer({ min: 0, max: doorBombs - 1 });
  const property = fc.asyncProperty(fc.nat(), bomb, async (at, number) => {
    const sent = doorBomb(number);
    const door = doors[at % doors.length] as Door;
    const before = plain.get(door) as number;
    const status = await answerOf(door, sent);
    if (status === 429) await database.query('delete from rate_limits');
    expect([door, sent.kind, status < 500]).toEqual([door, sent.kind, before < 500]);
    if (ASKS.has(before) && !EARLIER.has(status) && status !== 429)
      expect([sent.kind, status]).toEqual([sent.kind, before]);
  });
  await fc.assert(property, { numRuns: runs });
});

it('does not read what is posted before it knows the key', async () => {
  const posted = operations.filter(({ body }) => body !== undefined);
  expect(posted.length).toBeGreaterThan(0);
  for (const { method = 'post', path } of posted) {
    const door = { method: method.toUpperCase(), path: `/api/v1${filled(path, { project: whole.project })}` };
    const headers = { 'content-type': 'application/json' };
    for (const body of [Buffer.from('['.repeat(10_000)), Buffer.alloc(1_000_000, ' ')]) {
      expect(await answerOf(door, { kind: '', search: '', headers, body })).toBe(401);
    }
  }
});
