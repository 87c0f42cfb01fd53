/** Metrics of the rooms for `/metrics`. Names are a contract with external dashboards: do not rename. */
import type { Parts } from './parts.ts';
import type { ScreensThread } from './screens-thread.ts';
import type { Metric } from './web/metrics.ts';

/** @param screens the thread that draws, where there is one: questions are asked there, too */
export function metricsOf({ collect, rooms }: Parts, screens?: Pick<ScreensThread, 'ask'>): Metric[] {
  const { deps } = rooms;
  const pools: Metric[] = [
    {
      name: 'luneta_write_pool_waiting',
      help: 'Collector requests waiting for a database connection.',
      kind: 'gauge',
      read: () => deps.write.waitingCount,
    },
    {
      name: 'luneta_screen_pool_waiting',
      help: 'Screen queries waiting for a database connection.',
      kind: 'gauge',
      read: async () => (deps.db.client.pool?.numPendingAcquires() ?? 0) + ((await screens?.ask('waiting')) ?? 0),
    },
  ];
  if (collect === null) return pools;
  const stats = () => collect.stats();
  const counter = (name: string, help: string, read: Metric['read'], label?: string): Metric => ({
    name: `luneta_${name}_total`,
    help,
    kind: 'counter',
    read,
    ...(label === undefined ? {} : { label }),
  });
  const gauge = (name: string, help: string, read: Metric['read'], label?: string): Metric => ({
    name: `luneta_${name}`,
    help,
    kind: 'gauge',
    read,
    ...(label === undefined ? {} : { label }),
  });
  return [
    ...pools,
    counter('ingest_requests', 'Requests to /ingest.', () => stats().requests.requests),
    counter('ingest_refused', 'Requests refused, by reason.', () => stats().requests.refused, 'reason'),
    counter(
      'ingest_not_kept',
      'Accepted requests whose content is not stored yet.',
      () => stats().requests.ignored,
      'kind',
    ),
    counter(
      'recordings',
      'Parts of session recordings stored, requests not taken, events not read.',
      () => stats().requests.recordings,
      'outcome',
    ),
    counter('events_received', 'Raw events received for known projects.', () => stats().received),
    counter('events_dropped', 'Events not stored, by reason.', () => stats().dropped, 'reason'),
    counter('events_stored', 'Events committed.', () => stats().writer.stored),
    counter('events_duplicate', 'Duplicate events (already stored).', () => stats().writer.duplicates),
    counter('events_spooled', 'Events written to the spool.', () => stats().spool?.spooled ?? 0),
    counter('events_replayed', 'Events brought from the spool into the database.', () => stats().spool?.replayed ?? 0),
    gauge('ingest_in_flight_requests', 'Requests to /ingest in flight.', () => stats().inFlight.requests),
    gauge('ingest_in_flight_bytes', 'Request body bytes held in memory.', () => stats().inFlight.bytes),
    gauge('storing', '1 while writing to the database, 0 while spooling events.', () =>
      stats().writer.isStoring ? 1 : 0,
    ),
    gauge(
      'commit_latency_ms',
      'Latency from receiving an event to its commit, over the last minute.',
      () => stats().writer.latencyMs,
      'quantile',
    ),
    gauge('spool_events', 'Events in the spool that are not in the database.', () => stats().spool?.events ?? null),
    gauge('spool_bytes', 'Bytes of the spool that are not in the database.', () => stats().spool?.bytes ?? null),
    gauge('spool_oldest_age_seconds', 'Age of the oldest event in the spool.', () => {
      const oldestAt = stats().spool?.oldestAt ?? null;
      return oldestAt === null ? null : (deps.clock.now() - oldestAt) / 1_000;
    }),
  ];
}
