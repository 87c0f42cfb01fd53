/** Sign-ins over HTTP: listed, ended one by one and together, and by themselves; open streams end with them. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixedClock } from '#src/kit/clock.ts';
import { useDatabase } from '#test/kit/database.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { type Person, person, signedIn } from './person.ts';

const database = useDatabase({ between: 'nothing' });
const clock = fixedClock(Date.now());
const whole = useWholeApp(database, {}, { clock, watchEveryMs: 100 });
const DAY_MS = 86_400_000;
let server: Server;
let url: string;

beforeAll(async () => {
  server = whole.app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => database.query('delete from rate_limits'));

const isIn = async (someone: Person) => (await someone.ask('get')).status === 200;

interface Listed {
  id: string;
  isThis: boolean;
  how: string;
  device: object;
  address: string;
  startedAt: number;
  seenAt: number;
}
const listOf = async (someone: Person) => (await someone.ask('get')).data.signIns as Listed[];

/** Opens the live stream of a project; resolves to a promise of its end. */
async function openStream(someone: Person): Promise<{ ended: Promise<string> }> {
  const input = encodeURIComponent(JSON.stringify({ json: { project: String(whole.project) } }));
  const response = await fetch(`${url}/api/trpc/events.liveStream?input=${input}`, {
    headers: { cookie: someone.cookie, accept: 'text/event-stream' },
  });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const first = await reader.read();
  const rest = async () => {
    let text = decoder.decode(first.value, { stream: true });
    for (;;) {
      const { done, value } = await reader.read();
      if (done || /UNAUTHORIZED|unauthenticated/.test(text)) return text;
      text += decoder.decode(value, { stream: true });
    }
  };
  return { ended: rest() };
}

it('lists where one is signed in, without the key to it', async () => {
  const owner = person(whole.app, whole.owner);
  clock.advance(1_000);
  const other = await signedIn(whole.app);
  const list = await listOf(other);
  expect(list.map(({ isThis, how, startedAt }) => ({ isThis, how, startedAt }))).toEqual([
    { isThis: true, how: 'password', startedAt: clock.now() },
    { isThis: false, how: 'setup', startedAt: clock.now() - 1_000 },
  ]);
  expect(list.every(({ address }) => /127\.0\.0\.1/.test(address))).toBe(true);
  const [row] = await database.query<{ sid: string }>('select sid from sign_in_sessions limit 1');
  expect(JSON.stringify((await owner.ask('get')).data)).not.toContain(row?.sid);
  await other.signOut();
});

it('says which browser and system it was', async () => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
  const response = await fetch(`${url}/api/sign-in/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': userAgent },
    body: JSON.stringify({ email: OWNER.email, password: OWNER.password }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const phone = (await listOf(person(whole.app, cookie))).find(({ isThis }) => isThis);
  expect(phone?.device).toEqual({ browser: 'Mobile Safari', os: 'iOS', device: 'iPhone' });
  await person(whole.app, cookie).signOut();
});

it('ends one, ends the others, ends all', async () => {
  const [one, two, three] = [await signedIn(whole.app), await signedIn(whole.app), await signedIn(whole.app)];
  const idOfTwo = (await listOf(two)).find(({ isThis }) => isThis)?.id;
  expect((await one.call('endSession', { id: idOfTwo })).status).toBe(200);
  expect([await isIn(one), await isIn(two), await isIn(three)]).toEqual([true, false, true]);
  expect((await one.call('endSession', { id: idOfTwo })).status).toBe(404);
  expect((await one.call('endSessions', { keepThis: true })).status).toBe(200);
  expect([await isIn(one), await isIn(three)]).toEqual([true, false]);
  expect((await one.call('endSessions', { keepThis: false })).status).toBe(200);
  expect(await isIn(one)).toBe(false);
  expect(await database.query('select from sign_in_sessions')).toHaveLength(0);
});

it('does not end the sessions of another person', async () => {
  const owner = await signedIn(whole.app);
  const id = (await listOf(owner))[0]?.id;
  const { sessions, reader } = whole.parts.rooms.accounts;
  const [row] = await database.query<{ id: number }>('select id from users');
  const self = await reader(row?.id ?? 0);
  const stranger = { ...(self as NonNullable<typeof self>), id: 4_711 as NonNullable<typeof self>['id'] };
  await expect(sessions.end(stranger, id ?? '', '203.0.113.1')).rejects.toMatchObject({ code: 'not_found' });
  expect(await isIn(owner)).toBe(true);
});

it('ends after seven days without use, and after thirty in all', async () => {
  const [idle, used] = [await signedIn(whole.app), await signedIn(whole.app)];
  for (let day = 0; day < 29; day += 1) {
    clock.advance(DAY_MS);
    expect(await isIn(used)).toBe(true);
    if (day === 5) expect(await isIn(idle)).toBe(true);
  }
  expect(await isIn(idle)).toBe(false);
  clock.advance(DAY_MS);
  expect(await isIn(used)).toBe(true);
  clock.advance(1);
  expect(await isIn(used)).toBe(false);
});

it('does not come back when it is used while it is ended', async () => {
  const someone = await signedIn(whole.app);
  const sid =
    decodeURIComponent(someone.cookie.split('=')[1] ?? '')
      .slice(2)
      .split('.')[0] ?? '';
  await database.query('delete from sign_in_sessions');
  await whole.parts.rooms.accounts.sessions.seen(sid, clock.now(), clock.now() + DAY_MS);
  await whole.parts.rooms.accounts.sessions.proved(sid, clock.now());
  expect(await database.query('select from sign_in_sessions')).toHaveLength(0);
  expect(await isIn(someone)).toBe(false);
});

it.each([
  [
    'it is ended elsewhere',
    async (one: Person) => {
      const other = await signedIn(whole.app);
      await other.call('endSessions', { keepThis: true });
      expect(await isIn(one)).toBe(false);
    },
  ],
  [
    'its person signs out',
    async (one: Person) => {
      await one.signOut();
    },
  ],
  [
    'the account is disabled',
    async (one: Person) => {
      await database.query(`update users set disabled_at = '2026-01-01'`);
      expect(await isIn(one)).toBe(false);
    },
  ],
  ['it was not used for seven days', async () => clock.advance(7 * DAY_MS + 1)],
  [
    'it is thirty days old',
    async (one: Person) => {
      for (let day = 0; day < 30; day += 1) {
        clock.advance(DAY_MS);
        await isIn(one);
      }
      clock.advance(1);
    },
  ],
])(
  'takes its open streams along when %s',
  async (_, end) => {
    const one = await signedIn(whole.app);
    const { ended } = await openStream(one);
    await end(one);
    expect(await ended).toMatch(/UNAUTHORIZED|unauthenticated/);
    await database.query('update users set disabled_at = null');
  },
  30_000,
);
