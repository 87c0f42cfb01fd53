/**
 * An insight as it stands in an address: `kind`, the version `v` of the format, and in `q`, as JSON, what only this kind has. Range,
 * comparison, interval, filters, people and segment are written as on the Overview; what these cannot hold exactly stands in `q` too.
 * `display`, also JSON, says how the answer is drawn. Pure.
 */
import type { EventsQuery, PeopleQuery } from '#src/insights/query/people/contract.ts';
import type { PeopleChosen } from '#views/question/filters/people-address.ts';
import { addressOf, type Question, readQuestion } from '#views/question/question.ts';
import { type Display, display } from './display.ts';
import {
  firstOwn,
  hasKey,
  type Inputs,
  type Insight,
  type KindName,
  kindNames,
  neededKeys,
  ownOf,
  schemas,
} from './insight.ts';

/** Of the format of addresses and of what is saved. */
export const VERSION = 1;

/** Keys of the shared part that an address may not hold as it is asked. */
const exactKeys = ['range', 'compare', 'filters'] as const;

/** Reads a query string. What makes no sense is as in a new insight: an old link still shows something. */
export function readInsight(search: URLSearchParams): Insight {
  const kind = kindNames.find((name) => name === search.get('kind')) ?? 'trends';
  const question = readQuestion(search);
  const said = search.get('q');
  const drawn = display.safeParse(jsonOf(search.get('display')) ?? {});
  const shown: Display = drawn.success ? drawn.data : {};
  const q = said === null ? {} : jsonOf(said);
  const isKnown = said === null || search.get('v') === String(VERSION);
  const input = isKnown && isObject(q) ? readInput(kind, q) : null;
  if (input === null) return made(kind, question, firstOwn(kind), shown, true);
  const exact = exactKeys.flatMap((key) => (key in (q as object) ? [[key, input[key as 'range'] ?? null]] : []));
  const people = 'people' in (q as object) ? { people: input.people } : null;
  return { ...made(kind, { ...question, ...Object.fromEntries(exact) }, ownOf(input), shown), ...people } as Insight;
}

/** The insight of an input: what a saved one is shown as. @param input as the kind's schema reads it */
export function insightOf(kind: KindName, input: Inputs[KindName] & { segment?: number }, shown: Display): Insight {
  const { segment, ...asked } = input;
  const { range, filters, people, include } = asked;
  const question: Question = {
    ...readQuestion(new URLSearchParams()),
    range,
    compare: 'compare' in asked ? asked.compare : 'none',
    interval: hasKey(kind, 'interval') && 'interval' in asked ? (asked.interval ?? null) : null,
    filters: filters ?? null,
    include: include ?? [],
    segment: segment ?? null,
  };
  if (people === undefined) return made(kind, question, ownOf(asked), shown);
  if (isWritten(people)) return made(kind, { ...question, people }, ownOf(asked), shown);
  return { ...made(kind, question, ownOf(asked), shown), people };
}

/** Whether forms and addresses of screens can say which persons these are. */
function isWritten(people: PeopleQuery): people is PeopleChosen {
  const isKnown = people.of.every((each) => 'firstSeen' in each || ('did' in each && isOneEvent(each.did)));
  if (!isKnown) return false;
  const question = { ...readQuestion(new URLSearchParams()), people: people as PeopleChosen };
  return isSame(readQuestion(searchOf(addressOf('/', question))).people, people);
}

/** A goal, or an event with conditions in one list. */
function isOneEvent(events: EventsQuery): boolean {
  if ('goal' in events) return true;
  return 'event' in events && events.event !== null && !events.filters?.of.some((item) => 'of' in item);
}

function searchOf(address: string): URLSearchParams {
  return new URL(address, 'http://here').searchParams;
}

/** The address of an insight, at the path of a screen that shows it. */
export function insightAddress(path: string, insight: Insight): string {
  const exact = exactPath(path, insight);
  return addressOf(exact.path, exact.question);
}

/** Path and question that together are the address: what words cannot say exactly is in the path. */
export function exactPath(path: string, insight: Insight): { path: string; question: Question } {
  const { question } = insight;
  const exact = keysThatWordsLose(question);
  const { people } = insight;
  const exactly = { ...Object.fromEntries(exact.map((key) => [key, question[key]])), ...(people && { people }) };
  const plain = { ...plainOf(question), ...Object.fromEntries(exact.map((key) => [key, inAddress[key]])) };
  return { path: ownPath(path, insight, exactly), question: plain };
}

/** By question, which is never changed: a screen has dozens of addresses of one. */
const lost = new WeakMap<Question, (typeof exactKeys)[number][]>();

/** Parts of a question that an address cannot say in words. */
function keysThatWordsLose(question: Question): (typeof exactKeys)[number][] {
  const known = lost.get(question);
  if (known !== undefined) return known;
  const written = readQuestion(searchOf(addressOf('/', plainOf(question))));
  const found = exactKeys.filter((key) => !isSame(written[key], question[key]));
  lost.set(question, found);
  return found;
}

/** The path with what only this kind has: what comes after it is the question's. */
export function ownPath(path: string, { kind, own, display: shown }: Insight, exactly: object = {}): string {
  const standard = standardOf(kind);
  const needed = neededKeys(kind);
  const differing = Object.entries(own).filter(([key, value]) => needed.includes(key) || !isSame(value, standard[key]));
  const q = { ...Object.fromEntries(differing), ...exactly };
  const parts = [`kind=${kind}`, `v=${VERSION}`];
  if (Object.keys(q).length > 0) parts.push(`q=${textOf(q)}`);
  if (Object.keys(shown).length > 0) parts.push(`display=${textOf(shown)}`);
  return `${path}?${parts.join('&')}`;
}

const standards = new Map<KindName, Record<string, unknown>>();

/** What a kind asks when only what it needs is said. */
function standardOf(kind: KindName): Record<string, unknown> {
  const known = standards.get(kind);
  if (known !== undefined) return known;
  const read = schemas[kind].parse({ range: 'last_28_days', ...pick(firstOwn(kind), neededKeys(kind)) });
  const standard = ownOf(read) as unknown as Record<string, unknown>;
  standards.set(kind, standard);
  return standard;
}

/** Parts of the question that `q` holds stand in the address as if nothing were asked. */
const inAddress = { range: 'last_28_days', compare: 'previous', filters: null } as const;

/** Without what is the Overview's alone. */
function plainOf({ range, compare, interval, filters, people, include, segment, edited }: Question): Question {
  const nothing = readQuestion(new URLSearchParams());
  return { ...nothing, range, compare, interval, filters, people, include, segment, edited };
}

/** Null: the kind's schema refuses it. */
function readInput<Kind extends KindName>(kind: Kind, given: object): Inputs[Kind] | null {
  const read = schemas[kind].safeParse({ range: 'last_28_days', ...firstOwn(kind), ...given });
  return read.success ? (read.data as Inputs[Kind]) : null;
}

function made(kind: KindName, question: Question, own: object, shown: Display, isBroken = false): Insight {
  return { kind, question, own, display: shown, ...(isBroken && { isBroken }) } as unknown as Insight;
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Signs that may stand in an address as they are, and then it can be read. */
function textOf(value: object): string {
  return encodeURIComponent(JSON.stringify(value)).replace(/%(2F|3A|24|2C|7B|7D|5B|5D)/g, decodeURIComponent);
}

function pick(value: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}

/** Equal as JSON, whichever order their keys have. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}
