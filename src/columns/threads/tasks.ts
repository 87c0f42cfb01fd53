/** Tasks of threads and their implementation. Runs in a thread or, without threads, inline. Pure, except for encodings in steps. */

import { type BegunVisits, begunVisits } from '../kernels/begun-visits.ts';
import { type Collected, type CollectPlan, collect, collectLengths } from '../kernels/collect.ts';
import { countEvents, type EventChunk, type EventCount, type EventPlan } from '../kernels/count-events.ts';
import {
  countSessions,
  findSessions,
  type SessionChunk,
  type SessionPlan,
  type SessionTest,
  type VisitChoice,
} from '../kernels/count-sessions.ts';
import type { RowPlan } from '../kernels/count-trend.ts';
import { type Merged, type MergePart, type MergePlan, merge } from '../kernels/merge.ts';
import { type MergeBase, mergeBase, mergeOnto } from '../kernels/merge-onto.ts';
import { type SessionList, SessionSet } from '../kernels/session-set.ts';
import { type Shared, share, shareWithAll } from '../kernels/share.ts';
import { type SumPart, type SumPlan, sumEvents } from '../kernels/sum-events.ts';
import { type Summaries, type SummaryPlan, summarize } from '../kernels/summarize.ts';
import { type SummaryBase, summarizeOnto, summaryBase } from '../kernels/summarize-onto.ts';
import type { TallyBytes } from '../kernels/tally.ts';
import { countViewers, listViewers, type Viewers } from '../kernels/viewers.ts';
import { type VisitMeaning, VisitValues } from '../kernels/visit-values.ts';
import { type EncodedChunk, EventEncoder, encodeSessions } from '../storage/encode.ts';
import type { ColumnBytes } from '../storage/format.ts';
import { Slabs } from '../storage/slabs.ts';
import { eachChunk } from './cancelling.ts';
import { type FollowResultOf, type FollowTask, follow, isFollowTask } from './series-tasks.ts';

/** A step of rows by COPY to columns, which the last step gives. All steps go to one thread. */
export interface EncodeEventsTask {
  task: 'encodeEvents';
  /** A number for all steps of the same rows. */
  encoding: number;
  step: 'more' | 'last' | 'cancel';
  /** In pieces. */
  rows: readonly Uint8Array<ArrayBuffer>[];
  /** Only these properties. */
  only?: readonly string[] | undefined;
  /** Columns in memory that all threads see. */
  shared: boolean;
}

export interface EncodeSessionsTask {
  task: 'encodeSessions';
  /** In pieces. */
  rows: readonly Uint8Array<ArrayBuffer>[];
  /** Columns in memory that all threads see. */
  shared: boolean;
}

export interface CountEventsTask {
  task: 'countEvents';
  plan: EventPlan;
  chunks: readonly EventChunk[];
  /** Lists that conditions name by number, each in pieces. */
  sets: readonly (readonly SessionList[])[];
}

export interface ListViewersTask {
  task: 'listViewers';
  plan: RowPlan;
  chunks: readonly EventChunk[];
  sets: readonly (readonly SessionList[])[];
}

export interface CountViewersTask {
  task: 'countViewers';
  viewers: readonly Viewers[];
  visits: VisitMeaning;
}

export interface SumEventsTask {
  task: 'sumEvents';
  plan: SumPlan;
  chunks: readonly EventChunk[];
  sets: readonly (readonly SessionList[])[];
}

/** Counted visits; lists in pieces. */
export type Visits = VisitChoice<readonly SessionList[]>;

export interface CountSessionsTask {
  task: 'countSessions';
  plan: SessionPlan;
  chunks: readonly SessionChunk[];
  choice: Visits;
}

export interface FindSessionsTask {
  task: 'findSessions';
  test: SessionTest;
  chunks: readonly Pick<SessionChunk, 'columns' | 'except'>[];
}

export interface BegunVisitsTask {
  task: 'begunVisits';
  chunks: readonly SessionChunk[];
  choice: Visits;
}

export interface CollectTask {
  task: 'collect';
  plan: CollectPlan;
  chunks: readonly EventChunk[];
  sets: readonly (readonly SessionList[])[];
}

export interface CollectLengthsTask {
  task: 'collectLengths';
  chunks: readonly SessionChunk[];
  choice: Visits;
}

export interface SummarizeTask {
  task: 'summarize';
  plan: SummaryPlan;
  parts: readonly Collected[];
}

export interface SummaryBaseTask {
  task: 'summaryBase';
  plan: SummaryPlan;
  parts: readonly Collected[];
}

export interface SummarizeOntoTask {
  task: 'summarizeOnto';
  plan: SummaryPlan;
  base: SummaryBase;
  parts: readonly Collected[];
  fresh: readonly Collected[];
}

export interface MergeTask {
  task: 'merge';
  plan: MergePlan;
  parts: readonly MergePart[];
}

export interface MergeBaseTask {
  task: 'mergeBase';
  plan: MergePlan;
  parts: readonly MergePart[];
}

export interface MergeOntoTask {
  task: 'mergeOnto';
  plan: MergePlan;
  base: MergeBase;
  parts: readonly MergePart[];
  fresh: readonly MergePart[];
}

export interface ShareTask {
  task: 'share' | 'shareWithAll';
  plan: MergePlan;
  parts: readonly MergePart[];
  others: readonly MergePart[];
}

export type Task =
  | EncodeEventsTask
  | EncodeSessionsTask
  | CountEventsTask
  | SumEventsTask
  | ListViewersTask
  | CountViewersTask
  | CountSessionsTask
  | FindSessionsTask
  | BegunVisitsTask
  | CollectTask
  | CollectLengthsTask
  | SummarizeTask
  | SummaryBaseTask
  | SummarizeOntoTask
  | MergeTask
  | MergeBaseTask
  | MergeOntoTask
  | ShareTask
  | FollowTask;

/** Result type of a task. */
export type ResultOf<T extends Task> = T extends FollowTask
  ? FollowResultOf<T>
  : T extends EncodeEventsTask | EncodeSessionsTask
    ? EncodedChunk[]
    : T extends CountEventsTask
      ? EventCount[]
      : T extends ListViewersTask
        ? Viewers[]
        : T extends CountSessionsTask | CountViewersTask
          ? TallyBytes[]
          : T extends SumEventsTask
            ? SumPart[]
            : T extends FindSessionsTask
              ? SessionList[]
              : T extends BegunVisitsTask
                ? BegunVisits[]
                : T extends ShareTask
                  ? Shared
                  : T extends CollectTask | CollectLengthsTask
                    ? Collected[]
                    : T extends SummarizeTask | SummarizeOntoTask
                      ? Summaries
                      : T extends SummaryBaseTask
                        ? SummaryBase
                        : T extends MergeBaseTask
                          ? MergeBase
                          : Merged;

export function perform(task: Task): ResultOf<Task> {
  if (isFollowTask(task)) return follow(task);
  switch (task.task) {
    case 'encodeEvents':
      return placed(encodeStep(task), task.shared);
    case 'encodeSessions': {
      const chunk = encodeSessions(Buffer.concat(task.rows));
      return placed(chunk === null ? [] : [chunk], task.shared);
    }
    case 'countEvents': {
      const sets = task.sets.map((lists) => new SessionSet(lists));
      const memory = new Slabs();
      return eachChunk(task.chunks, (chunk) => countEvents(task.plan, chunk, sets, memory));
    }
    case 'listViewers': {
      const sets = task.sets.map((lists) => new SessionSet(lists));
      return eachChunk(task.chunks, (chunk) => listViewers(task.plan, chunk, sets));
    }
    case 'countViewers': {
      const values = new VisitValues(task.visits);
      const memory = new Slabs();
      return eachChunk(task.viewers, (viewers) => countViewers(viewers, values, memory));
    }
    case 'sumEvents': {
      const sets = task.sets.map((lists) => new SessionSet(lists));
      return eachChunk(task.chunks, (chunk) => sumEvents(task.plan, chunk, sets));
    }
    case 'countSessions': {
      const choice = asSets(task.choice);
      const memory = new Slabs();
      return eachChunk(task.chunks, (chunk) => countSessions(task.plan, chunk, choice, memory));
    }
    case 'findSessions':
      return eachChunk(task.chunks, (chunk) => findSessions(task.test, chunk));
    case 'begunVisits': {
      const choice = asSets(task.choice);
      return eachChunk(task.chunks, (chunk) => begunVisits(chunk, choice));
    }
    case 'collect': {
      const sets = task.sets.map((lists) => new SessionSet(lists));
      const memory = new Slabs();
      return eachChunk(task.chunks, (chunk) => collect(task.plan, chunk, sets, memory));
    }
    case 'collectLengths': {
      const choice = asSets(task.choice);
      const memory = new Slabs();
      return eachChunk(task.chunks, (chunk) => collectLengths(chunk, choice, memory));
    }
    case 'summarize':
      return summarize(task.plan, task.parts);
    case 'summaryBase':
      return summaryBase(task.plan, task.parts);
    case 'summarizeOnto':
      return summarizeOnto(task.plan, task.base, task.parts, task.fresh);
    case 'merge':
      return merge(task.plan, task.parts);
    case 'mergeBase':
      return mergeBase(task.plan, task.parts);
    case 'mergeOnto':
      return mergeOnto(task.plan, task.base, task.parts, task.fresh);
    case 'share':
      return share(task.plan, task.parts, task.others);
    case 'shareWithAll':
      return shareWithAll(task.plan, task.parts, task.others);
  }
}

/** Encoders in progress by number. */
const encoders = new Map<number, EventEncoder>();

function encodeStep({ encoding, step, rows, only }: EncodeEventsTask): EncodedChunk[] {
  const encoder = encoders.get(encoding) ?? new EventEncoder(only);
  encoders.delete(encoding);
  if (step === 'cancel') return [];
  encoder.add(Buffer.concat(rows));
  if (step === 'last') return encoder.finish();
  encoders.set(encoding, encoder);
  return [];
}

function asSets({ only, without, isMixed }: Visits): VisitChoice<SessionSet> {
  const setOf = (lists: readonly SessionList[] | null) => lists && new SessionSet(lists);
  return { only: setOf(only), without: setOf(without), isMixed };
}

function placed(chunks: EncodedChunk[], shared: boolean): EncodedChunk[] {
  if (!shared) return chunks;
  for (const { columns } of chunks) for (const [name, bytes] of columns) columns.set(name, sharedCopy(bytes));
  return chunks;
}

/** The same bytes in memory that all threads see. */
export function sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/** Memory of an encoding, or of what it gave, that may move to the other thread instead of being copied. */
export function movable(message: Task | ResultOf<Task>): ArrayBuffer[] {
  if ('task' in message) return 'rows' in message ? message.rows.map(({ buffer }) => buffer) : [];
  if (!Array.isArray(message)) return [];
  return message.flatMap((item) =>
    'columns' in item ? [...item.columns.values()].flatMap((bytes: ColumnBytes) => asMovable(bytes)) : [],
  );
}

function asMovable({ buffer }: ColumnBytes): ArrayBuffer[] {
  return buffer instanceof SharedArrayBuffer ? [] : [buffer];
}
