/** Very many who watch, and nothing happens. */
import { createHmac } from 'node:crypto';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { check, percentile, type Row, time } from '../kit/row.ts';
import type { Scene } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

/** A stream, and when something came on it last. */
interface Stream {
  close(): void;
  heardAt: number;
  /** The longest silence so far, ms. */
  longest: number;
  isOpen: boolean;
}

const STREAMS = 10_000;
/** A session may make 300 calls a minute. */
const STREAMS_PER_SESSION = 200;
const AUTH_SECRET = 'of the idle streams, and of nothing else: 0123456789';
/** Where a process may have fewer files open: of that limit so much, the rest is for the database and the pages. */
const SHARE = 0.8;
/** Connections to the database come and go beside the streams. */
const FILES_BESIDE = 20;

export const r15: Row = {
  id: 'R15',
  title: 'idle streams of Live: opened over 60 s, held for 5 min, closed',
  async run(stage) {
    const scene = await stage.open();
    const server = scene.server({ env: { AUTH_SECRET } });
    await server.ready();
    const { cookie, project } = await setUpOwner(server.url);
    const limit = Math.min(openFileLimit(), STREAMS / SHARE);
    const [wanted, openMs, holdMs] =
      stage.pace === 'full'
        ? [Math.floor(limit * SHARE), 60_000, 300_000]
        : [Math.floor(limit * SHARE * 0.05), 2_000, 35_000];
    const cookies = await moreSessions(scene, cookie, Math.ceil(wanted / STREAMS_PER_SESSION));
    // Everything that begins by itself has begun, and the first page has been made.
    await page(server, cookie, project);
    await sleep(2_000);
    const [before, files] = [server.rssMb(), server.openFiles()];

    const streams: Stream[] = [];
    const failures = new Map<string, number>();
    for (let at = 0; at < wanted; at++) {
      streams.push(open(server, cookies[at % cookies.length] as string, project, failures));
      if (at % 50 === 49) await sleep((openMs * 50) / wanted);
    }
    for (let waited = 0; waited < 60_000 && streams.some(({ isOpen }) => !isOpen); waited += 100) await sleep(100);
    const opened = streams.filter(({ isOpen }) => isOpen).length;
    const during = server.openFiles();
    const took: number[] = [];
    const until = performance.now() + holdMs;
    while (performance.now() < until) {
      took.push(await page(server, cookie, project));
      await sleep(500);
    }
    const rss = server.rssMb();
    const held = streams.filter(({ isOpen }) => isOpen).length;
    const now = performance.now();
    const silence = Math.max(...streams.map(({ longest, heardAt }) => Math.max(longest, now - heardAt)));
    for (const stream of streams) stream.close();
    let left = server.openFiles();
    for (let waited = 0; left > files + FILES_BESIDE && waited < 15_000; waited += 250) {
      await sleep(250);
      left = server.openFiles();
    }
    const kB = ((rss - before) * 1024) / Math.max(opened, 1);
    const p95 = percentile(took, 0.95);
    return {
      figures: [
        `${opened} of ${wanted} streams open (limit of open files ${openFileLimit()}${wanted < STREAMS && stage.pace === 'full' ? `, so ${SHARE * 100} % of it` : ''}), ${held} to the end${failures.size > 0 ? `, failed ${JSON.stringify(Object.fromEntries(failures))}` : ''}`,
        `memory ${before.toFixed(0)} → ${rss.toFixed(0)} MB, ${kB.toFixed(1)} kB each; a page p95 ${p95.toFixed(0)} ms; longest silence ${(silence / 1000).toFixed(1)} s; files ${files} → ${during} → ${left}`,
      ],
      checks: [
        check(
          'all are open to the end',
          opened === wanted && held === wanted,
          `${opened} of ${wanted}, ${held} to the end`,
        ),
        // Of few, what else the process does weighs more than they do.
        check('at most 30 kB each', stage.pace === 'short' || kB <= 30, `${kB.toFixed(1)} kB`),
        check('a page p95 within 300 ms', p95 <= 300, time(p95)),
        check('a heartbeat within 30 s', silence <= 30_000, time(silence)),
        check('open files back to where they were', left <= files + FILES_BESIDE, `${files} → ${left}`),
      ],
    };
  },
};

/** Sessions of the same person in further browsers: signing in so often would be refused. */
async function moreSessions(scene: Scene, cookie: string, count: number): Promise<string[]> {
  await scene.query(
    `insert into sign_in_sessions (sid, sess, expire)
     select encode(sha256(convert_to('stream-' || n, 'UTF8')), 'hex'), sess, expire
     from (select sess, expire from sign_in_sessions limit 1) as one, generate_series(1, $1::int) as n`,
    [count],
  );
  const name = cookie.slice(0, cookie.indexOf('='));
  return Array.from({ length: count }, (_, at) => {
    const sid = `stream-${at + 1}`;
    const signature = createHmac('sha256', AUTH_SECRET).update(sid).digest('base64').replace(/=+$/, '');
    return `${name}=${encodeURIComponent(`s:${sid}.${signature}`)}`;
  });
}

/** What this process may have open: the server, started from here, has the same limit. */
function openFileLimit(): number {
  const limits = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } };
  const soft = limits.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.MAX_SAFE_INTEGER;
}

function open(server: Server, cookie: string, project: number, failures: Map<string, number>): Stream {
  const input = encodeURIComponent(JSON.stringify({ json: { project: String(project) } }));
  const stream: Stream = { heardAt: performance.now(), longest: 0, isOpen: false, close: () => asked.destroy() };
  const failed = (why: string): void => {
    if (!isClosed) failures.set(why, (failures.get(why) ?? 0) + 1);
    stream.isOpen = false;
  };
  let isClosed = false;
  const asked = get(
    `${server.url}/api/trpc/events.liveStream?input=${input}`,
    { agent: false, headers: { cookie, accept: 'text/event-stream' } },
    (answer) => {
      if (answer.statusCode !== 200) return failed(String(answer.statusCode));
      stream.isOpen = true;
      stream.heardAt = performance.now();
      answer.on('data', () => {
        const now = performance.now();
        stream.longest = Math.max(stream.longest, now - stream.heardAt);
        stream.heardAt = now;
      });
      answer.on('end', () => failed('ended'));
      answer.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
    },
  );
  asked.on('socket', (socket: Socket) => socket.setNoDelay(true));
  asked.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
  stream.close = () => {
    isClosed = true;
    asked.destroy();
  };
  return stream;
}

/** @returns ms that the page took */
async function page(server: Server, cookie: string, project: number): Promise<number> {
  const since = performance.now();
  const answer = await fetch(`${server.url}/project/${project}/live`, { headers: { cookie } });
  await answer.text();
  if (answer.status !== 200) throw new Error(`the page of Live: ${answer.status}`);
  return performance.now() - since;
}
