/**
 * What dashboards cost intake: events are sent at a steady rate, and in every other round people open the Overview of the same project at
 * the same time, now without a filter, now with one that nobody has asked for. The built server, with sealing in it.
 *
 * `node build.mjs run bench/together.ts [--home /a/folder] [--events 10000000] [--rate 1000] [--seconds 20] [--rounds 3] [--viewers 3]`
 *
 * `--home`: what `bench/questions.ts` was filled with is used, and gets the events of this bench as well.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '#src/kit/clock.ts';
import { writeBodies } from './ingest-bodies.ts';
import { type Sending, send } from './ingest-sending.ts';
import { openData, openServer, sealEverything } from './questions-data.ts';
import { look, type Opened, openScreen } from './questions-screen.ts';

const { values: given } = parseArgs({
  options: {
    home: { type: 'string' },
    events: { type: 'string', default: '10000000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    viewers: { type: 'string', default: '3' },
    port: { type: 'string', default: '4791' },
  },
});
const [rate, seconds, viewers] = [Number(given.rate), Number(given.seconds), Number(given.viewers)];
/** As a browser sends them: a few at a time. */
const BATCH = 10;
const DAYS = 90;

interface Round {
  sending: Sending;
  pages: number[];
  nodeCpu: number;
  postgresCpu: number;
}

const home = given.home ?? (await mkdtemp(join(tmpdir(), 'luneta-bench-')));
await mkdir(home, { recursive: true });
await chmod(home, 0o755);
const postgres = await openServer(home, Number(given.port));
try {
  const data = await openData(postgres, Number(given.events), Number(given.events) / 100);
  await sealEverything(data, postgres, false);
  const screen = await openScreen(data, { days: DAYS, folder: home, port: Number(given.port) + 1 }, 0, { JOBS: 'web' });
  const [{ token }] = (await data.text(
    `select token from project_tokens where project_id = ${data.project.id} limit 1`,
  )) as [{ token: string }];
  await round(screen, token, 0, 5);
  const firstMs = await screen.page('');
  console.log(`the first page after the start took ${firstMs.toFixed(0)} ms`);
  console.log(`${data.events} events stored; ${rate} events/s in batches of ${BATCH}, rounds of ${seconds} s`);
  for (let number = 1; number <= Number(given.rounds); number++) {
    for (const people of [0, viewers]) report(number, people, await round(screen, token, people, seconds));
  }
  console.log(`memory of the server: ${screen.server.rssMb().toFixed(0)} MB`);
  await screen.server.end('SIGTERM');
  await data.close();
} finally {
  await postgres.stop();
  if (given.home === undefined) await rm(home, { recursive: true, force: true });
}
process.exit(0);

async function round(screen: Opened, token: string, people: number, forSeconds: number): Promise<Round> {
  const file = join(home, 'together-bodies');
  const nowMs = systemClock.now();
  // Numbers of events of their own: what was sent before would be a repetition.
  const bodies = Math.ceil((forSeconds * rate) / BATCH) + 20;
  writeBodies(file, { token, from: Math.floor(nowMs / 10) % 1_000_000_000, bodies, perBody: BATCH, nowMs });
  const pages: number[] = [];
  const over = new AbortController();
  const [node, server] = [screen.server.cpuSeconds(), postgres.cpuSeconds()];
  const looking = Array.from({ length: people }, (_, viewer) => look(screen, String(viewer), pages, over.signal));
  const sending = await send({
    ...{ url: `${screen.server.url}/ingest/batch/`, file, perBody: BATCH, connections: 64, rate, seconds: forSeconds },
  });
  over.abort();
  await Promise.all(looking);
  await rm(file);
  const [nodeCpu, postgresCpu] = [screen.server.cpuSeconds() - node, postgres.cpuSeconds() - server];
  return { sending, pages, nodeCpu, postgresCpu };
}

function report(number: number, people: number, { sending, pages, nodeCpu, postgresCpu }: Round): void {
  const { p50, p99, accepted, others } = sending;
  const sorted = pages.toSorted((one, other) => one - other);
  const page = (share: number) => (sorted[Math.ceil(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
  const seen =
    people === 0 ? 'nobody looks' : `${people} people, ${pages.length} pages of ${page(0.5)} / ${page(0.95)} ms`;
  const refused = Object.keys(others).length > 0 ? `, not 200: ${JSON.stringify(others)}` : '';
  console.log(
    `  ${number}. ${seen}: ${((accepted * BATCH) / sending.seconds).toFixed(0)} events/s, acknowledged p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${refused}; ` +
      `CPU seconds: Node ${nodeCpu.toFixed(1)}, PostgreSQL ${postgresCpu.toFixed(1)}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}
