/**
 * Live: who is here now, and events as they arrive. One LISTEN per process, at most one read per project and half second
 * however many watch, and nothing at all is read for projects that nobody watches. Also tells other rooms when a
 * project's events changed.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectId } from '#src/projects/contract.ts';
import { openDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { query } from '#src/store/sql.ts';
import { eventsChannel, readNotice } from './append.ts';
import type { LiveFilter, LivePresence, LiveSnapshot, LiveSummary, LiveUpdate } from './contract.ts';
import { type Notices, startListener } from './listener.ts';
import { createFeed, type Feed, type Watched } from './live-feed.ts';
import {
  earlierMinutes,
  firstOfSummary,
  minuteMs,
  minutesNow,
  minutesShown,
  type PeopleOfMinute,
  type SummaryRow,
  summary as summaryOf,
} from './live-queries.ts';

/** A feed that nobody watches is kept this long, for the page that is about to subscribe. */
const feedKeptMs = 60_000;
/** A summary may take this share of the time at most, ... */
const summaryShare = 0.03;
/** ... and reading minutes that are over, of which only what comes late changes, this one, ... */
const earlierShare = 0.01;
const summaryKeptMs = 1_000;
/** ... but each is read again after so long, also when the database once hung. */
const longestKeptMs = 120_000;
/** Who would rather see what was a moment ago waits so long for what is now, ... */
const waitMs = 50;
/** ... unless that moment is as long ago as this. */
const summaryShownMs = 60_000;

export interface Live {
  /** Who is here now. Up to a second old; where counting takes longer than 50 ms, up to a minute. */
  now(projectId: ProjectId): Promise<LiveSummary>;
  /** The newest rows, and from where to go on. */
  snapshot(projectId: ProjectId, filter?: LiveFilter): Promise<LiveSnapshot>;
  /**
   * What comes after the last id (without one: after now), within two seconds of its commit. Nothing twice while one process
   * serves; after a change of process rows may come again: know them by `(ts, uuid)`. Ends when the signal fires or on stop.
   */
  stream(projectId: ProjectId, watched: Watched, signal: AbortSignal): AsyncGenerator<LiveUpdate, void>;
  /** Differs after every commit of the project's events; null while that cannot be known. */
  version(projectId: number): number | null;
  /** Ends all streams and the LISTEN. */
  stop(): Promise<void>;
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

/** @param notices the process's LISTEN; without it one of its own is made */
export function createLive(
  { config, db, clock, log }: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  notices?: Notices,
): Live {
  const feeds = new Map<number, { feed: Feed; usedAt: number }>();
  const summaries = new Map<number, KeptSummary>();
  const commits = new Map<number, number>();
  /** Counts connections, so that what was missed between two of them counts as a change. */
  let connections = 0;
  let listening = false;
  let stopped = false;

  const own = notices ? null : startListener({ open: () => openDirect(config), channels: [eventsChannel], log });
  const leave = ((notices ?? own) as Notices).subscribe(eventsChannel, {
    onMessage(payload) {
      for (const { projectId, receivedAt } of readNotice(payload)) {
        commits.set(projectId, (commits.get(projectId) ?? 0) + 1);
        feeds.get(projectId)?.feed.news(receivedAt);
      }
    },
    onChange(isListening) {
      listening = isListening;
      if (isListening) connections += 1;
      for (const { feed } of feeds.values()) feed.news();
    },
  });

  const sweeper = setInterval(() => {
    const now = clock.elapsed();
    for (const [projectId, kept] of feeds) {
      if (kept.feed.viewers > 0) kept.usedAt = now;
      if (now - kept.usedAt < feedKeptMs) continue;
      kept.feed.close();
      feeds.delete(projectId);
    }
    for (const [projectId, { running, startedAt }] of summaries) {
      if (!running && now - startedAt >= longestKeptMs) summaries.delete(projectId);
    }
  }, feedKeptMs);
  sweeper.unref();

  function feedOf(projectId: number): Feed {
    const found = feeds.get(projectId);
    if (found !== undefined) {
      found.usedAt = clock.elapsed();
      return found.feed;
    }
    const feed = createFeed({ projectId, db, clock, log, summarize: () => summarize(projectId).promise });
    feeds.set(projectId, { feed, usedAt: clock.elapsed() });
    return feed;
  }

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

  /** For who would rather see what was a moment ago than wait. */
  async function latest(projectId: number): Promise<LivePresence> {
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
    const { minutes, earlier } = kept;
    const at = clock.now();
    const since = firstOfSummary(at);
    const first = since - (minutesShown - 1 - minutesNow) * minuteMs;
    for (const minute of minutes.keys()) if (minute < first) minutes.delete(minute);
    await readEarlier(projectId, minutes, earlier, first, since);
    const askedAt = clock.elapsed();
    const [row] = await query<SummaryRow>(db, summaryOf(projectId, at));
    kept.tookMs = clock.elapsed() - askedAt;
    put(minutes, since, minutesNow, row?.minutes ?? []);
    const running = row?.minutes.find(({ minute }) => minute === minutesNow)?.people ?? 0;
    return {
      peopleNow: row?.peopleNow ?? 0,
      eventsPerMinute: row?.eventsPerMinute ?? 0,
      delayMs: row?.delayMs ?? null,
      minutes: [...allMinutes(first, minutesShown - 1).map((minute) => minutes.get(minute) ?? 0), running],
      pages: row?.pages ?? [],
      sources: row?.sources ?? [],
      at,
    };
  }

  /** When it is time, or when one of them has not been read yet. */
  async function readEarlier(
    projectId: number,
    minutes: Map<number, number>,
    earlier: KeptSummary['earlier'],
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

  function put(minutes: Map<number, number>, from: number, count: number, rows: PeopleOfMinute[]): void {
    for (const minute of allMinutes(from, count)) minutes.set(minute, 0);
    for (const { minute, people } of rows) if (minute < count) minutes.set(from + minute * minuteMs, people);
  }

  return {
    async now(projectId) {
      // Every screen's frame shows it: where people are is not for all to carry.
      const { pages: _, sources: __, ...summary } = await latest(projectId);
      return summary;
    },
    snapshot: (projectId, filter) => feedOf(projectId).snapshot(filter),
    stream: (projectId, watched, signal) => (stopped ? nothing() : feedOf(projectId).stream(watched, signal)),
    version: (projectId) => (listening ? connections * 2 ** 32 + (commits.get(projectId) ?? 0) : null),
    async stop() {
      stopped = true;
      clearInterval(sweeper);
      for (const { feed } of feeds.values()) feed.close();
      leave();
      await own?.stop();
    },
  };
}

function keptFor(tookMs: number, share: number): number {
  return Math.min(longestKeptMs, Math.max(summaryKeptMs, tookMs / share));
}

function allMinutes(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => from + place * minuteMs);
}

async function* nothing(): AsyncGenerator<LiveUpdate, void> {}
