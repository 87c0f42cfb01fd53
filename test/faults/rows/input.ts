/** What clients send: storms of retries, poisonous events, slowness. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { check, countsOf, nothingLost, percentile, type Row, share, time } from '../kit/row.ts';
import { type Scene, TOKEN } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

/** A server whose wall clock can be moved. */
export async function withMovableClock(scene: Scene): Promise<{ server: Server; move(ms: number): Promise<void> }> {
  const file = join(scene.folder, 'clock');
  await writeFile(file, '0');
  const preload = fileURLToPath(new URL('../kit/shift-clock.mjs', import.meta.url));
  const server = scene.server({ env: { FAULTS_CLOCK: file, NODE_OPTIONS: `--import=${preload}` } });
  await server.ready();
  return {
    server,
    async move(ms) {
      await writeFile(file, String(ms));
      process.kill(server.pid, 'SIGUSR2');
      await sleep(50);
    },
  };
}

interface Sent {
  status: number;
  tookMs: number;
}

async function post(url: string, body: string): Promise<Sent> {
  const since = performance.now();
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await answer.text();
  return { status: answer.status, tookMs: performance.now() - since };
}

const DAY_MS = 86_400_000;

export const r11: Row = {
  id: 'R11',
  title: 'each batch sent three times at once, and once more after 6 days',
  async run(stage) {
    const scene = await stage.open();
    const { server, move } = await withMovableClock(scene);
    const batches = stage.pace === 'full' ? 200 : 20;
    const bodies = Array.from({ length: batches }, (_, n) => {
      const batch = Array.from({ length: 50 }, () => ({
        event: 'stormy',
        uuid: randomUUID(),
        distinct_id: `visitor-${n}`,
        timestamp: new Date(Date.now()).toISOString(),
        properties: { n },
      }));
      return JSON.stringify({ api_key: TOKEN, batch });
    });
    const statuses = new Set<number>();
    for (const body of bodies) {
      const answers = await Promise.all([1, 2, 3].map(() => post(`${server.url}/ingest/batch/`, body)));
      for (const { status } of answers) statuses.add(status);
    }
    await move(6 * DAY_MS);
    for (const body of bodies) statuses.add((await post(`${server.url}/ingest/batch/`, body)).status);
    const rows = await scene.query<{ events: string; different: string }>(
      `select count(*) as events, count(distinct uuid) as different from events
       where project_id = (select project_id from project_tokens where token = $1)`,
      [TOKEN],
    );
    const events = Number(rows[0]?.events);
    const different = Number(rows[0]?.different);
    const counted = await scene.query<{ sum: string }>(
      `select sum(events + bots) from event_counts
       where project_id = (select project_id from project_tokens where token = $1)`,
      [TOKEN],
    );
    const wanted = batches * 50;
    return {
      figures: [
        `lost ${wanted - different}, twice ${events - different}: ${wanted} events in ${batches * 4} requests, ${events} rows, ${counted[0]?.sum} counted`,
      ],
      checks: [
        check('every answer is 200', statuses.size === 1 && statuses.has(200)),
        check('stored exactly once', events === wanted && different === wanted, `${events} of ${wanted}`),
        check('counted exactly once', Number(counted[0]?.sum) === wanted),
      ],
    };
  },
};

/** JSON text of one event each; `drops`: it cannot be stored as an event at all. */
function poisons(): { kind: string; event: string }[] {
  const event = (fields: string) => `{"uuid":"${randomUUID()}","distinct_id":"poisoner",${fields}}`;
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  return [
    { kind: 'NUL', event: event('"event":"seen","properties":{"a":"b\\u0000c","d\\u0000":1}') },
    { kind: 'lone surrogate', event: event('"event":"seen","properties":{"a":"\\ud800","b\\udfff":1}') },
    { kind: '10 MB string', event: event(`"event":"seen","properties":{"a":"${'x'.repeat(10_000_000)}"}`) },
    { kind: 'depth 10,000', event: event(`"event":"seen","properties":{"a":${deep}}`) },
    {
      kind: '__proto__',
      event: event('"event":"seen","properties":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}'),
    },
    { kind: 'year 275760', event: event('"event":"seen","timestamp":"+275760-09-13T00:00:00.000Z"') },
    { kind: 'NaN', event: event('"event":"seen","timestamp":"NaN","properties":{"a":"NaN"}') },
    { kind: 'no name', event: event('"event":""') },
    { kind: 'not an object', event: '17' },
  ];
}

export const r12: Row = {
  id: 'R12',
  title: 'one poisonous event in a batch of 100',
  async run(stage) {
    const scene = await stage.open();
    const server = scene.server();
    await server.ready();
    const figures: string[] = [];
    const checks = [];
    for (const [index, { kind, event }] of poisons().entries()) {
      const good = Array.from(
        { length: 99 },
        () => `{"uuid":"${randomUUID()}","distinct_id":"d${index}","event":"good ${index}"}`,
      );
      good.splice(50, 0, event);
      const { status } = await post(
        `${server.url}/ingest/batch/`,
        `{"api_key":"${TOKEN}","batch":[${good.join(',')}]}`,
      );
      const rows = await scene.query<{ good: string }>(
        `select count(*) as good from events e join event_names n on n.project_id = e.project_id and n.number = e.event where n.name = $1`,
        [`good ${index}`],
      );
      const stored = Number(rows[0]?.good);
      figures.push(`${kind}: ${status}, ${stored} of its 99 neighbours stored`);
      checks.push(check(`${kind}: 200 and 99 neighbours stored`, status === 200 && stored === 99));
    }
    await sleep(1500);
    const reported = await scene.query<{ reason: string; times: number }>(
      'select reason, sum(times)::int as times from ingestion_warnings group by reason order by reason',
    );
    const poisonous = await scene.query<{ count: string }>(
      `select count(*) from events e join event_names n on n.project_id = e.project_id and n.number = e.event where n.name = 'seen'`,
    );
    figures.push(
      `lost 0, twice 0; ${poisonous[0]?.count} of the poisonous ones were cleaned and stored; reported: ${reported.map(({ reason, times }) => `${reason} ${times}`).join(', ')}`,
    );
    // __proto__ is a property name like any other: stored as plain data, nothing to report.
    const reports = reported.reduce((sum, { times }) => sum + times, 0);
    checks.push(check('each of the others is reported with a reason', reports >= poisons().length - 1));
    checks.push(check('the server lives', !server.hasEnded));
    return { figures, checks };
  },
};

export const r14: Row = {
  id: 'R14',
  title: '500 sockets that send a header byte a second, 500 that send a body byte a second',
  async run(stage) {
    const scene = await stage.open();
    const server = scene.server();
    await server.ready();
    const each = stage.pace === 'full' ? 500 : 50;
    const endings: { tookMs: number; answer: string }[] = [];
    const sockets: Socket[] = [];
    const { port } = new URL(server.url);
    for (let n = 0; n < each * 2; n++) {
      const isHeader = n < each;
      const socket = connect(Number(port), '127.0.0.1');
      sockets.push(socket);
      let answer = '';
      const since = performance.now();
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => endings.push({ tookMs: performance.now() - since, answer: answer.slice(0, 12) }));
      socket.write('POST /ingest/e/ HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n');
      if (!isHeader) socket.write('Content-Length: 1000\r\n\r\n');
      const dripping = setInterval(() => socket.writable && socket.write(isHeader ? 'x' : '{'), 1000);
      socket.on('close', () => clearInterval(dripping));
    }
    const tooks: number[] = [];
    const healthy = JSON.stringify({ api_key: TOKEN, event: 'healthy', distinct_id: 'h' });
    let bad = 0;
    for (const since = performance.now(); performance.now() - since < 32_000 && endings.length < each * 2; ) {
      const { status, tookMs } = await post(`${server.url}/ingest/e/`, healthy);
      tooks.push(tookMs);
      if (status !== 200) bad++;
      await sleep(50);
    }
    for (const socket of sockets) socket.destroy();
    const p95 = percentile(tooks, 0.95);
    const longest = Math.max(...endings.map(({ tookMs }) => tookMs));
    const with408 = endings.filter(({ answer }) => answer.includes(' 408')).length;
    const verdict = await scene.verdict();
    return {
      figures: [
        `${countsOf(verdict)}; healthy requests: p95 ${p95.toFixed(0)} ms of ${tooks.length}, ${bad} refused`,
        `${endings.length} of ${each * 2} slow ones cut off, ${with408} with 408, the last after ${(longest / 1000).toFixed(1)} s`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('a healthy request p95 at most 200 ms', p95 <= 200 && bad === 0, time(p95)),
        check('slow ones are cut off within 30 s', endings.length === each * 2 && longest <= 31_000, time(longest)),
        check('with 408', with408 >= each * 2 * 0.95, share(with408, each * 2)),
      ],
    };
  },
};
