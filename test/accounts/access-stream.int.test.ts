/** Whoever is removed loses what is open: the live stream ends by itself, over real HTTP. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, {}, { watchEveryMs: 200 });
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
  'ends for whoever %s',
  async (_, lose) => {
    const person = await join();
    const [reader, other] = [await open(person), await open(await join())];
    await lose(person);
    expect(await rest(reader)).toContain('unauthenticated');
    // Of somebody else nothing ends.
    const stillOpen = await Promise.race([rest(other), new Promise((resolve) => setTimeout(resolve, 600, 'open'))]);
    expect(stillOpen).toBe('open');
    await other.cancel();
  },
  30_000,
);
