/**
 * Offers more than a server can take, at little cost of its own: bodies of 100 events are made and compressed beforehand; one that
 * was refused is offered again later, one that was acknowledged is never sent again. `node pusher.ts '{"url":…}'` prints one line
 * of JSON with what was accepted.
 */
import { randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface PusherOptions {
  url: string;
  token: string;
  folder: string;
  seconds: number;
  connections: number;
  /** Events per second; 0: the next body goes when one was answered. */
  rate: number;
}

interface Ready {
  body: Buffer;
  uuids: string[];
}

const BATCH = 100;
/** More than one second of any capacity; creating more while sending would take CPU time from the server. */
const MAX_BODIES = 12_000;

const options = JSON.parse(process.argv[2] ?? '{}') as PusherOptions;
const target = new URL('/ingest/batch/', options.url);
const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
const [sent, acked] = ['sent.txt', 'acked.txt'].map((name) => openSync(join(options.folder, name), 'a')) as [
  number,
  number,
];

function makeReady(n: number): Ready {
  const uuids = Array.from({ length: BATCH }, () => randomUUID());
  const now = new Date(Date.now()).toISOString();
  const batch = uuids.map((uuid, index) => ({
    event: '$pageview',
    uuid,
    distinct_id: `visitor-${(n * 7 + index) % 5000}`,
    timestamp: now,
    properties: {
      $current_url: `https://shop.example/${index % 40}`,
      $pathname: `/${index % 40}`,
      $browser: 'Chrome',
      $lib: 'web',
    },
  }));
  writeSync(sent, `${uuids.join('\n')}\n`);
  return { body: gzipSync(JSON.stringify({ api_key: options.token, batch }), { level: 1 }), uuids };
}

/** What can be accepted in the time, what can be under way at once, and some more. */
const accepting = options.rate === 0 ? options.seconds * 300 : ((options.seconds * options.rate) / 5 / BATCH) * 1.3;
const wanted = Math.min(MAX_BODIES, Math.ceil(accepting + options.connections * 1.2));
const pool = Array.from({ length: wanted }, (_, n) => makeReady(n));
const statuses: Record<string, number> = {};
let offered = 0;
let accepted = 0;
let underWay = 0;
const startedAt = performance.now();
const isOver = () => performance.now() - startedAt >= options.seconds * 1000;

function offer(then: () => void): void {
  const ready = pool.shift();
  if (!ready) return;
  offered += BATCH;
  underWay++;
  let isDone = false;
  const done = (status: number) => {
    if (isDone) return;
    isDone = true;
    underWay--;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) {
      writeSync(acked, `${ready.uuids.join('\n')}\n`);
      if (!isOver()) accepted += BATCH;
    } else pool.push(ready);
    then();
  };
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': ready.body.length,
  };
  const call = request(target, { agent, method: 'POST', headers, timeout: 20_000 }, (res) => {
    res.on('end', () => done(res.statusCode ?? 0)).on('error', () => done(0));
    res.resume();
  });
  call.on('timeout', () => call.destroy());
  call.on('error', () => done(0));
  call.end(ready.body);
}

function finish(): void {
  const seconds = options.seconds;
  const result = { seconds, acceptedPerSecond: accepted / seconds, offeredPerSecond: offered / seconds, statuses };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  agent.destroy();
}

function finishWhenAnswered(): void {
  if (underWay === 0) finish();
  else setTimeout(finishWhenAnswered, 20);
}

if (options.rate === 0) {
  const again = () => {
    if (!isOver()) offer(again);
  };
  for (let n = 0; n < options.connections; n++) offer(again);
  setTimeout(finishWhenAnswered, options.seconds * 1000);
} else {
  let owed = 0;
  let last = startedAt;
  const ticking = setInterval(() => {
    const now = performance.now();
    owed = Math.min(owed + ((now - last) / 1000) * options.rate, options.rate);
    last = now;
    // What finds no free connection is not offered: it would wait in this process, not at the server.
    for (; owed >= BATCH; owed -= BATCH) if (underWay < options.connections) offer(() => undefined);
    if (!isOver()) return;
    clearInterval(ticking);
    finishWhenAnswered();
  }, 10);
}
