/** The recordings in test/fixtures/ingest: their types, and reading and writing them. The format is described in the README there. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';

export const fixtureFolder = join(process.cwd(), 'test/fixtures/ingest');

/** One event as logged by the client at capture. */
export interface SaidEvent {
  event: string;
  uuid?: string;
  /** ISO 8601, by the client's clock. */
  timestamp?: string;
}

export interface FixtureHead {
  client: string;
  version: string;
  case: string;
  about: string;
  /** Public token that the client was configured with: one of its own per fixture. */
  project: string;
  /** Ids that the client used, by the names that expectations use. */
  known: Record<string, string>;
  said?: SaidEvent[];
  /** How far the client's clock was ahead of the recorder's. */
  clockAheadMs?: number;
  /** Settings that the project must have. */
  settings?: JsonObject;
  /** What all requests have. */
  headers?: Record<string, string>;
}

export interface FixtureRequest {
  /** Time of receipt, ISO 8601. */
  at: string;
  method: string;
  /** With query string, without the `/ingest` prefix. */
  path: string;
  headers: Record<string, string>;
  /** base64 of the raw bytes. */
  body?: string;
  /** In files written by hand: the body as JSON or text, */
  json?: JsonValue;
  text?: string;
  /** gzipped if asked for, */
  gzip?: boolean;
  /** with an empty `batch` filled by copies of an event; `#` in a text value becomes the number of the copy. */
  repeat?: { event: JsonObject; times: number };
}

export interface Fixture {
  name: string;
  head: FixtureHead;
  requests: FixtureRequest[];
  expect: Expectations;
}

export interface Expectations {
  answers: ExpectedAnswer[] | { all: number };
  /** Exactly these, in any order. */
  events: ExpectedEvent[];
  /** Exactly these, in any order; left out: not compared. */
  persons?: ExpectedPerson[];
  sessions?: ExpectedSession[];
  groups?: { type: string; key: string; properties: JsonObject }[];
  /** Reasons of drops, with how often. */
  problems?: Record<string, number>;
}

export interface ExpectedAnswer {
  /** `ok`: any 2xx, where the protocol leaves it open. */
  status: number | 'ok';
  /** These members at least. */
  body?: JsonValue;
  headers?: Record<string, string>;
  /** Part of the content type. */
  type?: string;
  /** Part of a body that is no JSON. */
  includes?: string;
}

export interface ExpectedEvent {
  event: string;
  /** How many like this are expected; 1 when left out. */
  times?: number;
  distinctId?: string;
  session?: string | null;
  /**
   * ISO 8601. Requests written by hand: exact; recordings: within the time of transport, unless `exact`. Left out: what the client
   * said, or shortly before receipt.
   */
  time?: string;
  exact?: boolean;
  uuid?: string;
  marks?: string[];
  /** These at least; null: must be absent. */
  properties?: JsonObject;
}

export interface ExpectedPerson {
  distinctIds: string[];
  identified: boolean;
  hasProfile?: boolean;
  /** These at least; null: must be absent. */
  properties?: JsonObject;
}

export interface ExpectedSession {
  session: string;
  events?: number;
  views?: number;
  autocaptures?: number;
  bot?: boolean;
  entryPath?: string;
  exitPath?: string;
}

/** Names of all fixtures, without ending. */
export function fixtureNames(): string[] {
  return readdirSync(fixtureFolder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => file.slice(0, -'.jsonl'.length))
    .sort();
}

export function readRecording(name: string): Pick<Fixture, 'head' | 'requests'> {
  const [head, ...requests] = readFileSync(join(fixtureFolder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  for (const request of requests) request.headers = { ...head.headers, ...request.headers };
  return { head, requests };
}

export function readFixture(name: string): Fixture {
  const expectations = JSON.parse(readFileSync(join(fixtureFolder, `${name}.expect.json`), 'utf8'));
  return { name, ...readRecording(name), expect: expectations };
}

/** Headers that all requests have in common are written once, bodies that are text as text. */
export function writeFixture(name: string, head: FixtureHead, requests: FixtureRequest[]): void {
  const [first, ...others] = requests;
  const common = Object.entries(first?.headers ?? {}).filter(([header, value]) =>
    others.every(({ headers }) => headers[header] === value),
  );
  const withCommon = { ...head, headers: Object.fromEntries(common) };
  const rest = requests.map(({ body, ...request }) => ({
    ...request,
    ...legible(body),
    headers: Object.fromEntries(Object.entries(request.headers).filter(([header]) => !(header in withCommon.headers))),
  }));
  writeFileSync(
    join(fixtureFolder, `${name}.jsonl`),
    `${[withCommon, ...rest].map((line) => JSON.stringify(line)).join('\n')}\n`,
  );
}

function legible(body: string | undefined): { body?: string; text?: string } {
  if (body === undefined) return {};
  const bytes = Buffer.from(body, 'base64');
  const text = bytes.toString();
  return /^[^\p{Cc}\ufffd]*$/u.test(text) && Buffer.from(text).equals(bytes) ? { text } : { body };
}

/** The bytes that were sent. */
export function bodyOf(request: FixtureRequest): Buffer {
  if (request.body !== undefined) return Buffer.from(request.body, 'base64');
  let text = request.text ?? (request.json === undefined ? '' : JSON.stringify(request.json));
  if (request.repeat) text = text.replace('"batch":[]', `"batch":${copies(request.repeat)}`);
  return request.gzip === true ? gzipSync(text) : Buffer.from(text);
}

function copies({ event, times }: { event: JsonObject; times: number }): string {
  const text = JSON.stringify(event);
  return `[${Array.from({ length: times }, (_, index) => text.replaceAll('#', String(index))).join()}]`;
}
