/** What happens in the sample shop while Luneta runs: visitors come and go, about as often as in the story. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hourMs, minuteMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import { withFailures } from './failures.ts';
import { createRandom } from './random.ts';
import { send } from './send.ts';
import { shopOffsetMs } from './shop.ts';
import { sources } from './sources.ts';
import { visitsInHour } from './story.ts';
import { createVisitors } from './visitors.ts';
import { makeVisit } from './visits.ts';
import { browserEvents, groupEvents, type SentEvent } from './wire.ts';

const TICK_MS = 4_000;
/** Visits under way when it begins. */
const AT_FIRST = 3;
/** At night, too, someone looks in so often. */
const MAX_PAUSE_MS = 4 * minuteMs;

export interface NowOptions {
  /** Origin of the collector. */
  baseUrl: string;
  deps: Pick<Deps, 'clock' | 'log' | 'fetch'>;
  /** Of the sample project. */
  token: string;
  /** Ends it. */
  signal: AbortSignal;
  /** Between two looks at what is due, ms; absent: 4,000. */
  tickMs?: number;
}

/**
 * Sends each event when its time comes, until the signal ends it.
 *
 * @throws AppError `unavailable` when the collector does not take them, as after the project was deleted
 */
export async function keepVisiting({ baseUrl, deps, token, signal, tickMs = TICK_MS }: NowOptions): Promise<void> {
  const { clock } = deps;
  const random = createRandom(clock.now() % 2 ** 31);
  const visitors = createVisitors(random);
  /** Events of visits under way, by time. */
  let coming: SentEvent[] = [];
  let nextAt = 0;

  function begin(at: number): void {
    const visit = makeVisit(at, visitors.arrive(at), random.weighted(sources), random, visitors);
    visit.actions = withFailures(visit, at);
    const day = { visits: [visit], botViews: [] };
    coming = [...coming, ...browserEvents(day, token), ...groupEvents(day, token)];
    coming.sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1));
    nextAt = at + random.next() * 2 * Math.min(MAX_PAUSE_MS, hourMs / visitsInHour(hourOf(at)));
  }

  for (let visit = 0; visit < AT_FIRST; visit++) begin(clock.now() - random.int(0, TICK_MS));
  while (!signal.aborted) {
    const now = clock.now();
    if (now >= nextAt) begin(now);
    const due = coming.filter(({ timestamp }) => Date.parse(timestamp) <= now);
    coming = coming.slice(due.length);
    if (due.length > 0) {
      const json = JSON.stringify({ api_key: token, batch: due, sent_at: new Date(now).toISOString() });
      const headers = { 'content-type': 'text/plain' };
      await send(baseUrl, { path: '/ingest/batch/', headers, json, events: due.length }, deps, signal);
    }
    await sleep(tickMs, null, { signal });
  }
}

/** Local hour of the shop. */
function hourOf(at: number): number {
  return Math.floor((at + shopOffsetMs) / hourMs) % 24;
}
