/**
 * The sender of the flags bench, in a separate process, so that its time is not the server's: requests at even distances, independent of answers.
 * `node bench/flags-sender.ts '{"url":…}'` prints one line of JSON.
 */
import { connect } from 'node:net';

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
  /** CPU of this process per request: near 1,000 / rate, it is the sender that is measured. */
  cpuMs: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as FlagsSendOptions;
const target = new URL(options.url);
const CONNECTIONS = 64;
const tooks: number[] = [];
let others = 0;
let underWay = 0;

/** Sockets without a request, the one used last at the end. */
const free: Connection[] = [];
/** Requests that wait for a socket: each is counted from when it was due. */
const waiting: { text: string; since: number }[] = [];

/** One connection with one request at a time. Plain sockets: a client that parses headers would take more time than the server. */
class Connection {
  private readonly socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
  private since = 0;
  private status = 0;
  /** Bytes of the answer that are still to come; null before its headers are whole. */
  private missing: number | null = null;
  private head = '';

  constructor() {
    this.socket.on('data', (bytes) => this.read(bytes));
    this.socket.on('error', () => this.finish(false));
  }

  send({ text, since }: { text: string; since: number }): void {
    this.since = since;
    underWay++;
    this.socket.write(text);
  }

  private read(bytes: Buffer): void {
    if (this.missing === null) {
      const before = Buffer.byteLength(this.head, 'latin1');
      this.head += bytes.toString('latin1', 0, Math.min(bytes.length, 4096));
      const end = this.head.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.status = Number(this.head.slice(9, 12));
      const length = /content-length: (\d+)/i.exec(this.head.slice(0, end))?.[1] ?? '0';
      this.missing = (this.status === 304 ? 0 : Number(length)) - (bytes.length + before - end - 4);
    } else {
      this.missing -= bytes.length;
    }
    if (this.missing <= 0) this.finish(this.status === options.status);
  }

  private finish(is: boolean): void {
    if (is) tooks.push(performance.now() - this.since);
    else others++;
    underWay--;
    this.missing = null;
    this.head = '';
    const next = waiting.shift();
    if (next === undefined) free.push(this);
    else this.send(next);
  }
}

for (let made = 0; made < CONNECTIONS; made++) free.push(new Connection());

function send(): void {
  const { people, token, headers } = options;
  const body =
    people === undefined
      ? ''
      : JSON.stringify({
          token,
          distinct_id: `person-${1 + Math.floor(Math.random() * people)}`,
          groups: {},
          person_properties: {},
          group_properties: {},
          timezone: 'America/Sao_Paulo',
          $device_id: '0198f3c2-7d1e-7b3a-9c55-5a5d8f9b1c22',
        });
  const fields = {
    host: target.host,
    ...headers,
    ...(people !== undefined && { 'content-type': 'text/plain', 'content-length': String(body.length) }),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const method = people === undefined ? 'GET' : 'POST';
  const text = `${method} ${target.pathname}${target.search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  const one = { text, since: performance.now() };
  const connection = free.pop();
  if (connection === undefined) waiting.push(one);
  else connection.send(one);
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
  const used = process.cpuUsage();
  tooks.sort((one, other) => one - other);
  const at = (share: number) => tooks[Math.min(tooks.length - 1, Math.floor(tooks.length * share))] ?? 0;
  const result: FlagsSending = {
    answers: tooks.length,
    others: others + underWay,
    p50: at(0.5),
    p99: at(0.99),
    most: at(1),
    cpuMs: (used.user + used.system) / 1000 / Math.max(1, sent),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
}
