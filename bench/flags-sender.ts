/**
 * The sender of the flags bench, in a separate process, so that its time is not the server's: requests at even distances, independent of answers.
 * `node bench/flags-sender.ts '{"url":…}'` prints one line of JSON.
 */
import { Agent, request } from 'node:http';

export interface FlagsSendOptions {
  url: string;
  /** Requests per second. */
  rate: number;
  seconds: number;
  /** People that are asked about, at random; absent: the request has no body. */
  people?: number;
  token: string;
  headers: Record<string, string>;
  /** The status that an answer has. */
  status: number;
}

export interface FlagsSending {
  answers: number;
  /** Answers with another status. */
  others: number;
  p50: number;
  p99: number;
  most: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as FlagsSendOptions;
const target = new URL(options.url);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const tooks: number[] = [];
let others = 0;
let underWay = 0;

function send(): void {
  const { people, token, headers, status } = options;
  const body =
    people === undefined
      ? null
      : JSON.stringify({
          token,
          distinct_id: `person-${1 + Math.floor(Math.random() * people)}`,
          groups: {},
          person_properties: {},
          group_properties: {},
          timezone: 'America/Sao_Paulo',
          $device_id: '0198f3c2-7d1e-7b3a-9c55-5a5d8f9b1c22',
        });
  const length =
    body === null ? {} : { 'content-type': 'text/plain', 'content-length': String(Buffer.byteLength(body)) };
  const since = performance.now();
  underWay++;
  const done = (is: boolean) => {
    underWay--;
    if (is) tooks.push(performance.now() - since);
    else others++;
  };
  const call = request(
    target,
    { agent, method: body === null ? 'GET' : 'POST', headers: { ...headers, ...length } },
    (res) => {
      res.on('end', () => done(res.statusCode === status));
      res.resume();
    },
  );
  call.on('error', () => done(false));
  call.end(body ?? undefined);
}

const begun = performance.now();
let sent = 0;
const ticking = setInterval(() => {
  const passed = (performance.now() - begun) / 1000;
  for (; sent < passed * options.rate; sent++) send();
  if (passed < options.seconds) return;
  clearInterval(ticking);
  setTimeout(finish, 1000);
}, 1);

function finish(): void {
  tooks.sort((one, other) => one - other);
  const at = (share: number) => tooks[Math.min(tooks.length - 1, Math.floor(tooks.length * share))] ?? 0;
  const result: FlagsSending = {
    answers: tooks.length,
    others: others + underWay,
    p50: at(0.5),
    p99: at(0.99),
    most: at(1),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  agent.destroy();
}
