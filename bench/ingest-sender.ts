/**
 * The sender of the ingestion benchmark, in a separate process to measure its CPU time separately:
 * `node bench/ingest-sender.ts '{"url":…,"file":…}'` prints one line of JSON.
 */
import { Agent, request } from 'node:http';
import { readBodies } from './ingest-bodies.ts';

export interface SendOptions {
  url: string;
  file: string;
  connections: number;
  seconds: number;
  perBody: number;
  /** Events per second regardless of responses (an open loop); 0: the next request after a response. */
  rate: number;
}

export interface Sending {
  seconds: number;
  /** Requests answered with 200. */
  accepted: number;
  others: Record<string, number>;
  p50: number;
  p99: number;
  cpuSeconds: number;
  /** True when the prepared bodies ran out before the time did. */
  ranOut: boolean;
}

const options = JSON.parse(process.argv[2] ?? '{}') as SendOptions;
const bodies = readBodies(options.file);
const target = new URL(options.url);
const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
const tooks: number[] = [];
const others: Record<string, number> = {};
let next = 0;
let underWay = 0;
let lastAnswerAt = 0;
const cpu = process.cpuUsage();
const startedAt = performance.now();
const endsAt = startedAt + options.seconds * 1000;

function send(then: () => void): void {
  const body = bodies[next++];
  if (!body) return;
  const since = performance.now();
  underWay++;
  const done = (status: number) => {
    underWay--;
    lastAnswerAt = performance.now();
    if (status === 200) tooks.push(lastAnswerAt - since);
    else others[status] = (others[status] ?? 0) + 1;
    then();
  };
  const headers = { 'content-type': 'text/plain', 'content-length': body.length };
  const call = request(target, { agent, method: 'POST', headers }, (res) => {
    res.on('end', () => done(res.statusCode ?? 0));
    res.resume();
  });
  call.on('error', () => done(0));
  call.end(body);
}

function finishWhenAnswered(): void {
  if (underWay > 0) {
    setTimeout(finishWhenAnswered, 5);
    return;
  }
  const used = process.cpuUsage(cpu);
  tooks.sort((a, b) => a - b);
  const at = (share: number) => tooks[Math.min(tooks.length - 1, Math.floor(tooks.length * share))] ?? 0;
  const result: Sending = {
    seconds: (lastAnswerAt - startedAt) / 1000,
    accepted: tooks.length,
    others,
    p50: at(0.5),
    p99: at(0.99),
    cpuSeconds: (used.user + used.system) / 1e6,
    ranOut: next > bodies.length,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  agent.destroy();
}

if (options.rate === 0) {
  const again = () => {
    if (performance.now() < endsAt) send(again);
  };
  for (let n = 0; n < options.connections; n++) again();
  const watching = setInterval(() => {
    if (performance.now() < endsAt && next <= bodies.length) return;
    clearInterval(watching);
    finishWhenAnswered();
  }, 20);
} else {
  let owed = 0;
  let last = startedAt;
  const ticking = setInterval(() => {
    const now = performance.now();
    owed += ((now - last) / 1000) * options.rate;
    last = now;
    for (; owed >= options.perBody; owed -= options.perBody) send(() => undefined);
    if (now < endsAt) return;
    clearInterval(ticking);
    finishWhenAnswered();
  }, 5);
}
