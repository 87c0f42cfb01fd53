/** Whoever is removed loses what is open: the live stream ends by itself, over real HTTP. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, {}, { watchEveryMs: 3_600_000 });
let server: Server;
let joined = 0;

beforeAll(async () => {
  server = await new Promise<Server>((resolve) => {
    const made = whole.app.listen(0, '127.0.0.1', () => resolve(made));
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function open({ cookie }: Person): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const input = encodeURIComponent(JSON.stringify({ json: { project: String(whole.project) } }));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/trpc/events.liveStream?input=${input}`, {
    headers: { Cookie: cookie, Host: 'localhost:3000', 'Sec-Fetch-Site': 'same-origin', Accept: 'text/event-stream' },
  });
  expect(answer.status).toBe(200);
  return (answer.body as ReadableStream<Uint8Array>).getReader();
}

/** What comes until the end of the stream. */
async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += Buffer.from(value).toString();
    if (text.includes('serialized-error')) return text;
  }
}

/** Whether it comes before the stream ends. */
async function until(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: string): Promise<boolean> {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done || text.includes('serialized-error')) return false;
    text += Buffer.from(value).toString();
    if (text.includes(wanted)) return true;
  }
}

async function sendEvent(event: string): Promise<void> {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  await callsOf(whole)
    .post('/ingest/batch/', { api_key: row?.token, batch: [{ event, distinct_id: 'visitor' }] })
    .expect(200);
}

function join(): Promise<Person> {
  joined += 1;
  return joinTeam(whole, { team: whole.team, role: 'member', name: `Rui ${joined}`, cookie: whole.owner });
}

const change = (procedure: string, input: object) =>
  callsOf(whole)
    .mutation(whole.owner, `accounts.teams.${procedure}`, { team: whole.team, ...input })
    .expect(200);

it.each<[string, (person: Person) => Promise<unknown>]>([
  ['was removed', ({ id }) => change('remove', { user: id })],
  ['has a lesser role', ({ id }) => change('changeRole', { user: id, role: 'viewer' })],
  [
    'has left',
    ({ cookie }) => callsOf(whole).mutation(cookie, 'accounts.teams.leave', { team: whole.team }).expect(200),
  ],
  ['has signed out', ({ cookie }) => callsOf(whole).post('/sign-out', {}, cookie).expect(303)],
  ['was disabled', ({ id }) => database.query('update users set disabled_at = created_at where id = $1', [id])],
])(
  'ends for a person who %s',
  async (_, lose) => {
    const person = await join();
    const [reader, other] = [await open(person), await open(await join())];
    const before = rest(reader);
    await lose(person);
    // What arrives in the same moment is not theirs any more.
    await sendEvent('after');
    const text = await before;
    expect(text).toContain('unauthenticated');
    expect(text).not.toContain('after');
    // Streams of other people stay open.
    expect(await until(other, 'after')).toBe(true);
    await other.cancel();
  },
  30_000,
);
