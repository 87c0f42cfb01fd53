/**
 * Current visitors of a project, shared by its screens. The last five minutes are read each time; earlier minutes are cached and refreshed
 * rarely, since only late events and merges change them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pageOf } from '#src/kit/reading/page.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import type { Deps } from '#src/store/deps.ts';
import { query } from '#src/store/sql.ts';
import type { LivePresence, PeopleAt } from './contract.ts';
import {
  earlierMinutes,
  firstOfSummary,
  minuteMs,
  minutesNow,
  minutesShown,
  type PeopleOfMinute,
  type PresentPage,
  placesShown,
  type SummaryRow,
  summary as summaryOf,
} from './live-queries.ts';

/** A summary may take this share of the time at most, ... */
const summaryShare = 0.03;
/** ... and reading minutes that are over, of which only what comes late changes, this one, ... */
const earlierShare = 0.01;
const summaryKeptMs = 1_000;
/** ... but each is read again after so long, also when the database once hung. */
const longestKeptMs = 120_000;
/** Wait for a fresh result before the previous one is returned, ms … */
const waitMs = 50;
/** ... unless that moment is as long ago as this. */
const summaryShownMs = 60_000;

export interface Presence {
  /** Up to a second old; of a project with very much traffic up to two minutes. */
  fresh(projectId: number): Promise<LivePresence>;
  /** A result up to a minute old, when a fresh one takes longer than 50 ms. */
  soon(projectId: number): Promise<LivePresence>;
  /** Evicts unused projects. */
  sweep(): void;
}

interface KeptSummary {
  startedAt: number;
  /** Without minutes before those of a summary. */
  tookMs: number;
  promise: Promise<LivePresence>;
  running: boolean;
  /** The last one that was made. */
  made: LivePresence | null;
  /** People by minute, of every minute that was over when it was read. */
  minutes: Map<number, number>;
  /** The last reading of minutes before those of a summary. */
  earlier: { startedAt: number; tookMs: number };
}

/** @param readerOf how a project reads values */
export function createPresence(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  readerOf: (projectId: number) => Promise<Reader>,
): Presence {
  const summaries = new Map<number, KeptSummary>();

  /** Shared by all who ask; a project with very much traffic is summed up less often. */
  function summarize(projectId: number): KeptSummary {
    const kept = summaries.get(projectId);
    const now = clock.elapsed();
    if (kept && (kept.running || now - kept.startedAt < keptFor(kept.tookMs, summaryShare))) return kept;
    const next: KeptSummary = {
      startedAt: now,
      tookMs: 0,
      running: true,
      made: kept?.made ?? null,
      minutes: kept?.minutes ?? new Map(),
      earlier: kept?.earlier ?? { startedAt: Number.NEGATIVE_INFINITY, tookMs: 0 },
      promise: Promise.resolve().then(ask),
    };
    async function ask(): Promise<LivePresence> {
      try {
        next.made = await askSummary(projectId, next);
        return next.made;
      } catch (error) {
        next.startedAt = Number.NEGATIVE_INFINITY;
        throw error;
      } finally {
        next.running = false;
      }
    }
    summaries.set(projectId, next);
    return next;
  }

  async function soon(projectId: number): Promise<LivePresence> {
    const { made, promise } = summarize(projectId);
    if (made === null || clock.now() - made.at > summaryShownMs) return promise;
    const waited = new AbortController();
    const enough = sleep(waitMs, made, { signal: waited.signal, ref: false });
    enough.catch(() => undefined); // what is now came first
    try {
      return await Promise.race([promise, enough]);
    } finally {
      waited.abort();
    }
  }

  async function askSummary(projectId: number, kept: KeptSummary): Promise<LivePresence> {
    const { minutes } = kept;
    const at = clock.now();
    const since = firstOfSummary(at);
    const first = since - (minutesShown - 1 - minutesNow) * minuteMs;
    for (const minute of minutes.keys()) if (minute < first) minutes.delete(minute);
    await readEarlier(projectId, kept, first, since);
    const reader = await readerOf(projectId);
    const askedAt = clock.elapsed();
    const [row] = await query<SummaryRow>(db, summaryOf(projectId, at, reader));
    kept.tookMs = clock.elapsed() - askedAt;
    put(minutes, since, minutesNow, row?.minutes ?? []);
    const running = row?.minutes.find(({ minute }) => minute === minutesNow)?.people ?? 0;
    return {
      peopleNow: row?.peopleNow ?? 0,
      eventsPerMinute: row?.eventsPerMinute ?? 0,
      delayMs: row?.delayMs ?? null,
      minutes: [...allMinutes(first, minutesShown - 1).map((minute) => minutes.get(minute) ?? 0), running],
      pages: pagesBy(reader, row?.pages ?? []),
      sources: row?.sources ?? [],
      at,
    };
  }

  /** When it is time, or when one of them has not been read yet. */
  async function readEarlier(
    projectId: number,
    { minutes, earlier }: KeptSummary,
    from: number,
    until: number,
  ): Promise<void> {
    const startedAt = clock.elapsed();
    const isWhole = allMinutes(from, (until - from) / minuteMs).every((minute) => minutes.has(minute));
    const isDue = startedAt - earlier.startedAt >= keptFor(earlier.tookMs, earlierShare);
    if (isWhole && !isDue) return;
    const rows = await query<PeopleOfMinute>(db, earlierMinutes(projectId, from, until));
    Object.assign(earlier, { startedAt, tookMs: clock.elapsed() - startedAt });
    put(minutes, from, (until - from) / minuteMs, rows);
  }

  return {
    fresh: (projectId) => summarize(projectId).promise,
    soon,
    sweep() {
      const now = clock.elapsed();
      for (const [projectId, { running, startedAt }] of summaries) {
        if (!running && now - startedAt >= longestKeptMs) summaries.delete(projectId);
      }
    },
  };
}

/** Pages that the project reads as one are one. */
function pagesBy(reader: Reader, sent: readonly PresentPage[]): PeopleAt[] {
  const people = new Map<string, number>();
  for (const page of sent) {
    const value = pageOf(reader, page) ?? '';
    people.set(value, (people.get(value) ?? 0) + page.people);
  }
  return [...people]
    .map(([value, count]) => ({ value, people: count }))
    .sort((one, other) => other.people - one.people || (one.value < other.value ? -1 : 1))
    .slice(0, placesShown);
}

function put(minutes: Map<number, number>, from: number, count: number, rows: PeopleOfMinute[]): void {
  for (const minute of allMinutes(from, count)) minutes.set(minute, 0);
  for (const { minute, people } of rows) if (minute < count) minutes.set(from + minute * minuteMs, people);
}

function keptFor(tookMs: number, share: number): number {
  return Math.min(longestKeptMs, Math.max(summaryKeptMs, tookMs / share));
}

function allMinutes(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => from + place * minuteMs);
}
