/**
 * Everything that a question needs, from one snapshot: columns of chunks, from memory or by COPY; the rows that are not sealed yet, as
 * chunks that are made for this question; rows instead of chunks where those are out of date; and merges.
 */

import type { ClientBase } from 'pg';
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import { droppedError, isDroppedDay } from '#src/events/dropped.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { type Reader, readerOf } from '#src/kit/reading/reader.ts';
import { dayMs } from '#src/kit/zone.ts';
import { asAppError } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { chunkKinds, GROUPS_MARK } from '../contract.ts';
import type { Cache } from '../storage/cache.ts';
import * as queries from '../storage/chunk-sql.ts';
import { type Chunk, lacksProperty } from '../storage/chunk-sql.ts';
import { PROPERTY } from '../storage/encode.ts';
import { coversMoments, oddMoments, QUARTERS } from '../storage/quarters.ts';
import type { Span } from '../storage/span.ts';
import type { Threads } from '../threads/threads.ts';
import { type GroupSubject, isGroupSubject } from '../values.ts';
import type { GatheredChunk } from './gathered-chunk.ts';
import { addGroupColumns, type GroupNumbers, type GroupRegistry, groupSubjectsIn } from './group-numbers.ts';
import { beginColumns, loadColumns, type Turn } from './load.ts';
import { readMergedInto, type Survivors } from './merged-into.ts';
import { readEvents, readVisits } from './rows-read.ts';
import { type Snapshot, snapshotOf } from './snapshots.ts';
import type { Tail, Tails } from './tail.ts';

/** Before the name of a property, among the columns of events that are wanted: those of the kinds of groups that it occurs in. */
export const IN_GROUPS = 'g:';

export interface GatherRequest {
  projectId: number;
  spans: readonly Span[];
  /** Column names; a property's name after `IN_GROUPS`; or a group type, for the numbers of groups: with the property of its keys. */
  eventColumns: readonly string[];
  /** Instead of `ts`: times matter at these moments alone. */
  timesAt?: readonly number[] | undefined;
  /** Properties that are in no group. */
  properties: readonly string[];
  sessionColumns: readonly string[];
  /** Names of columns that need not be there yet when all else is: chunks tell by their `arrival` when they have them. */
  later?: ReadonlySet<string> | undefined;
  /** When who asks does not need the snapshot's connection any more: these columns are read by another one before. */
  connectionFree?: Promise<unknown> | undefined;
  /** Events until the end of all visits that began in a span. */
  toEndOfVisits: boolean;
}

export interface Gathered {
  /** Gathered time window of each span. */
  windows: Span[];
  events: GatheredChunk[];
  sessions: GatheredChunk[];
  /** Null: no merges. */
  mergedInto: Survivors | null;
  /** Group kinds of the properties requested with `IN_GROUPS`. */
  groupKinds: ReadonlyMap<string, readonly GroupKind[]>;
  /** Changes with the groups of a kind, by number of the kind. */
  groupVersions: Map<number, number>;
  /** How the project reads values. */
  reader: Reader;
  /** Keys of the groups, by requested group type. */
  groupNumbers: ReadonlyMap<GroupSubject, GroupNumbers>;
}

/** Part of the cache key of results that use group properties. */
export function readingsKey({
  groupVersions,
  reader,
  groupNumbers,
}: Pick<Gathered, 'groupVersions' | 'reader' | 'groupNumbers'>): unknown {
  return [[...groupVersions], reader.key, ...[...groupNumbers.values()].map(({ serial }) => serial)];
}

export interface GatherParts {
  client: ClientBase;
  /** A shared snapshot; absent: a separate one. */
  snapshot?: Snapshot;
  cache: Cache;
  tails: Tails;
  threads: Threads;
  registry: GroupRegistry;
  /** Fires when nobody waits for the query any more: the next step is not begun. */
  ending?: AbortSignal | undefined;
}

/** Shared state of a gathering. */
type OwnParts = GatherParts & { snapshot: Snapshot };

/** @throws Cancelled; AppError */
export async function gather(given: GatherParts, wanted: GatherRequest): Promise<Gathered> {
  const snapshot = given.snapshot ?? snapshotOf(given.client, wanted.properties);
  const { client, once } = snapshot;
  const parts: OwnParts = { ...given, snapshot, client };
  const { projectId, spans, timesAt } = wanted;
  const outline = await once('outline', () => queries.outlineOf(client, projectId));
  const { sealed, marks } = outline;
  // Asked while all else goes on.
  const merged = mergedOf(parts, projectId, outline);
  const all = await listChunks(parts, projectId, outline);
  const listed = all.filter(({ minTs, maxTs }) => spans.some((span) => touches(span, minTs, maxTs)));
  const tail = await once('tail', () =>
    parts.tails.read(parts, projectId, snapshot.properties, outline, snapshot.before),
  );

  await goOn(parts);
  const sessions = await gatherSessions(parts, wanted, ofKind(listed, chunkKinds.sessions), tail, marks);

  const windows = wanted.toEndOfVisits ? spans.map((span) => toEndOfVisits(sessions, span)) : [...spans];
  const days = ofKind(listed, chunkKinds.events);
  const beyond = windows.flatMap(({ until }, at) => {
    const from = spans[at]?.until ?? until;
    return from < until ? [{ from, until }] : [];
  });
  if (beyond.length > 0) {
    const known = new Set(days.map(({ id }) => id));
    const more = ofKind(all, chunkKinds.events).filter(({ id }) => !known.has(id));
    days.push(...more.filter(({ minTs, maxTs }) => beyond.some((span) => touches(span, minTs, maxTs))));
  }

  const outdated = unitsOf(marks, chunkKinds.events);
  // Chunks of earlier versions lack rare properties: until they are resealed, rows are read.
  for (const day of days) if (wanted.properties.some((name) => lacksProperty(day, name))) outdated.add(day.unit);
  const kindsOfNames = await kindsOf(parts.snapshot, projectId, wanted.eventColumns);
  const names = namesOf(wanted, kindsOfNames);
  const right = days.filter(({ unit }) => !outdated.has(unit));
  const events = right.map(asStored);
  const odd = timesAt && oddMoments(timesAt);
  const addTimes = async (some: readonly GatheredChunk[]) => {
    const inexact = odd === undefined ? [] : some.filter(({ columns }) => !coversMoments(columns[QUARTERS], odd));
    if (inexact.length > 0) await loadColumns(parts, projectId, inexact, ['ts']);
  };
  await goOn(parts);
  const [ofEvents, ofSessions] = [divided(names, wanted), divided(wanted.sessionColumns, wanted)];
  await loadColumns(parts, projectId, events, ofEvents.first);
  if (ofEvents.later.length === 0) await addTimes(events);
  else
    bring(parts, projectId, events, ofEvents.later, { connectionFree: wanted.connectionFree }, (chunk) =>
      addTimes([chunk]),
    );
  // Mostly it is known by events which visits count.
  const after = Promise.allSettled(events.map(({ arrival }) => arrival));
  bring(parts, projectId, sessions, ofSessions.later, { after, connectionFree: wanted.connectionFree });
  for (const day of outdated) {
    const span = { from: day * dayMs, until: (day + 1) * dayMs };
    if (windows.some((window) => overlap(window, span))) {
      if (await isDroppedDay(client, projectId, day)) throw droppedError(day);
      const read = () => readEvents(parts, projectId, snapshot.properties, { span, upTo: sealed });
      events.push(...(await once(`day ${day}`, read)));
    }
  }
  const unsealed = tail.events.filter(({ minTs, maxTs }) => windows.some((window) => touches(window, minTs, maxTs)));
  events.push(...unsealed);
  const groupNumbers = new Map(
    groupSubjectsIn(wanted.eventColumns).map((subject) => [subject, parts.registry.of(projectId, subject)]),
  );
  const breathe = () => parts.threads.breathe();
  return {
    windows,
    events: groupNumbers.size === 0 ? events : await addGroupColumns({ ...parts, breathe }, events, groupNumbers),
    groupNumbers,
    sessions,
    mergedInto: await merged,
    groupVersions: new Map(marks.filter(({ kind }) => kind === GROUPS_MARK).map(({ unit, last }) => [unit, last])),
    reader: readerOf(outline.reading),
    groupKinds: kindsOfNames,
  };
}

/** @throws Cancelled when nobody waits for it any more */
async function goOn({ threads, ending }: OwnParts): Promise<void> {
  await threads.breathe();
  if (ending?.aborted) throw new Cancelled();
}

/** Null: no merges. */
function mergedOf(parts: OwnParts, projectId: number, outline: queries.Outline): Promise<Survivors | null> | null {
  const { mostMerged: most } = outline;
  if (most === null) return null;
  const reading = parts.snapshot.once('merged', () => readMergedInto(parts, projectId, { most, seen: outline }));
  parts.snapshot.until(reading);
  reading.catch(() => undefined); // awaited elsewhere
  return reading;
}

/** A stored chunk, without its columns. */
function asStored({ id, rows, minTs, maxTs, rare, packedBits }: Chunk): GatheredChunk {
  const packed = packedBits === null || rare?.length === 0 ? null : { names: rare, bits: packedBits };
  return { id, rows, minTs, maxTs, columns: {}, except: [], packed };
}

/** Splits columns into those to await and those that may load later. */
function divided(
  names: readonly string[],
  { later }: Pick<GatherRequest, 'later'>,
): { first: string[]; later: string[] } {
  return {
    first: names.filter((name) => !later?.has(name)),
    later: names.filter((name) => later?.has(name)),
  };
}

/** Has chunks tell when they have these columns. @param then what is to be done with each when it has them */
function bring(
  parts: OwnParts,
  projectId: number,
  chunks: readonly GatheredChunk[],
  names: readonly string[],
  turn: Turn,
  then?: (chunk: GatheredChunk) => Promise<void>,
): void {
  const arrivals = beginColumns(parts, projectId, chunks, names, turn);
  for (const [at, chunk] of chunks.entries()) {
    const arrival = arrivals[at] ?? null;
    if (arrival === null && then === undefined) continue;
    const arrive = async () => {
      await arrival;
      await then?.(chunk);
      chunk.arrival = undefined;
    };
    const arriving = arrive().catch((error: unknown) => {
      throw asAppError(error);
    });
    chunk.arrival = arriving;
    arriving.catch(() => undefined); // awaited elsewhere
    parts.snapshot.until(arriving);
  }
}

/** Group kinds of properties. A group and its property names are stored before any row that refers to it. */
async function kindsOf(
  { client, once }: Snapshot,
  projectId: number,
  columns: readonly string[],
): Promise<Map<string, GroupKind[]>> {
  const asked = columns.flatMap((name) => (name.startsWith(IN_GROUPS) ? [name.slice(IN_GROUPS.length)] : []));
  const found = new Map<string, GroupKind[]>(asked.map((name) => [name, []]));
  if (asked.length === 0) return found;
  const rows = await once(`kinds of ${JSON.stringify(asked)}`, () =>
    query<{ name: string; kind: number }>(
      client,
      sql`select name, kind from group_names where project_id = ${projectId} and name = any(${asked}::text[])`,
    ),
  );
  for (const kind of kinds) {
    for (const row of rows) if (row.kind === groupKinds[kind]) found.get(row.name)?.push(kind);
  }
  return found;
}

const kinds = Object.keys(groupKinds) as GroupKind[];

/** Names of the columns of events. */
function namesOf(
  { eventColumns, properties, timesAt }: GatherRequest,
  kindsOfNames: ReadonlyMap<string, GroupKind[]>,
): string[] {
  const plain = eventColumns.filter((name) => !name.startsWith(IN_GROUPS) && !isGroupSubject(name));
  if (timesAt) plain.push(QUARTERS);
  return [...new Set([...plain, ...[...kindsOfNames.values()].flat()]), ...properties.map((name) => PROPERTY + name)];
}

function ofKind(chunks: readonly Chunk[], kind: number): Chunk[] {
  return chunks.filter((chunk) => chunk.kind === kind);
}

export function touches({ from, until }: Span, minTs: number, maxTs: number): boolean {
  return minTs < until && maxTs >= from;
}

function overlap(one: Span, other: Span): boolean {
  return one.from < other.until && other.from < one.until;
}

function unitsOf(marks: readonly queries.Mark[], kind: number): Set<number> {
  return new Set(marks.filter((mark) => mark.kind === kind).map(({ unit }) => unit));
}

/** The span, and on to the end of the visits of the blocks in which some began in it. */
function toEndOfVisits(sessions: readonly GatheredChunk[], { from, until }: Span): Span {
  const begun = sessions.filter(({ minTs, maxTs }) => touches({ from, until }, minTs, maxTs));
  return { from, until: begun.reduce((end, { maxTs }) => Math.max(end, maxTs + 1), until) };
}

/** The chunks of a project, kept while none is added and none goes. */
export async function listChunks(
  { cache, snapshot: { client, once } }: Pick<OwnParts, 'cache' | 'snapshot'>,
  projectId: number,
  { lastChunk, chunks }: queries.Outline,
): Promise<readonly Chunk[]> {
  const key = `chunks of ${projectId}`;
  const version = `${lastChunk} ${chunks}`;
  const kept = cache.get<{ version: string; list: Chunk[] }>(key);
  if (kept?.version === version) return kept.list;
  return once('chunks', async () => {
    const list = await queries.chunksOf(client, projectId);
    const names = list.reduce((sum, { rare }) => sum + (rare ?? []).join().length, 0);
    cache.set(key, { version, list }, list.length * CHUNK_BYTES + names);
    return list;
  });
}

/** Memory of a list entry. */
const CHUNK_BYTES = 200;

/** Sealed visits, with current rows for visits with later events or in stale blocks. */
async function gatherSessions(
  parts: OwnParts,
  { projectId, sessionColumns, later }: GatherRequest,
  listed: readonly Chunk[],
  tail: Tail,
  marks: readonly queries.Mark[],
): Promise<GatheredChunk[]> {
  if (sessionColumns.length === 0) return [];
  const { once } = parts.snapshot;
  const outdated = unitsOf(marks, chunkKinds.sessions);
  const sealed = listed.filter(({ unit }) => !outdated.has(unit));
  const chunks = sealed.map(asStored);
  await loadColumns(parts, projectId, chunks, divided(sessionColumns, { later }).first);
  sealed.forEach(({ unit }, at) => {
    (chunks[at] as GatheredChunk).except = [...(tail.touched.get(unit) ?? [])];
  });
  for (const block of outdated)
    chunks.push(...(await once(`visits ${block}`, () => readVisits(parts, projectId, { block }))));
  chunks.push(...(await once('visits', () => tail.visits(outdated))));
  return chunks;
}
