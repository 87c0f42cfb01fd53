/**
 * Practice of a thread: the same work as of questions, on rows that never were. Code that has not run yet runs several times slower, and the
 * first to look at their numbers would wait for it. A round takes some milliseconds and less with each; what is asked meanwhile comes between
 * two of them.
 */

import { dayMs } from '#src/kit/zone.ts';
import type { Collected } from '../kernels/collect.ts';
import type { EventCount, EventPlan } from '../kernels/count-events.ts';
import type { Condition } from '../kernels/select.ts';
import type { TallyBytes } from '../kernels/tally.ts';
import { NumberBuilder, PlainBuilder } from '../storage/builders.ts';
import { type EventNumber, eventNumbers, PROPERTY, type SessionNumber, sessionNumbers } from '../storage/encode.ts';
import type { ChunkColumns, ColumnBytes } from '../storage/format.ts';
import { openColumn } from '../storage/format.ts';
import { PropertyBuilder } from '../storage/property-builder.ts';
import { QUARTERS, writeQuarters } from '../storage/quarters.ts';
import { perform, type ResultOf, sharedCopy, type Task, type Visits } from './tasks.ts';

const FROM = 20_000 * dayMs;
const ROWS = 6_000;
const VISITS = 1_500;
/** Numbers of visits of a day lie within some thousands. */
const VISITS_APART = 8;
/** A visit of another day. */
const FAR = 1_000_000;
const [BOT, INTERNAL] = [1, 2];
/** The numbers that occur: of more than 256, codes take two bytes. */
const variety: Record<EventNumber | SessionNumber, number> = {
  session: VISITS,
  person: 900,
  event: 9,
  page: 400,
  device: 500,
  source: 400,
  geo: 60,
  flags: 3,
  elements: 90,
  marks: 1,
  entryPage: 80,
  exitPage: 90,
  views: 6,
  autocaptures: 5,
  bot: 1,
};

type Scene = { events: ChunkColumns; visits: ChunkColumns };

/** A day with bots and one without. */
let scenes: Scene[] | null = null;
let rounds = 0;

/** One round. */
export function warmUp(): void {
  scenes ??= [true, false].map((withBots) => ({ events: madeUpEvents(withBots), visits: madeUpVisits(withBots) }));
  const scene = scenes[rounds % scenes.length] as Scene;
  const [events, visits] = [turned(scene.events), turned(scene.visits)];
  rounds++;
  const edges = Array.from({ length: 5 }, (_, at) => FROM + at * (dayMs / 4));
  const ofEvents = [{ columns: events, edges }];
  const ofVisits = [{ columns: visits, edges, except: [] }];
  const asked = { names: [1, 2, 3], botMark: BOT, internalMark: INTERNAL, include: [] };
  const by = { column: 'page', values: someOf(variety.page, 7) };
  const found = run({
    task: 'findSessions',
    test: { column: 'source', mask: flagsOf(variety.source) },
    chunks: ofVisits,
  });
  const ofDevice: Condition = { column: 'device', mask: flagsOf(variety.device) };
  const ofPlan: Condition = { column: `${PROPERTY}plan`, fit: { equals: ['A'] } };
  const nowhere: Condition = { column: `${PROPERTY}nowhere`, fit: { equals: ['A'] } };
  const wheres: (Condition | null)[] = [
    null,
    { all: [{ column: 'person', mask: flagsOf(variety.person) }] },
    { all: [{ any: [ofDevice, nowhere] }] },
    { all: [{ any: [ofDevice, ofPlan] }, { not: { any: [ofPlan] } }] },
    { all: [{ sessions: 0 }] },
  ];
  const tallies: TallyBytes[] = [];
  let lists: EventCount['sessions'][] = [];
  for (const where of wheres) {
    const plan: EventPlan = turned({ ...asked, where, by: null, listsSessions: where !== null });
    const counted = run({ task: 'countEvents', plan, chunks: ofEvents, sets: [found] });
    lists = counted.map(({ sessions }) => sessions);
    run({ task: 'countEvents', plan, chunks: [{ columns: events, edges: [] }], sets: [found] });
    const valued = run({
      task: 'countEvents',
      plan: { ...plan, by, listsSessions: false },
      chunks: [{ columns: events, edges: [edges[0] as number, edges[4] as number] }],
      sets: [found],
    });
    const viewers = run({ task: 'listViewers', plan, chunks: ofEvents, sets: [found] });
    const pieces = ofVisits.map(({ columns, except }) => ({
      ids: columns['id'] as ColumnBytes,
      values: columns['source'],
      except,
    }));
    const meaning = someOf(variety.source, 9);
    merging(run({ task: 'countViewers', viewers, visits: { pieces, meaning, none: 0 } }), 10, 3);
    tallies.push(...counted.map(({ tally }) => tally));
    merging(
      valued.map(({ tally }) => tally),
      8,
      3,
    );
  }
  merging(tallies, 4, undefined);
  for (const only of [null, lists.flatMap((list) => list ?? [])]) {
    const choice: Visits = { only, without: null, isMixed: false };
    const plan = { bounceMs: 10_000, withLengths: true, by: null };
    merging(run({ task: 'countSessions', plan: turned(plan), chunks: ofVisits, choice }), 4, undefined);
    const bySource = { column: 'source', values: someOf(variety.source, 9) };
    const byPlan = turned({ ...plan, by: bySource });
    merging(run({ task: 'countSessions', plan: byPlan, chunks: ofVisits, choice }), 10, 3);
    run({ task: 'countSessions', plan: { ...byPlan, withLengths: false }, chunks: ofVisits, choice });
    summing(run({ task: 'collectLengths', chunks: ofVisits, choice }), false);
  }
  for (const column of [`${PROPERTY}took`, `${PROPERTY}share`]) {
    const figure = { ...asked, column, most: null, by };
    for (const where of wheres.slice(0, 3))
      summing(run({ task: 'collect', plan: turned({ ...figure, where }), chunks: ofEvents, sets: [] }), true);
  }
}

/** The same with its keys in another order: columns come in any, and code that only saw one is made again at the next. */
function turned<Value extends object>(value: Value): Value {
  const entries = Object.entries(value);
  const first = rounds % entries.length;
  return Object.fromEntries([...entries.slice(first), ...entries.slice(0, first)]) as Value;
}

/** Copies a task as for a thread, except for shared memory. */
function run<T extends Task>(task: T): ResultOf<T> {
  return perform(structuredClone(task)) as ResultOf<T>;
}

function merging(tallies: readonly TallyBytes[], groups: number, commonest: number | undefined): void {
  const parts = tallies.map((tally) => ({ tally, shift: 0 }));
  const plan = { groups, mergedInto: madeUpMerges(), ...(commonest === undefined ? {} : { commonest }) };
  run({ task: 'merge', plan, parts });
  const base = run({ task: 'mergeBase', plan, parts });
  run({ task: 'mergeOnto', plan, base, parts, fresh: parts.slice(0, 1) });
  // Enough parts for the path with one byte per person.
  const many = Array.from({ length: 12 }, () => parts).flat();
  for (const at of [0, 1]) run({ task: 'mergeBase', plan: { ...plan, share: { at, of: 2 } }, parts: many });
}

function summing(parts: readonly Collected[], keys: boolean): void {
  const plan = { quantile: 0.75, limits: [100, 2_000], keys };
  run({ task: 'summarize', plan, parts });
  if (keys) return;
  // Enough numbers for the path with classes.
  const many = Array.from({ length: 30 }, () => parts).flat();
  const base = run({ task: 'summaryBase', plan, parts: many });
  run({ task: 'summarizeOnto', plan, base, parts: many, fresh: parts });
}

function madeUpEvents(withBots: boolean): ChunkColumns {
  const times = new PlainBuilder();
  const numbers = eventNumbers.map((name) => [name, new NumberBuilder()] as const);
  const [plan, took, share] = [new PropertyBuilder(), new PropertyBuilder(), new PropertyBuilder()];
  for (let row = 0; row < ROWS; row++) {
    times.add(FROM + Math.floor((row / ROWS) * dayMs));
    for (const [place, [name, builder]] of numbers.entries()) {
      if (name === 'marks') builder.add(withBots && row % 40 === 0 ? BOT : 0);
      else if (name === 'session') builder.add(row % 60 === 0 ? FAR + row : 1 + (row >> 2) * VISITS_APART);
      else builder.add(1 + (drawn(row, place) % variety[name]));
    }
    if (row % 2 === 0) plan.add(row, row % 3 === 0 ? 'A' : 'B');
    if (row % 5 === 0) took.add(row, drawn(row, 99) % 4_000);
    if (row % 9 === 0) share.add(row, (drawn(row, 98) % 1_000) / 1_000);
  }
  const ts = times.finish();
  return inSharedMemory([
    ['ts', ts],
    [QUARTERS, writeQuarters(openColumn(ts))],
    ...numbers.map(([name, builder]) => [name, builder.finish()] as const),
    [`${PROPERTY}plan`, plan.finish(ROWS)],
    [`${PROPERTY}took`, took.finish(ROWS)],
    [`${PROPERTY}share`, share.finish(ROWS)],
  ]);
}

function madeUpVisits(withBots: boolean): ChunkColumns {
  const plain = { ts: new PlainBuilder(), length: new PlainBuilder(), id: new PlainBuilder() };
  const numbers = sessionNumbers.map((name) => [name, new NumberBuilder()] as const);
  for (let row = 0; row < VISITS; row++) {
    plain.ts.add(FROM + Math.floor((row / VISITS) * dayMs));
    // Of a few seconds, or of minutes: two or four bytes.
    plain.length.add((drawn(row, 7) % 600) * (withBots ? 1_000 : 10));
    plain.id.add(1 + row * VISITS_APART);
    for (const [place, [name, builder]] of numbers.entries()) {
      if (name === 'bot') builder.add(withBots && row % 40 === 0 ? 1 : 0);
      else builder.add(drawn(row, place) % variety[name]);
    }
  }
  return inSharedMemory([
    ...Object.entries(plain).map(([name, builder]) => [name, builder.finish()] as const),
    ...numbers.map(([name, builder]) => [name, builder.finish()] as const),
  ]);
}

function inSharedMemory(columns: readonly (readonly [string, Uint8Array | null])[]): ChunkColumns {
  return Object.fromEntries(columns.flatMap(([name, bytes]) => (bytes === null ? [] : [[name, sharedCopy(bytes)]])));
}

/** The same number every time. */
function drawn(row: number, salt: number): number {
  let hash = Math.imul(row + 1, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) >>> 1;
}

/** Random text numbers below `texts`. */
function someOf(numbers: number, texts: number): Int32Array<SharedArrayBuffer> {
  const values = new Int32Array(new SharedArrayBuffer((numbers + 1) * 4));
  for (let number = 1; number <= numbers; number++) values[number] = 1 + (number % texts);
  return values;
}

/** 1 for every second number. */
function flagsOf(numbers: number): Uint8Array<SharedArrayBuffer> {
  const flags = new Uint8Array(new SharedArrayBuffer(numbers + 1));
  for (let number = 0; number <= numbers; number++) flags[number] = number % 2;
  return flags;
}

/** Every fiftieth person was merged into another. */
function madeUpMerges(): Int32Array<SharedArrayBuffer> {
  const mergedInto = new Int32Array(new SharedArrayBuffer(variety.person * 4));
  for (let number = 50; number < mergedInto.length; number += 50) mergedInto[number] = number - 1;
  return mergedInto;
}
