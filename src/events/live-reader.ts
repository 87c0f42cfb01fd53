/**
 * Finds what is new among the events of one project. Rows are read in the order of receipt with an overlap, since a row may be committed
 * after one that was received later; what was already shown is known by its address.
 */
import type { Knex } from 'knex';
import type { Clock } from '#src/kit/clock.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import { query } from '#src/store/sql.ts';
import type { LiveRow, PassedOver } from './contract.ts';
import { NONE, type ReadResult } from './live-buffer.ts';
import { type EventAddress, type LiveSource, newest, receivedSince, rowsAt } from './live-queries.ts';
import { liveRowOf } from './live-words.ts';

/** Maximum time from receipt to commit, ms. Replayed rows take longer: their notification has the receipt time. */
export const overlapMs = 30_000;
/** How far back to look for rows to begin with, before turning to event times. */
const beginsMs = 30 * 60_000;
/** Imported events are no news, but among the first rows they may be as old as this. */
const importsShownMs = 24 * 3_600_000;
/** Rows to begin with. */
export const rowsShown = 100;
/** Rows that one read gives at most. */
const rowsFound = 1_000;
const addressesPerRead = 5_000;

/** The rows of a project. */
export interface LiveRows {
  /** Addresses by receipt in `[since, before)`, the newest first, without imports. */
  receivedSince(since: number, limit: number, before?: number): Promise<EventAddress[]>;
  /** Addresses by event time, the newest first; imports since `importedSince` alone. */
  newest(importedSince: number, limit: number): Promise<EventAddress[]>;
  /** The rows at these addresses, in no order. */
  at(addresses: EventAddress[]): Promise<LiveRow[]>;
}

export interface LiveReader {
  /** The initial rows. Each later `next` returns newer ones. */
  first(): Promise<ReadResult>;
  /** Rows stored since the last read. @param kept rows in the buffer, regardless of receipt */
  next(kept: readonly LiveRow[]): Promise<ReadResult>;
  /** Rows may have been stored that were received since then, long ago. */
  expectSince(receivedAt: number): void;
  /** The latest receipt that was read, ms since 1970. */
  newestReceived(): number;
  /** The same rows, as they are read now. */
  again(rows: readonly LiveRow[]): Promise<LiveRow[]>;
  /** Counts rows received between what a viewer saw elsewhere and the first that it gets here. */
  passedSince(seenUntil: number, first: number): Promise<PassedOver>;
}

export function createLiveReader(source: LiveRows, clock: Pick<Clock, 'now'>): LiveReader {
  let newestReceived = 0;
  /** Addresses that the last read found: the next one finds some of them again. */
  let shown = new Set<string>();
  /** The same of rows that were stored long after their receipt: the latest of them. */
  let shownLate = new Set<string>();
  /** Rows may have been stored that were received since then. */
  let lateSince = Number.POSITIVE_INFINITY;

  function remember(received: EventAddress[]): void {
    for (const { receivedAt } of received) newestReceived = Math.max(newestReceived, receivedAt);
    shown = new Set(received.map(keyOf));
  }

  async function rowsOf(addresses: EventAddress[]): Promise<LiveRow[]> {
    if (addresses.length === 0) return [];
    return (await source.at(addresses)).sort(byReceipt);
  }

  return {
    async first() {
      const now = clock.now();
      newestReceived = now;
      lateSince = Number.POSITIVE_INFINITY;
      const [overlap, recent, byTime] = await Promise.all([
        source.receivedSince(now - overlapMs, addressesPerRead),
        source.receivedSince(now - beginsMs, rowsShown),
        source.newest(now - importsShownMs, rowsShown),
      ]);
      const all = new Map([...overlap, ...recent, ...byTime].map((address) => [keyOf(address), address]));
      const rows = await rowsOf([...all.values()].sort(byReceipt).slice(-rowsShown));
      remember(overlap);
      return { rows, passed: NONE };
    },

    async next(kept) {
      const since = Math.min(newestReceived, clock.now()) - overlapMs;
      const from = lateSince;
      lateSince = Number.POSITIVE_INFINITY;
      const [received, late] = await Promise.all([
        source.receivedSince(since, addressesPerRead),
        from < since ? source.receivedSince(from, addressesPerRead, since) : [],
      ]).catch((error: unknown) => {
        lateSince = Math.min(lateSince, from);
        throw error;
      });
      // Late rows include ones that were already shown.
      const old = late.length > 0 ? new Set([...shownLate, ...kept.map(keyOf)]) : shownLate;
      const isNew = (address: EventAddress) => !shown.has(keyOf(address)) && !old.has(keyOf(address));
      const found = [...late, ...received].filter(isNew).sort(byReceipt);
      const passed = {
        rows: Math.max(0, found.length - rowsFound),
        more: [late, received].some((each) => each.length === addressesPerRead && isNew(each.at(-1) as EventAddress)),
      };
      const rows = await rowsOf(found.slice(-rowsFound));
      remember(received);
      if (late.length > 0) shownLate = new Set([...shownLate, ...late.map(keyOf)].slice(-2 * addressesPerRead));
      return { rows, passed };
    },

    again: (rows) => rowsOf([...rows]),

    expectSince(receivedAt) {
      lateSince = Math.min(lateSince, receivedAt);
    },

    newestReceived: () => newestReceived,

    async passedSince(seenUntil, first) {
      if (!(first > seenUntil)) return NONE;
      const earliest = clock.now() - beginsMs;
      const since = Math.max(seenUntil + 1, earliest);
      const between = await source.receivedSince(since, addressesPerRead, first);
      return { rows: between.length, more: seenUntil < earliest || between.length === addressesPerRead };
    },
  };
}

/** The rows of a project in the database. @param readerNow how the project reads values */
export function liveRows(db: Knex, projectId: number, readerNow: () => Reader): LiveRows {
  return {
    receivedSince: (since, limit, before) =>
      query<EventAddress>(db, receivedSince(projectId, since, limit, before ?? null)),
    newest: (importedSince, limit) => query<EventAddress>(db, newest(projectId, importedSince, limit)),
    at: async (addresses) => {
      const rows = await query<LiveSource>(db, rowsAt(projectId, addresses));
      return rows.map((row) => liveRowOf(readerNow(), row));
    },
  };
}

function keyOf({ ts, uuid }: Pick<EventAddress, 'ts' | 'uuid'>): string {
  return `${ts} ${uuid}`;
}

function byReceipt(one: { receivedAt: number; ts: number; uuid: string }, other: typeof one): number {
  return one.receivedAt - other.receivedAt || one.ts - other.ts || (one.uuid < other.uuid ? -1 : 1);
}
