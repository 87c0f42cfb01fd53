/**
 * The live stream of one project in this process: reads what is new once for all who watch, and hands it to each at the
 * pace they take it. Rows are read in the order of receipt with an overlap, since a row may be committed after one that
 * was received later; what was already shown is known by its address.
 */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '#src/kit/clock.ts';
import type { Log } from '#src/kit/log.ts';
import { query } from '#src/store/sql.ts';
import type { LiveFilter, LivePresence, LiveRow, LiveSnapshot, LiveUpdate, PassedOver } from './contract.ts';
import { liveTest } from './live-filter.ts';
import { type EventAddress, type LiveSource, newest, receivedSince, rowsAt } from './live-queries.ts';
import { liveRowOf } from './live-words.ts';

/** At most one read in this time, whatever arrives. */
const readEveryMs = 500;
/** Without news: how often to look all the same, so that the summary moves on and a missed message is made good. */
const idleReadMs = 5_000;
/** A summary is shared for a second: whoever was told an old one with new rows is told the new one then. */
const behindReadMs = 1_000;
/** A row is committed at most this long after its receipt, or comes out of the spool: then the notice of it says since when. */
const overlapMs = 30_000;
/** How far back to look for rows to begin with, before turning to event times. */
const beginsMs = 30 * 60_000;
/** Imported events are no news, but among the first rows they may be as old as this. */
const importsShownMs = 24 * 3_600_000;
const rowsShown = 100;
/** What a viewer may lag behind. More than this nobody could read: the oldest are passed over, and the viewer is told. */
const rowsKept = 1_000;
/** Rows in one message to a viewer; the next follows at once. */
const rowsPerUpdate = 500;
const addressesPerRead = 5_000;
const NONE: PassedOver = { rows: 0, more: false };

export interface FeedOptions {
  projectId: number;
  db: Knex;
  clock: Clock;
  log: Log;
  summarize(): Promise<LivePresence>;
}

/** What a viewer watches: from where on, and which events. */
export interface Watched {
  lastEventId?: string | undefined;
  filter?: LiveFilter | undefined;
}

export interface Feed {
  /** Someone said that there is news; with the earliest receipt of it, where that is long ago. */
  news(receivedAt?: number | null): void;
  /** With a filter: what fits of the newest rows that are kept. */
  snapshot(filter?: LiveFilter): Promise<LiveSnapshot>;
  /** Everything after the last id, then what comes, until the signal fires or the feed is closed. */
  stream(watched: Watched, signal: AbortSignal): AsyncGenerator<LiveUpdate, void>;
  readonly viewers: number;
  close(): void;
}

export function createFeed({ projectId, db, clock, log, summarize }: FeedOptions): Feed {
  const id = randomBytes(6).toString('base64url');
  /** Rows in the order they were found; the first has the number `firstKept`. */
  let kept: LiveRow[] = [];
  let firstKept = 0;
  /** Before this number there were rows that have none: they were not even counted. */
  let uncountedBefore = 0;
  let begun = false;
  let newestReceived = 0;
  /** Addresses that the last read found: the next one finds some of them again. */
  let shown = new Set<string>();
  /** The same of rows that were stored long after their receipt: the latest of them. */
  let shownLate = new Set<string>();
  /** Rows may have been stored that were received since then. */
  let lateSince = Number.POSITIVE_INFINITY;
  const waiting = new Set<() => void>();
  let viewers = 0;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;
  let hasNews = false;
  let lastReadAt = Number.NEGATIVE_INFINITY;
  let summary: LivePresence | null = null;
  /** Of equal summaries, those that differ in the time alone, whoever watches is told the first. */
  let told: LivePresence | null = null;
  /** The summary was made before the last rows were found. */
  let isBehind = false;

  const end = (): number => firstKept + kept.length;
  const cursorAt = (position: number): string => `${id}.${position}.${newestReceived}`;

  async function read(): Promise<void> {
    lastReadAt = clock.elapsed();
    const { rows, passed } = begun ? await readNew() : { rows: await readFirst(), passed: NONE };
    begun = true;
    if (passed.rows > 0) {
      firstKept = end() + passed.rows;
      kept = rows;
    } else if (rows.length > 0) {
      kept.push(...rows);
      const surplus = Math.max(0, kept.length - rowsKept);
      kept = kept.slice(surplus);
      firstKept += surplus;
    }
    if (passed.more) uncountedBefore = firstKept;
    const foundAt = clock.now();
    if (viewers > 0 || summary === null) summary = await summarize();
    isBehind = summary !== null && rows.length > 0 && summary.at < foundAt;
    const isTold = summary === told || isSame(summary, told);
    if (!isTold) told = summary;
    if (isTold && rows.length === 0 && passed.rows === 0) return;
    for (const wake of waiting) wake();
  }

  async function readFirst(): Promise<LiveRow[]> {
    const now = clock.now();
    newestReceived = now;
    lateSince = Number.POSITIVE_INFINITY;
    const [overlap, recent, byTime] = await Promise.all([
      query<EventAddress>(db, receivedSince(projectId, now - overlapMs, addressesPerRead)),
      query<EventAddress>(db, receivedSince(projectId, now - beginsMs, rowsShown)),
      query<EventAddress>(db, newest(projectId, now - importsShownMs, rowsShown)),
    ]);
    const all = new Map([...overlap, ...recent, ...byTime].map((address) => [keyOf(address), address]));
    const rows = await rowsOf([...all.values()].sort(byReceipt).slice(-rowsShown));
    remember(overlap);
    return rows;
  }

  async function readNew(): Promise<{ rows: LiveRow[]; passed: PassedOver }> {
    const since = Math.min(newestReceived, clock.now()) - overlapMs;
    const from = lateSince;
    lateSince = Number.POSITIVE_INFINITY;
    const [received, late] = await Promise.all([
      query<EventAddress>(db, receivedSince(projectId, since, addressesPerRead)),
      from < since ? query<EventAddress>(db, receivedSince(projectId, from, addressesPerRead, since)) : [],
    ]).catch((error: unknown) => {
      lateSince = Math.min(lateSince, from);
      throw error;
    });
    // What was shown at its time is among those received so long ago, too.
    const old = late.length > 0 ? new Set([...shownLate, ...kept.map(keyOf)]) : shownLate;
    const isNew = (address: EventAddress) => !shown.has(keyOf(address)) && !old.has(keyOf(address));
    const found = [...late, ...received].filter(isNew).sort(byReceipt);
    const passed = {
      rows: Math.max(0, found.length - rowsKept),
      more: [late, received].some((each) => each.length === addressesPerRead && isNew(each.at(-1) as EventAddress)),
    };
    const rows = await rowsOf(found.slice(-rowsKept));
    remember(received);
    if (late.length > 0) shownLate = new Set([...shownLate, ...late.map(keyOf)].slice(-2 * addressesPerRead));
    return { rows, passed };
  }

  function remember(received: EventAddress[]): void {
    for (const { receivedAt } of received) newestReceived = Math.max(newestReceived, receivedAt);
    shown = new Set(received.map(keyOf));
  }

  async function rowsOf(addresses: EventAddress[]): Promise<LiveRow[]> {
    if (addresses.length === 0) return [];
    const sources = await query<LiveSource>(db, rowsAt(projectId, addresses));
    return sources.map(liveRowOf).sort(byReceipt);
  }

  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  /** A read that begins after this call: one at a time, and at most one waits. */
  function refresh(): Promise<void> {
    if (reading === null) {
      reading = read().finally(() => {
        reading = null;
      });
      return reading;
    }
    next ??= reading
      .catch(() => undefined) // its own callers were told
      .then(() => {
        next = null;
        return refresh();
      });
    return next;
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
        refresh()
          .catch((error: unknown) => log.warn({ err: error, projectId }, 'failed to read new events for Live'))
          .finally(schedule);
      },
      Math.max(0, dueAt - clock.elapsed()),
    );
  }

  /** Where a reader begins who was at `cursor`; the rows are what it has not seen of those before. */
  async function resume(
    cursor: string | undefined,
  ): Promise<{ rows: LiveRow[]; passed: PassedOver; position: number }> {
    const [feed, position, received] = (cursor ?? '').split('.');
    // Clients send it back: of anything but a whole number, the stream would never come to the end.
    if (feed === id && Number.isInteger(Number(position)) && Number(position) <= end()) {
      return { rows: [], passed: NONE, position: Math.max(0, Number(position)) };
    }
    // Another process, or this one before a pause: by receipt, with the overlap. Some rows may come again.
    const seenUntil = Number(received ?? Number.NaN);
    const rows = kept.filter((row) => row.receivedAt > seenUntil - overlapMs);
    const at = end();
    return { rows, passed: await passedSince(seenUntil, rows[0]?.receivedAt ?? Number.NaN), position: at };
  }

  /** Rows received between what a viewer saw elsewhere and the first that it gets here. */
  async function passedSince(seenUntil: number, first: number): Promise<PassedOver> {
    if (!(first > seenUntil)) return NONE;
    const earliest = clock.now() - beginsMs;
    const since = Math.max(seenUntil + 1, earliest);
    const between = await query<EventAddress>(db, receivedSince(projectId, since, addressesPerRead, first));
    return { rows: between.length, more: seenUntil < earliest || between.length === addressesPerRead };
  }

  function until(signal: AbortSignal): Promise<void> {
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

  return {
    news(receivedAt = null) {
      if (begun && receivedAt !== null) lateSince = Math.min(lateSince, receivedAt);
      hasNews = true;
      if (reading === null) schedule();
    },

    async snapshot(filter) {
      await refresh();
      summary = await summarize();
      return { summary, rows: kept.filter(liveTest(filter)).slice(-rowsShown).reverse(), cursor: cursorAt(end()) };
    },

    async *stream({ lastEventId, filter }, signal) {
      const isWanted = liveTest(filter);
      viewers += 1;
      try {
        await refresh();
        if (timer === null) schedule();
        let { rows, passed, position } = await resume(lastEventId);
        rows = rows.filter(isWanted);
        let knows: LivePresence | null = null;
        while (!signal.aborted && !closed) {
          const from = Math.max(position, firstKept);
          passed = { rows: passed.rows + from - position, more: passed.more || position < uncountedBefore };
          const next = kept.slice(from - firstKept, from - firstKept + rowsPerUpdate);
          rows = [...rows, ...next.filter(isWanted)];
          position = from + next.length;
          if (summary !== null && (rows.length > 0 || told !== knows)) {
            knows = told;
            // Nobody looked whether those were wanted.
            const passedOver = filter === undefined ? passed : { rows: 0, more: passed.more || passed.rows > 0 };
            const update = { summary, rows, passedOver, cursor: cursorAt(position) };
            rows = [];
            passed = NONE;
            yield update;
          } else if (position === end()) {
            await until(signal);
          }
        }
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

function keyOf({ ts, uuid }: Pick<EventAddress, 'ts' | 'uuid'>): string {
  return `${ts} ${uuid}`;
}

function byReceipt(one: { receivedAt: number; ts: number; uuid: string }, other: typeof one): number {
  return one.receivedAt - other.receivedAt || one.ts - other.ts || (one.uuid < other.uuid ? -1 : 1);
}

/** Equal but for the time at which it was made. */
function isSame(made: LivePresence | null, told: LivePresence | null): boolean {
  if (made === null || told === null) return false;
  const { at: _, ...one } = made;
  const { at: __, ...other } = told;
  return JSON.stringify(one) === JSON.stringify(other);
}
