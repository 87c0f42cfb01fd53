/**
 * What makes two exceptions the same error. Pure.
 *
 * An exception has up to three fingerprints. The first that is known names its issue; the others are entered for later ones:
 * - `main`: type and frames of the application as the source code names them, or what else is known;
 * - `exact`: the very places in this build, which differing messages of one loop have in common;
 * - `across`: what minified code keeps from one build to the next: type, message without values, files.
 */
import { hash as digest } from 'node:crypto';
import type { JsonObject } from '#src/kit/json.ts';
import { remembering } from '#src/kit/recent.ts';
import type { Exception, Frame, Grouping } from './contract.ts';
import { readRelease } from './exception.ts';
import { normalizeFile as normalize, normalizeMessage } from './normalize.ts';
import type { GroupingRule } from './rules/contract.ts';
import { groupingRuleOf } from './rules/match.ts';

export interface Fingerprints {
  /** In the order in which they are looked up. */
  hashes: string[];
  /** True when the first one was made with source maps. */
  isResolved: boolean;
  grouping: Grouping;
}

/** Lines of source code are shorter; code on longer ones is minified. */
const MAX_SOURCE_COLUMN = 300;
/** Names of minified code have so few letters. */
const MAX_MINIFIED_NAME = 2;
const MAX_PARTS = 40;
const MAX_CLIENT_FINGERPRINT = 64;
/** The same files and functions throw again and again, and each is looked at several times. */
const REMEMBERED = { size: 4_000, maxBytes: 1024 * 1024 };

const normalizeFile = remembering(normalize, REMEMBERED);

/** @param rules of the project: they decide before frames do */
export function fingerprintsOf(
  exceptions: readonly Exception[],
  properties: JsonObject,
  rules: readonly GroupingRule[] = [],
): Fingerprints {
  const own = clientFingerprint(properties);
  if (own !== null) {
    return { hashes: [hash('client', [own])], isResolved: false, grouping: { by: 'client', parts: [own] } };
  }
  const rule = rules.length === 0 ? null : groupingRuleOf(rules, { exceptions, release: readRelease(properties) });
  if (rule !== null) return byRule(rule, exceptions);
  const built = exceptions.map((exception) => withFrames(exception, exception.frames.map(asBuilt)));
  const frames = built.flatMap((stack) => stack.frames);
  if (frames.length === 0) return byMessage(exceptions);
  const exact = hash('exact', partsBy(built, exactPlace));
  const across = partsAcrossBuilds(built);
  const isRead = exceptions.some((exception) => exception.frames.some(isResolved));
  const named = isRead ? exceptions.map((exception) => withFrames(exception, exception.frames)) : built;
  if (named.some((stack) => stack.frames.some(isResolved))) {
    const parts = named.flatMap(({ type, frames }) => [type, ...frames.filter(isResolved).map(namedPlace)]);
    const hashes = [hash('sources', parts), exact, hash('across', across)];
    return { hashes, isResolved: true, grouping: { by: 'sources', parts: shown(parts) } };
  }
  if (isMinified(frames)) {
    return {
      hashes: [exact, hash('across', across)],
      isResolved: false,
      grouping: { by: 'built', parts: shown(across) },
    };
  }
  const parts = built.flatMap(({ type, value, frames }) => [
    type,
    ...frames.map(namedPlace),
    // Functions without a name are many in one file.
    ...(isNameless(frames.at(-1)) ? [normalizeMessage(value, { keepNames: true })] : []),
  ]);
  return { hashes: [hash('frames', parts), exact], isResolved: false, grouping: { by: 'frames', parts: shown(parts) } };
}

/**
 * The issue of an exception; null: a new one. Once an issue has frames that were read with source maps, only those decide.
 * @param known issues by fingerprint
 * @param resolved issues with a fingerprint made with source maps
 */
export function findIssue(
  { hashes, isResolved }: Fingerprints,
  known: ReadonlyMap<string, number>,
  resolved: ReadonlySet<number>,
): number | null {
  for (const [at, hash] of hashes.entries()) {
    const issue = known.get(hash);
    if (issue === undefined) continue;
    if (at > 0 && isResolved && resolved.has(issue)) continue;
    return issue;
  }
  return null;
}

/** The fingerprint of errors beyond the limit of issues. */
export const overflowHash = hash('overflow', []);

function clientFingerprint({ $exception_fingerprint: given }: JsonObject): string | null {
  if (typeof given !== 'string' || given === '') return null;
  if (given.length <= MAX_CLIENT_FINGERPRINT) return given;
  return digest('sha512', given);
}

/** By its id: a rule that is changed keeps its issues. */
function byRule({ id, name, by }: GroupingRule, exceptions: readonly Exception[]): Fingerprints {
  const [first] = exceptions;
  const own = {
    one: [],
    type: [first?.type ?? ''],
    message: [first?.type ?? '', normalizeMessage(first?.value ?? '')],
  };
  const hashes = [hash('rule', [id, ...own[by]])];
  return { hashes, isResolved: false, grouping: { by: 'rule', parts: shown([name, ...own[by]]) } };
}

function byMessage(exceptions: readonly Exception[]): Fingerprints {
  const parts = exceptions.flatMap(({ type, value }) => [type, normalizeMessage(value)]);
  return { hashes: [hash('message', parts)], isResolved: false, grouping: { by: 'message', parts: shown(parts) } };
}

/** With the frames of the application; without any, the one that threw. Repetitions of one that calls itself count once. */
function withFrames(exception: Exception, frames: readonly Frame[]): Exception {
  const own = frames.filter(({ inApp }) => inApp);
  const counted = own.length > 0 ? own : frames.slice(-1);
  const places = counted.map(exactPlace);
  const different = counted.filter((_, at) => at === 0 || places[at] !== places[at - 1]);
  return { ...exception, frames: different };
}

/** A frame as the client sent it. */
function asBuilt(frame: Frame): Frame {
  return frame.built === null ? frame : { ...frame, ...frame.built, built: null };
}

function isResolved({ built }: Frame): boolean {
  return built !== null;
}

function isMinified(frames: readonly Frame[]): boolean {
  if (frames.some(({ column }) => (column ?? 0) > MAX_SOURCE_COLUMN)) return true;
  const named = frames.map(({ function: name }) => bareName(name)).filter((name) => name !== '');
  const short = named.filter((name) => name.length <= MAX_MINIFIED_NAME);
  return named.length > 0 && short.length * 2 > named.length;
}

function partsBy(exceptions: readonly Exception[], place: (frame: Frame) => string): string[] {
  return exceptions.flatMap(({ type, frames }) => [type, ...frames.map(place)]);
}

function partsAcrossBuilds(exceptions: readonly Exception[]): string[] {
  return exceptions.flatMap(({ type, value, frames }) => [
    type,
    normalizeMessage(value, { keepNames: true }),
    ...frames.map(({ file }) => normalizeFile(file)),
  ]);
}

/** Where it is in this build. */
function exactPlace({ file, function: name, line, column }: Frame): string {
  return `${file} ${bareName(name)} ${line}:${column}`;
}

/** Files of source maps are the same in each build. A function without a name is known by its line there. */
function namedPlace({ file, function: name, built, source }: Frame): string {
  if (built === null) return `${normalizeFile(file)} ${bareName(name)}`.trim();
  return `${file} ${bareName(name) || (source?.line.trim() ?? '')}`.trim();
}

function isNameless(frame: Frame | undefined): boolean {
  return frame !== undefined && bareName(frame.function) === '';
}

/** `async Object.save [as onClick]` is `save`: engines put the rest differently. */
const bareName = remembering((name) => {
  const bare = name
    .replace(/^(?:async|new|get|set)\s+/, '')
    .replace(/\s*\[as .*\]$/, '')
    .replace(/^.*\./, '');
  return bare === '?' || /^<?anonymous>?$/.test(bare) ? '' : bare;
}, REMEMBERED);

function hash(kind: string, parts: readonly string[]): string {
  return digest('sha256', [kind, ...parts].join('\n'));
}

function shown(parts: readonly string[]): string[] {
  return parts.slice(0, MAX_PARTS).map((part) => part.slice(0, 300));
}
