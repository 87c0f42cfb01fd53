/** What anyone can send with the public token so that memory or answers grow: names, values, ids, groups, pages without end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { check, percentile, type Row, time } from '../kit/row.ts';
import type { Scene } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

/** As the launcher runs Node on a machine with 1 GB; typed arrays are not part of its heap. */
const FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=8', '--max-http-header-size=65536'];
const MAX_RSS_MB = 1024;
const MAX_SCREEN_MS = 2_000;
const MAX_DEFINITIONS_BYTES = 500_000;
const BATCH_EVENTS = 500;
/** The sealer looks every minute. Fewer than 10,000 events wait until the last sealing is five minutes ago. */
const SEALED_WITHIN_MS = 7 * 60_000;

type Event = Record<string, unknown>;

interface Bomb {
  what: string;
  events: number;
  /** Smaller for large events: a batch has to fit into a request. */
  batch?: number;
  event(index: number): Event;
}

function bombs(events: number): Bomb[] {
  const session = '01936f00-0000-7000-8000-000000000001';
  return [
    {
      what: 'names of properties',
      events,
      event: (index) => ({ event: 'bomb', properties: { [`name ${index}`]: index } }),
    },
    {
      what: 'names of 400 characters',
      events,
      event: (index) => ({ event: 'bomb', properties: { [`${index} `.padEnd(400, 'n')]: 1 } }),
    },
    {
      what: 'names of events',
      events,
      event: (index) => ({ event: `bomb ${index}` }),
    },
    {
      what: 'values of 500,000 characters',
      events: Math.ceil(events / 30),
      batch: 20,
      event: (index) => ({ event: 'bomb', properties: { [`value ${index % 7}`]: `${index} `.padEnd(500_000, 'v') } }),
    },
    {
      what: 'nested values',
      events,
      event: (index) => ({ event: 'bomb', properties: { nested: nested(index, 60), list: Array(50).fill([index]) } }),
    },
    {
      what: 'events of one visit',
      events,
      event: (index) => ({
        event: '$pageview',
        properties: { $session_id: session, $current_url: `https://shop.example/${index % 100}` },
      }),
    },
    {
      what: 'ids of one person',
      events,
      event: (index) => ({
        event: '$identify',
        distinct_id: 'one person',
        properties: { $anon_distinct_id: `browser ${index}` },
      }),
    },
    {
      what: 'groups with properties',
      events,
      event: (index) => ({
        event: '$groupidentify',
        properties: {
          $group_type: 'company',
          $group_key: `company ${index}`,
          $group_set: { [`name ${index}`]: 'g'.repeat(2_000) },
        },
      }),
    },
    {
      what: 'pages, each with a visit of its own',
      events,
      event: (index) => ({
        event: '$pageview',
        distinct_id: `visitor ${index}`,
        properties: {
          $session_id: `01936f00-0000-7000-8000-1${String(index).padStart(11, '0')}`,
          $current_url: `https://shop.example/${'p'.repeat(300)}/${index}`,
        },
      }),
    },
  ];
}

function nested(index: number, depth: number): unknown {
  return depth === 0 ? index : { a: nested(index, depth - 1) };
}

export const r25: Row = {
  id: 'R25',
  title: 'names, values, ids, groups and pages without end, killed before they are sealed, and started again',
  async run(stage) {
    const scene = await stage.open();
    const start = () => scene.server({ flags: FLAGS });
    let server = start();
    await server.ready();
    const { cookie, project } = await setUpOwner(server.url);
    const token = await tokenOf(scene, project);
    const overview = `/project/${project}/overview`;
    const lines: string[] = [];
    const seen = { peakMb: 0, screens: [] as number[], failed: 0, slowestSealMs: 0, ended: 0 };
    const note = ({ peakMb, tookMs, failed }: Watched) => {
      seen.peakMb = Math.max(seen.peakMb, peakMb);
      seen.screens.push(...tookMs);
      seen.failed += failed;
      if (server.hasEnded) seen.ended++;
    };
    const all = stage.pace === 'full' ? bombs(50_000) : bombs(20_000);
    // At the short pace the process ends once, after all of them; at the full one after each.
    const rounds = stage.pace === 'full' ? all.map((bomb) => [bomb]) : [all];
    for (const round of rounds) {
      for (const bomb of round) {
        const watching = watch(server, overview, cookie);
        const since = performance.now();
        await send(server, token, bomb);
        const tookMs = performance.now() - since;
        const watched = await watching.end();
        note(watched);
        lines.push(`${bomb.what}: ${bomb.events} events in ${time(tookMs)}, at most ${describe(watched)}`);
      }
      await server.end('SIGKILL');
      server = start();
      await server.ready();
      const watching = watch(server, overview, cookie);
      const sealedMs = await untilSealed(scene);
      const watched = await watching.end();
      note(watched);
      seen.slowestSealMs = Math.max(seen.slowestSealMs, sealedMs);
      lines.push(`started again: sealed after ${time(sealedMs)}, at most ${describe(watched)}`);
    }
    const definitions = await open(server, `/project/${project}/events/definitions?kind=property`, cookie);
    const longestMs = Math.max(...seen.screens);
    return {
      figures: [
        ...lines,
        `*Overview*: ${seen.screens.length} times, p95 ${time(percentile(seen.screens, 0.95))}, longest ${time(longestMs)}`,
        `*Definitions*: ${definitions.status} after ${time(definitions.tookMs)}, ${(definitions.length / 1000).toFixed(0)} kB`,
      ],
      checks: [
        check('it survives', seen.ended === 0, seen.ended),
        check(`memory at most ${MAX_RSS_MB} MB`, seen.peakMb <= MAX_RSS_MB, `${seen.peakMb.toFixed(0)} MB`),
        check('everything is sealed', Number.isFinite(seen.slowestSealMs), time(seen.slowestSealMs)),
        check('screens within 2 s', longestMs <= MAX_SCREEN_MS, time(longestMs)),
        check('no screen fails', seen.failed === 0, seen.failed),
        check(
          '*Definitions* within 2 s and 500 kB',
          definitions.status === 200 &&
            definitions.tookMs <= MAX_SCREEN_MS &&
            definitions.length <= MAX_DEFINITIONS_BYTES,
          `${time(definitions.tookMs)}, ${(definitions.length / 1000).toFixed(0)} kB`,
        ),
      ],
    };
  },
};

async function tokenOf(scene: Scene, project: number): Promise<string> {
  const [row] = await scene.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    project,
  ]);
  return row?.token ?? '';
}

async function send(server: Server, token: string, { events, event, batch = BATCH_EVENTS }: Bomb): Promise<void> {
  for (let at = 0; at < events; at += batch) {
    const list = Array.from({ length: Math.min(batch, events - at) }, (_, index) => ({
      distinct_id: 'bomber',
      ...event(at + index),
    }));
    const body = gzipSync(JSON.stringify({ api_key: token, batch: list }), { level: 1 });
    const answer = await fetch(`${server.url}/ingest/batch/?compression=gzip`, { method: 'POST', body });
    await answer.text();
    if (answer.status !== 200) throw new Error(`a batch was answered ${answer.status}`);
  }
}

interface Opened {
  status: number;
  tookMs: number;
  length: number;
}

async function open(server: Server, path: string, cookie: string): Promise<Opened> {
  const since = performance.now();
  const answer = await fetch(`${server.url}${path}`, { headers: { cookie, accept: 'text/html' } });
  const { length } = await answer.text();
  return { status: answer.status, tookMs: performance.now() - since, length };
}

interface Watched {
  /** Resident memory. */
  peakMb: number;
  /** Of each opening but the first, which begins the thread that draws. */
  tookMs: number[];
  failed: number;
}

/** Opens a screen again and again. */
function watch(server: Server, path: string, cookie: string) {
  let isOver = false;
  let failed = 0;
  const tookMs: number[] = [];
  server.takePeakMb();
  const opening = (async () => {
    await open(server, path, cookie);
    for (; !isOver; await sleep(500)) {
      const opened = await open(server, path, cookie);
      tookMs.push(opened.tookMs);
      if (opened.status !== 200) failed++;
    }
  })();
  return {
    async end(): Promise<Watched> {
      isOver = true;
      await opening;
      return { peakMb: server.takePeakMb(), tookMs, failed };
    },
  };
}

function describe({ peakMb, tookMs }: Watched): string {
  const screens = tookMs.length === 0 ? 'none opened' : `longest ${time(Math.max(...tookMs))}`;
  return `${peakMb.toFixed(0)} MB; *Overview* ${screens}`;
}

/** @returns ms until no event waits to be sealed; infinity: it takes too long */
async function untilSealed(scene: Scene): Promise<number> {
  for (const since = performance.now(); performance.now() - since < SEALED_WITHIN_MS; await sleep(1_000)) {
    const [row] = await scene.query<{ waiting: boolean }>(
      'select exists (select from events where epoch > (select sealed from ingest_epochs)) as waiting',
    );
    if (row?.waiting === false) return performance.now() - since;
  }
  return Number.POSITIVE_INFINITY;
}
