/**
 * Live: current visitors, and the stream of events. One LISTEN per process, at most one read per project and half second
 * for all viewers, and no reads for projects without viewers. Also notifies other rooms of new
 * events in a project.
 */

import type { ProjectId } from '#src/projects/contract.ts';
import type { Projects } from '#src/projects/projects.ts';
import { openDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { eventsChannel, readNotice } from './append.ts';
import type { LiveFilter, LiveSnapshot, LiveSummary, LiveUpdate } from './contract.ts';
import { type Notices, startListener } from './listener.ts';
import { createFeed, type Feed, type Watched } from './live-feed.ts';
import { createPresence } from './live-presence.ts';

/** Lifetime of a feed without viewers, ms, for the page that is about to subscribe. */
const feedKeptMs = 60_000;

export interface Live {
  /** Current visitors. Up to a second old; up to a minute when counting takes longer than 50 ms. */
  now(projectId: ProjectId): Promise<LiveSummary>;
  /** The newest rows, and from where to go on. */
  snapshot(projectId: ProjectId, filter?: LiveFilter): Promise<LiveSnapshot>;
  /**
   * Events after the last id (without one: after now), within two seconds of their commit. No duplicates while connected to one process;
   * after a reconnect to another, rows may repeat: identify them by `(ts, uuid)`. Ends when the signal aborts or on stop.
   */
  stream(projectId: ProjectId, watched: Watched, signal: AbortSignal): AsyncGenerator<LiveUpdate, void>;
  /** Differs after every commit of the project's events; null while that cannot be known. */
  version(projectId: number): number | null;
  /** Ends all streams, and stops the LISTEN. */
  stop(): Promise<void>;
}

export interface LiveParts {
  projects: Pick<Projects, 'readerOf'>;
  /** The process's listener; without it one is created. */
  notices?: Notices;
}

export function createLive(
  { config, db, clock, log }: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  { projects, notices }: LiveParts,
): Live {
  const readerOf = (projectId: number) => projects.readerOf(projectId);
  const feeds = new Map<number, { feed: Feed; usedAt: number }>();
  const presence = createPresence({ db, clock }, readerOf);
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
    presence.sweep();
  }, feedKeptMs);
  sweeper.unref();

  function feedOf(projectId: number): Feed {
    const found = feeds.get(projectId);
    if (found !== undefined) {
      found.usedAt = clock.elapsed();
      return found.feed;
    }
    const feed = createFeed({
      projectId,
      db,
      clock,
      log,
      summarize: () => presence.fresh(projectId),
      readerOf,
    });
    feeds.set(projectId, { feed, usedAt: clock.elapsed() });
    return feed;
  }

  return {
    async now(projectId) {
      // Every screen's frame shows it: where people are is not for all to carry.
      const { pages: _, sources: __, ...summary } = await presence.soon(projectId);
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

async function* nothing(): AsyncGenerator<LiveUpdate, void> {}
