/** Compares what was expected of a fixture with what was answered and stored; says every difference in a line. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ExpectedAnswer, ExpectedEvent, ExpectedPerson, Fixture } from './fixture.ts';
import type { Stored, StoredEvent, StoredPerson } from './stored.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** How far a recording's time may be off: the request took that long from the client to the recorder. */
const TRANSPORT_MS = 2_000;
/** An event whose client did not say when it was waited at most this long. */
const WAITING_MS = 30_000;

export function differences(fixture: Fixture, answers: readonly Answer[], stored: Stored): string[] {
  const names = new Names(fixture.head.known);
  const found = [...compareAnswers(fixture, answers), ...compareEvents(fixture, stored, names)];
  const { persons, sessions, groups, problems } = fixture.expect;
  if (persons) found.push(...comparePersons(persons, stored.persons, names));
  for (const expected of sessions ?? []) {
    const wanted = { ...expected, session: names.resolve(expected.session) };
    const actual = stored.sessions.find(({ session }) => session === wanted.session);
    if (!actual) found.push(`session ${wanted.session} is missing`);
    else found.push(...partial(wanted as JsonObject, { ...actual } as JsonObject, `session ${wanted.session}`));
  }
  if (groups && !isDeepStrictEqual(groups, stored.groups)) {
    found.push(`groups: expected ${show(groups)}, stored ${show(stored.groups)}`);
  }
  if (!isDeepStrictEqual(problems ?? {}, stored.drops)) {
    found.push(`drops: expected ${show(problems ?? {})}, counted ${show(stored.drops)}`);
  }
  return [...found, ...contradictions(stored)];
}

/** Whatever was sent, the tables must agree with each other. */
function contradictions({ events, persons, sessions, counted }: Stored): string[] {
  const found: string[] = [];
  if (counted !== events.length) found.push(`counts by quarter hour say ${counted} events, there are ${events.length}`);
  for (const { event, distinctId, person } of events) {
    const owner = persons.find(({ distinctIds }) => distinctIds.includes(distinctId));
    if (owner?.number !== person)
      found.push(`${event} of ${distinctId} belongs to person ${person}, the id to ${owner?.number}`);
  }
  for (const { session, events: said, views } of sessions) {
    const own = events.filter((event) => event.session === session);
    const ownViews = own.filter(({ event }) => event === '$pageview').length;
    if (said !== own.length || views !== ownViews) {
      found.push(`session ${session} says ${said} events and ${views} views, there are ${own.length} and ${ownViews}`);
    }
  }
  return found;
}

function compareAnswers({ expect: { answers }, requests }: Fixture, actual: readonly Answer[]): string[] {
  return actual.flatMap((answer, index) => {
    const expected: ExpectedAnswer | undefined = Array.isArray(answers) ? answers[index] : { status: answers.all };
    const at = `answer ${index + 1} (${requests[index]?.method} ${requests[index]?.path.slice(0, 60)})`;
    if (!expected) return [`${at}: nothing is expected of it`];
    const found: string[] = [];
    const isAsExpected =
      expected.status === 'ok' ? answer.status >= 200 && answer.status < 300 : answer.status === expected.status;
    if (!isAsExpected)
      found.push(`${at}: expected ${expected.status}, got ${answer.status} ${answer.text.slice(0, 200)}`);
    if (expected.body !== undefined) found.push(...partial(expected.body, jsonIn(answer.text), `${at} body`));
    if (expected.headers) found.push(...partial(expected.headers, answer.headers, `${at} headers`));
    const type = answer.headers['content-type'] ?? '';
    if (expected.type && !type.includes(expected.type)) found.push(`${at}: type ${type}, not ${expected.type}`);
    if (expected.includes && !answer.text.includes(expected.includes))
      found.push(`${at}: no ${expected.includes} in it`);
    return found;
  });
}

function compareEvents(fixture: Fixture, { events }: Stored, names: Names): string[] {
  const left = [...events];
  const found: string[] = [];
  for (const expected of fixture.expect.events) {
    for (let copy = 0; copy < (expected.times ?? 1); copy++) {
      const candidates = left
        .filter(({ event }) => event === expected.event)
        .map((actual) => ({ actual, wrong: compareEvent(fixture, expected, actual, names.copy()) }))
        .sort((a, b) => a.wrong.length - b.wrong.length);
      const best = candidates[0];
      if (!best) {
        found.push(`${expected.event} is missing${expected.times ? ` (${copy} of ${expected.times} are there)` : ''}`);
        break;
      }
      found.push(...best.wrong);
      compareEvent(fixture, expected, best.actual, names); // binds the names for what follows
      left.splice(left.indexOf(best.actual), 1);
    }
  }
  for (const { event, distinctId, ts } of left) {
    found.push(`${event} of ${distinctId} at ${timeOf(ts)} is stored, and not expected`);
  }
  return found;
}

function compareEvent(fixture: Fixture, expected: ExpectedEvent, actual: StoredEvent, names: Names): string[] {
  const found: string[] = [];
  const compare = (what: string, wanted: unknown, got: unknown) => {
    if (!isDeepStrictEqual(wanted, got))
      found.push(`${expected.event}: ${what} expected ${show(wanted)}, stored ${show(got)}`);
  };
  if (expected.distinctId !== undefined)
    compare('distinct id', names.match(expected.distinctId, actual.distinctId), actual.distinctId);
  if (expected.session !== undefined) compare('session', names.match(expected.session, actual.session), actual.session);
  if (expected.uuid !== undefined) compare('uuid', expected.uuid.toLowerCase(), actual.uuid);
  if (expected.marks !== undefined) compare('marks', [...expected.marks].sort(), [...actual.marks].sort());
  found.push(...compareTime(fixture, expected, actual));
  found.push(...partial(expected.properties ?? {}, actual.properties, expected.event));
  return found;
}

function compareTime({ head, requests }: Fixture, expected: ExpectedEvent, actual: StoredEvent): string[] {
  const isExact = expected.exact ?? head.client === 'http';
  if (expected.time !== undefined) {
    const off = Math.abs(actual.ts - Date.parse(expected.time));
    if (off <= (isExact ? 0 : TRANSPORT_MS)) return [];
    return [`${expected.event}: time expected ${expected.time}, stored ${timeOf(actual.ts)}`];
  }
  const said = head.said?.find(({ uuid }) => uuid !== undefined && uuid.toLowerCase() === actual.uuid);
  if (said?.timestamp) {
    const right = Date.parse(said.timestamp) - (head.clockAheadMs ?? 0);
    if (Math.abs(actual.ts - right) <= TRANSPORT_MS) return [];
    return [`${expected.event}: the client said ${timeOf(right)} (clock corrected), stored ${timeOf(actual.ts)}`];
  }
  if (head.client === 'http') return [];
  const receipts = requests.map(({ at }) => Date.parse(at));
  if (actual.ts >= Math.min(...receipts) - WAITING_MS && actual.ts <= Math.max(...receipts) + TRANSPORT_MS) return [];
  return [`${expected.event}: time ${timeOf(actual.ts)} is not about that of its receipt`];
}

function comparePersons(expected: readonly ExpectedPerson[], stored: readonly StoredPerson[], names: Names): string[] {
  const found: string[] = [];
  const left = [...stored];
  for (const person of expected) {
    const ids = person.distinctIds.map((id) => names.resolve(id)).sort();
    const actual = left.find(({ distinctIds }) => ids.some((id) => distinctIds.includes(id)));
    if (!actual) {
      found.push(`person ${ids.join(', ')} is missing`);
      continue;
    }
    left.splice(left.indexOf(actual), 1);
    const { distinctIds: _, ...others } = person;
    if (!isDeepStrictEqual(ids, [...actual.distinctIds].sort())) {
      found.push(`person: expected the ids ${show(ids)}, stored ${show(actual.distinctIds)}`);
    }
    found.push(...partial({ ...others } as JsonObject, { ...actual } as unknown as JsonObject, `person ${ids[0]}`));
  }
  for (const { distinctIds } of left) found.push(`person ${distinctIds.join(', ')} is stored, and not expected`);
  return found;
}

/** Ids by name: `{anon}` from the recording, `?visitor` bound to what is seen first. */
class Names {
  readonly #known: Record<string, string>;
  readonly #bound: Map<string, string | null>;

  constructor(known: Record<string, string>, bound: Iterable<[string, string | null]> = []) {
    this.#known = known;
    this.#bound = new Map(bound);
  }

  copy(): Names {
    return new Names(this.#known, this.#bound);
  }

  /** The id that is meant, given what was found in its place. */
  match(name: string | null, found: string | null): string | null {
    if (name?.startsWith('?') && !this.#bound.has(name)) {
      this.#bound.set(name, found ?? `a value for ${name}`); // nothing there is no value
    }
    return name === null ? null : this.resolve(name);
  }

  resolve(name: string): string {
    if (name.startsWith('?')) return this.#bound.get(name) ?? name;
    return name.replace(/^\{(\w+)\}$/, (whole, key: string) => this.#known[key] ?? whole);
  }
}

/** What of `expected` is not so in `actual`. Objects may have more members, lists may not; null also stands for absent. */
function partial(expected: JsonValue, actual: JsonValue | undefined, at: string): string[] {
  if (expected === null)
    return actual === null || actual === undefined ? [] : [`${at}: ${show(actual)}, should be absent`];
  if (typeof expected === 'object' && typeof actual === 'object' && actual !== null) {
    const [wanted, got] = [expected as JsonObject, actual as JsonObject];
    if (Array.isArray(expected) !== Array.isArray(actual))
      return [`${at}: expected ${show(expected)}, got ${show(actual)}`];
    if (Array.isArray(expected) && expected.length !== (actual as JsonValue[]).length) {
      return [`${at}: expected ${expected.length} elements, got ${show(actual)}`];
    }
    return Object.keys(wanted).flatMap((name) => {
      const own = Object.hasOwn(got, name) ? got[name] : undefined;
      return partial(wanted[name] as JsonValue, own, `${at}.${name}`);
    });
  }
  return isDeepStrictEqual(expected, actual) ? [] : [`${at}: expected ${show(expected)}, got ${show(actual)}`];
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // then it is not what was expected
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

export function timeOf(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms);
}
