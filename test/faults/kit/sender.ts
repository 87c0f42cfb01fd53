/**
 * The sender of the fault tests, a separate process: it sends at a fixed rate regardless of responses (an open loop), gives
 * every event a uuid, and writes each acknowledged uuid down before it believes in it.
 *
 * `node sender.ts '{"url":…}'`; SIGTERM ends the sending, the answers under way are waited for. Files in `folder`: `sent.txt` and
 * `acked.txt` (one uuid a line), `answers.txt` (started ms, written ms, status, took ms, events; written 0: the system
 * never had all of it; status 0: no answer).
 */
import { randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface SenderOptions {
  /** Address of the server, without a path. */
  url: string;
  token: string;
  folder: string;
  /** Events per second. */
  rate: number;
  /** Events per request: 1 goes to /e/ as a browser does, more to /batch/. */
  batch: number;
  /** `browser`: as posthog-js does, after 3 s, 6 s, 12 s …; `none`: an event has one chance. */
  retry: 'none' | 'browser';
  /** Copies of each request sent at once. */
  copies?: number;
  /** Added to the events' own time. */
  clockSkewMs?: number;
}

const TICK_MS = 10;
const ANSWER_MS = 10_000;
const MAX_RETRIES = 10;

function main(options: SenderOptions): void {
  const { url, token, folder, rate, batch, retry, copies = 1, clockSkewMs = 0 } = options;
  const target = new URL(batch === 1 ? '/ingest/e/' : '/ingest/batch/', url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  const [sent, acked, answers] = ['sent.txt', 'acked.txt', 'answers.txt'].map((name) =>
    openSync(join(folder, name), 'a'),
  );
  let isStopping = false;
  let underWay = 0;
  let owed = 0;
  let last = performance.now();

  function sendNew(): void {
    const uuids = Array.from({ length: batch }, () => randomUUID());
    writeSync(sent as number, `${uuids.join('\n')}\n`);
    const body = makeBody(token, uuids, Date.now() + clockSkewMs);
    for (let copy = 0; copy < copies; copy++) attempt(body, uuids, 0);
  }

  function attempt(body: Buffer, uuids: string[], retries: number): void {
    underWay++;
    const startedAt = Date.now();
    const since = performance.now();
    let writtenAt = 0;
    let isOver = false;
    const over = (status: number) => {
      if (isOver) return;
      isOver = true;
      underWay--;
      if (status === 200) writeSync(acked as number, `${uuids.join('\n')}\n`);
      writeSync(
        answers as number,
        `${startedAt} ${writtenAt} ${status} ${(performance.now() - since).toFixed(1)} ${uuids.length}\n`,
      );
      const isFinal = status >= 200 && status < 500;
      if (!isFinal && retry === 'browser' && !isStopping && retries < (status === 0 ? 3 : MAX_RETRIES)) {
        setTimeout(() => attempt(body, uuids, retries + 1), 3000 * 2 ** retries * (0.75 + Math.random() / 2));
      }
    };
    const headers = { 'content-type': 'text/plain', 'content-length': String(body.length), 'user-agent': USER_AGENT };
    const call = request(target, { agent, method: 'POST', headers, timeout: ANSWER_MS }, (res) => {
      res.on('end', () => over(res.statusCode ?? 0)).on('error', () => over(0));
      res.resume();
    });
    call.on('timeout', () => call.destroy());
    call.on('finish', () => {
      writtenAt = Date.now();
    });
    call.on('error', () => over(0));
    call.end(body);
  }

  const ticking = setInterval(() => {
    const now = performance.now();
    owed = Math.min(owed + ((now - last) / 1000) * rate, rate);
    last = now;
    for (; owed >= batch; owed -= batch) sendNew();
  }, TICK_MS);

  process.on('SIGTERM', () => {
    isStopping = true;
    clearInterval(ticking);
    const waiting = setInterval(() => {
      if (underWay > 0) return;
      clearInterval(waiting);
      agent.destroy();
      process.exit(0);
    }, 20);
  });
}

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** One visit per visitor for the whole run, so that the number of sessions is known: UUIDv7, as clients make them. */
function sessionOf(visitor: number): string {
  const time = startedAt.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(visitor).padStart(12, '0')}`;
}

const startedAt = Date.now();

function makeBody(token: string, uuids: string[], nowMs: number): Buffer {
  const batch = uuids.map((uuid, index) => {
    const visitor = Math.floor(Math.random() * 2000);
    return {
      event: index % 3 === 2 ? 'added_to_cart' : '$pageview',
      uuid,
      distinct_id: `visitor-${visitor}`,
      timestamp: new Date(nowMs).toISOString(),
      properties: {
        $current_url: `https://shop.example/products/${visitor % 50}`,
        $pathname: `/products/${visitor % 50}`,
        $host: 'shop.example',
        $session_id: sessionOf(visitor),
        $browser: 'Chrome',
        $os: 'Linux',
        $device_type: 'Desktop',
        $screen_width: 1920,
        $referrer: '$direct',
        $lib: 'web',
        $raw_user_agent: USER_AGENT,
        price: visitor,
      },
    };
  });
  return gzipSync(JSON.stringify({ api_key: token, batch, sent_at: new Date(nowMs).toISOString() }), { level: 1 });
}

main(JSON.parse(process.argv[2] ?? '{}') as SenderOptions);
