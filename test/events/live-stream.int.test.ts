/** The live stream as a browser gets it: server-sent events over HTTP, with ids to go on from. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveUpdate } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createLive, type Live } from '#src/events/live.ts';
import { systemClock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project } from '#src/projects/projects.ts';
import { type TestApp, testApp } from '#test/kit/app.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { TEST_TEAM } from '#test/kit/reader.ts';
import { makeTestTeam } from '#test/kit/sign-in.ts';
import { finishedEvent } from '../insights/histories.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
let live: Live;
let events: Events;
let app: TestApp;
let server: Server;
let project: Project;
let reads = 0;

beforeAll(async () => {
  deps = testDeps(database.url, { clock: systemClock as never });
  deps.db.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('order by received_at desc')) reads += 1;
  });
  const projects = createProjects(deps);
  live = createLive(deps, { projects });
  events = createEvents(deps, { persons: createPersons(deps), projects });
  await makeTestTeam(database);
  project = await projects.create({ name: 'stream', timeZone: 'UTC', teamId: TEST_TEAM });
  app = testApp({ rooms: { live, projects } });
  server = createServer(app.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await Promise.all([live.stop(), events.stop()]);
  await Promise.all([deps.close(), app.close()]);
});

async function store(event: string): Promise<void> {
  const ts = systemClock.now();
  const happened = {
    uuid: uuidV7(ts),
    event,
    distinctId: 'd',
    ts,
    session: null,
    bot: false,
    path: '/',
    referringDomain: null,
  };
  await events.store([finishedEvent(project.id, happened)]);
}

/** Reads messages until one has what is looked for, then hangs up. */
async function listenFor(event: string, lastEventId?: string) {
  const input = JSON.stringify({ json: { project: String(project.id), ...(lastEventId && { lastEventId }) } });
  const { port } = server.address() as AddressInfo;
  const hangUp = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/api/trpc/events.liveStream?input=${encodeURIComponent(input)}`, {
    headers: { accept: 'text/event-stream' },
    signal: AbortSignal.any([hangUp.signal, AbortSignal.timeout(60_000)]),
  });
  const seen: string[] = [];
  let id = '';
  let text = '';
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    const messages = text.split('\n\n');
    text = messages.pop() as string;
    for (const message of messages) {
      const fields = new Map(message.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
      if (!fields.has('id')) continue;
      id = fields.get('id') as string;
      const update = (JSON.parse(fields.get('data') as string) as { json: LiveUpdate }).json;
      seen.push(...update.rows.map((row) => row.event));
    }
    if (seen.includes(event) || event === '') {
      if (id !== '') break;
    }
  }
  hangUp.abort();
  return { type: answer.headers.get('content-type'), buffering: answer.headers.get('cache-control'), seen, id };
}

it('streams, goes on after the last id, and stops reading when the last one hangs up', async () => {
  const begun = await listenFor('');
  expect(begun.type).toContain('text/event-stream');
  expect(begun.seen).toEqual([]);
  const listening = listenFor('first', begun.id);
  await sleep(300);
  await store('first');
  const first = await listening;
  expect(first.seen).toEqual(['first']);
  await store('second');
  await store('third');
  expect((await listenFor('third', first.id)).seen).toEqual(['second', 'third']);

  await sleep(700);
  const before = reads;
  await store('unseen');
  await sleep(900);
  expect(reads).toBe(before);
});
