/** Recordings: the server dies while they are stored and packed, and their disk fills. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import { uuidV7 } from '#src/kit/ids.ts';
import { check, type Result, type Row } from '../kit/row.ts';
import { type Scene, TOKEN } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

/** What was sent, by the mark that is in each recorded event. */
interface Sent {
  acked: Set<string>;
  refused: number;
}

const SESSIONS = 6;
/** Text of one event, characters: packing a session takes a while. */
const TEXT = 60_000;

export const r31: Row = {
  id: 'R31',
  title: 'kill -9 of the server while recordings are stored, and in the middle of packing; their disk full',
  async run(stage) {
    const scene = await stage.open();
    const kills = stage.pace === 'full' ? 8 : 2;
    await scene.query(`update projects set settings = settings || '{"replay": {"mode": "all"}}' where name = 'Faults'`);
    let server = scene.server();
    await server.ready();
    const port = Number(new URL(server.url).port);
    const again = async () => {
      await server.end('SIGKILL');
      server = scene.server({ port });
      await server.ready();
    };
    const sent: Sent = { acked: new Set(), refused: 0 };
    let isOver = false;
    const sending = sendAll(server.url, sent, () => isOver);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(800 + Math.random() * 800);
      await again();
    }
    await fillDisk(scene);
    await sleep(1_500);
    await freeDisk(scene);
    await sleep(1_500);
    isOver = true;
    await sending;
    const packed = await packWithKills(scene, kills, again);
    return resultOf(scene, server, { ...sent, ...packed, kills });
  },
};

/** Each session sends a part every 100 ms, and again until it is acknowledged. */
async function sendAll(url: string, sent: Sent, isOver: () => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const session = uuidV7(Date.now());
      for (let part = 0; !isOver(); part++) {
        const mark = `mark-${session.slice(-12)}-${part}-end`;
        const body = bodyOf(session, mark);
        while (!(await isTaken(url, body))) {
          sent.refused++;
          if (isOver()) return;
          await sleep(200);
        }
        sent.acked.add(mark);
        await sleep(100);
      }
    }),
  );
}

async function isTaken(url: string, body: Buffer): Promise<boolean> {
  try {
    const init = { method: 'POST', body: new Uint8Array(body), signal: AbortSignal.timeout(10_000) };
    return (await fetch(`${url}/ingest/s/`, init)).status === 200;
  } catch {
    return false;
  }
}

function bodyOf(session: string, mark: string): Buffer {
  const timestamp = Date.now();
  const text = Array.from({ length: TEXT / 8 }, () => Math.random().toString(36).slice(2, 10)).join('');
  const events = [
    { type: 4, data: { href: 'https://shop.example/', width: 1280, height: 720 }, timestamp },
    { type: 5, data: { tag: mark, payload: { text } }, timestamp: timestamp + 1 },
  ];
  const properties = { $snapshot_data: events, $session_id: session, $window_id: session, token: TOKEN };
  const element = { uuid: uuidV7(timestamp), event: '$snapshot', distinct_id: session, properties };
  return gzipSync(JSON.stringify([element]), { level: 1 });
}

/** PostgreSQL's own error for a disk without room. */
async function fillDisk(scene: Scene): Promise<void> {
  await scene.query(`
    create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await scene.query(
    'create trigger full_disk before insert on replay_blocks for each row execute function full_disk()',
  );
}

async function freeDisk(scene: Scene): Promise<void> {
  await scene.query('drop function full_disk cascade');
}

/** Kills the server while it packs, and lets it finish at last. */
async function packWithKills(
  scene: Scene,
  kills: number,
  again: () => Promise<void>,
): Promise<{ leftUnpacked: number }> {
  await scene.query(`update replay_sessions set received_at = received_at - interval '1 hour'`);
  for (let kill = 0; kill < kills; kill++) {
    await pack(scene);
    await sleep(100 + Math.random() * 900);
    await again();
  }
  let left = SESSIONS;
  for (const since = performance.now(); left > 0 && performance.now() - since < 120_000; ) {
    await pack(scene);
    await sleep(1_000);
    const [row] = await scene.query<{ left: number }>(
      'select count(*)::int as left from replay_sessions where packed_at is null',
    );
    left = row?.left ?? 0;
  }
  return { leftUnpacked: left };
}

async function pack(scene: Scene): Promise<void> {
  await scene.query(`select graphile_worker.add_job('replay-pack', job_key => 'faults')`);
}

interface Seen extends Sent {
  leftUnpacked: number;
  kills: number;
}

async function resultOf(scene: Scene, server: Server, seen: Seen): Promise<Result> {
  const { acked, refused, leftUnpacked, kills } = seen;
  const rows = await scene.query<{ body: Buffer }>('select body from replay_blocks');
  const found = new Map<string, number>();
  for (const { body } of rows) {
    for (const [mark] of zstdDecompressSync(body)
      .toString('utf8')
      .matchAll(/mark-[\w-]+?-end/g)) {
      found.set(mark, (found.get(mark) ?? 0) + 1);
    }
  }
  const lost = [...acked].filter((mark) => !found.has(mark)).length;
  const twice = [...found.values()].filter((times) => times > 1).length;
  return {
    figures: [
      `lost ${lost}, twice ${twice} (acknowledged ${acked.size}, stored ${found.size})`,
      `${kills} kills while storing, ${kills} while packing; ${refused} requests failed and were sent again; ${rows.length} blocks in the end`,
    ],
    checks: [
      check('lost 0', lost === 0, lost),
      check('twice 0', twice === 0, twice),
      check('something was stored', acked.size > 0, acked.size),
      check('a full disk refuses', refused > 0, refused),
      check('all is packed', leftUnpacked === 0, leftUnpacked),
      check('still ready', await server.isReady()),
    ],
  };
}
