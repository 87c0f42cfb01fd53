/**
 * The live stream of one project in this process: reads what is new once for all who watch (`live-reader.ts`), and hands it to each at the
 * pace they take it (`live-buffer.ts`).
 */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '#src/kit/clock.ts';
import type { Log } from '#src/kit/log.ts';
import { plainReader, type Reader } from '#src/kit/reading/reader.ts';
import { createRerun } from '#src/kit/rerun.ts';
import type { LiveFilter, LivePresence, LiveRow, LiveSnapshot, LiveUpdate } from './contract.ts';
import { createLiveBuffer, NONE, type Piece } from './live-buffer.ts';
import { liveTest } from './live-filter.ts';
import { createLiveReader, liveRows, overlapMs, rowsShown } from './live-reader.ts';

/** Minimum interval of reads, ms. */
const readEveryMs = 500;
/** Without news: how often to look all the same, so that the summary moves on and a missed message is made good. */
const idleReadMs = 5_000;
/** A summary is shared for a second: a viewer that got an old one with new rows gets the new one then. */
const behindReadMs = 1_000;

export interface FeedOptions {
  projectId: number;
  db: Knex;
  clock: Clock;
  log: Log;
  summarize(): Promise<LivePresence>;
  /** How the project reads values. */
  readerOf(projectId: number): Promise<Reader>;
}

/** A viewer's subscription: starting position and filter. */
export interface Watched {
  lastEventId?: string | undefined;
  filter?: LiveFilter | undefined;
}

export interface Feed {
  /** Called on a notification; with the earliest receipt when that is long ago. */
  news(receivedAt?: number | null): void;
  /** With a filter: what fits of the newest rows that are kept. */
  snapshot(filter?: LiveFilter): Promise<LiveSnapshot>;
  /** Everything after the last id, then what comes, until the signal fires or the feed is closed. */
  stream(watched: Watched, signal: AbortSignal): AsyncGenerator<LiveUpdate, void>;
  readonly viewers: number;
  close(): void;
}

export function createFeed({ projectId, db, clock, log, summarize, readerOf }: FeedOptions): Feed {
  const id = randomBytes(6).toString('base64url');
  const stored = liveRows(db, projectId, () => reading);
  const reader = createLiveReader(stored, clock);
  const buffer = createLiveBuffer();
  const refresh = createRerun(read);
  const waiting = new Set<() => void>();
  /** How values are read in the rows that are kept. */
  let reading: Reader = plainReader;
  let begun = false;
  let viewers = 0;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;
  let hasNews = false;
  let lastReadAt = Number.NEGATIVE_INFINITY;
  let summary: LivePresence | null = null;
  /** Summaries that differ only in time are shared between viewers. */
  let shared: LivePresence | null = null;
  /** The summary was made before the last rows were found. */
  let isBehind = false;

  const cursorAt = (position: number): string => `${id}.${position}.${reader.newestReceived()}`;

  async function read(): Promise<void> {
    lastReadAt = clock.elapsed();
    await followRules();
    const found = begun ? await reader.next(buffer.rows()) : await reader.first();
    begun = true;
    buffer.add(found);
    const foundAt = clock.now();
    if (viewers > 0 || summary === null) summary = await summarize();
    isBehind = summary !== null && found.rows.length > 0 && summary.at < foundAt;
    const isShared = summary === shared || isSame(summary, shared);
    if (!isShared) shared = summary;
    if (isShared && found.rows.length === 0 && found.passed.rows === 0) return;
    for (const wake of waiting) wake();
  }

  /** Applies changed project rules to the buffer; rows already sent are not sent again. */
  async function followRules(): Promise<void> {
    const now = await readerOf(projectId);
    if (now.key === reading.key) return;
    reading = now;
    buffer.replace(await reader.again(buffer.rows()));
  }

  /** Sets the time of the next read for those who watch: soon when there is news. */
  function schedule(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (viewers === 0 || closed) return;
    const dueAt = lastReadAt + (hasNews ? readEveryMs : isBehind ? behindReadMs : idleReadMs);
    timer = setTimeout(
      () => {
        hasNews = false;
        refresh
          .run()
          .catch((error: unknown) => log.warn({ err: error, projectId }, 'failed to read new events for Live'))
          .finally(schedule);
      },
      Math.max(0, dueAt - clock.elapsed()),
    );
  }

  /** Resumes a viewer at `cursor`, with the buffered rows after it. */
  async function resume(cursor: string | undefined): Promise<Piece> {
    const [feed, position, received] = (cursor ?? '').split('.');
    // Clients send it back: of anything but a whole number, the stream would never come to the end.
    if (feed === id && Number.isInteger(Number(position)) && Number(position) <= buffer.end()) {
      return { rows: [], passed: NONE, position: Math.max(0, Number(position)) };
    }
    // Another process, or this one before a pause: by receipt, with the overlap. Some rows may come again.
    const seenUntil = Number(received ?? Number.NaN);
    const rows = buffer.rows().filter((row) => row.receivedAt > seenUntil - overlapMs);
    const at = buffer.end();
    const passed = await reader.passedSince(seenUntil, rows[0]?.receivedAt ?? Number.NaN);
    return { rows, passed, position: at };
  }

  /** Streams updates after `lastEventId` to one viewer. The caller counts viewers. */
  async function* follow({ lastEventId, filter }: Watched, signal: AbortSignal): AsyncGenerator<LiveUpdate, void> {
    const wantedOf = (found: LiveRow[]): LiveRow[] => found.filter(liveTest(filter, reading));
    let { rows, passed, position } = await resume(lastEventId);
    rows = wantedOf(rows);
    let knows: LivePresence | null = null;
    while (!signal.aborted && !closed) {
      const next = buffer.from(position);
      passed = { rows: passed.rows + next.passed.rows, more: passed.more || next.passed.more };
      rows = [...rows, ...wantedOf(next.rows)];
      position = next.position;
      if (summary !== null && (rows.length > 0 || shared !== knows)) {
        knows = shared;
        // It was not checked whether those were wanted.
        const passedOver = filter === undefined ? passed : { rows: 0, more: passed.more || passed.rows > 0 };
        const update = { summary, rows, passedOver, cursor: cursorAt(position) };
        rows = [];
        passed = NONE;
        yield update;
      } else if (position === buffer.end()) {
        await until(signal, waiting);
      }
    }
  }

  return {
    news(receivedAt = null) {
      if (begun && receivedAt !== null) reader.expectSince(receivedAt);
      hasNews = true;
      if (!refresh.isRunning()) schedule();
    },

    async snapshot(filter) {
      await refresh.run();
      summary = await summarize();
      const rows = buffer.rows().filter(liveTest(filter, reading)).slice(-rowsShown).reverse();
      return { summary, rows, cursor: cursorAt(buffer.end()) };
    },

    async *stream(watched, signal) {
      viewers += 1;
      try {
        await refresh.run();
        if (timer === null) schedule();
        yield* follow(watched, signal);
      } finally {
        viewers -= 1;
        if (viewers === 0) schedule();
      }
    },

    get viewers() {
      return viewers;
    },

    close() {
      closed = true;
      schedule();
      for (const wake of waiting) wake();
    },
  };
}

/** Until it is woken as one of those who wait, or the signal fires. */
function until(signal: AbortSignal, waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      waiting.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    waiting.add(done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Equal but for the time at which it was made. */
function isSame(made: LivePresence | null, shared: LivePresence | null): boolean {
  if (made === null || shared === null) return false;
  const { at: _, ...one } = made;
  const { at: __, ...other } = shared;
  return JSON.stringify(one) === JSON.stringify(other);
}
