/**
 * The collector: `/ingest` and everything behind it until an event is stored. Owner of `ingestion_minutes`, `ingestion_warnings`,
 * `ingestion_kept`, `cookieless_salts` and `cookieless_sessions`. @see docs/wire.md
 */
import type { Router } from 'express';
import { ingestMode } from '#src/config.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Events } from '#src/events/events.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { hourMs } from '#src/kit/zone.ts';
import type { Processes } from '#src/processes/processes.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { Proxies } from '#src/proxies/proxies.ts';
import type { Deps } from '#src/store/deps.ts';
import { createBodyReader } from './body.ts';
import { loadComponentScript } from './component.ts';
import type { Guarantee, Ingestion, IngestProblem, IngestStatus } from './contract.ts';
import { createCookieless } from './cookieless.ts';
import { MAX_EVENT_LENGTH } from './decode.ts';
import { type EndpointParts, type IngestFront, ingestRoutes } from './endpoint.ts';
import { type EndpointCounts, newEndpointCounts } from './endpoint-counts.ts';
import { createErasedFilter, type ErasedFilter, type ErasureGuard } from './filter-erased.ts';
import { createIngestStatus, createWaiting } from './ingest-status.ts';
import { createIntake } from './intake.ts';
import { createLookups } from './lookups.ts';
import type { NoteSet } from './notes.ts';
import type { RecordingStore } from './recordings/contract.ts';
import { createRecordingReader } from './recordings/reader.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import type { EventResult } from './run-events.ts';
import { createScripts } from './scripts.ts';
import type { Spool, SpoolSink, SpoolStats } from './spool.ts';
import { countOnce, expireWarnings, readMinutes, readProblems } from './warnings.ts';
import { createWriter, type WriterStats, writerLimits } from './writer.ts';

export type { EventResult } from './run-events.ts';
export { readMinutes };

export interface CollectParts {
  projects: Projects;
  events: Pick<Events, 'store' | 'storeHeatmap'>;
  flags: EndpointParts['flags'];
  recordings: RecordingStore;
  processes: Pick<Processes, 'tell' | 'read' | 'soon'>;
  /** Null: there is no disk to write to while the database is away. */
  spool: Spool | null;
  /** False in a worker, which only brings back what waits. */
  takesIn?: boolean;
  /** Batches that are written at a time; each takes a connection, and may need another for what it prepares. */
  lanes?: number;
  /** Mirror: passes a request on as it came, after its events were taken. */
  forward?: EndpointParts['forward'];
  /** Mirror: takes back a request that waited in the spool. */
  forwardKept?: NonNullable<SpoolSink['forward']>;
  /** Learns where visitors come from. */
  proxies?: Pick<Proxies, 'note' | 'location'>;
  /** Filters erased people out of spooled events. */
  guard?: ErasureGuard;
}

export interface Collect {
  /** To mount at `/ingest`, and at any alias of it. */
  routes: Router;
  /** The short way of events to the same answers. */
  front: IngestFront;
  /** Takes raw events of this very process, in the form that posthog-node sends. @throws unavailable */
  capture(events: readonly JsonValue[], project: Project): Promise<EventResult[]>;
  /** The newest drops and warnings of a project since `fromMs`. */
  problems(projectId: ProjectId, fromMs: number): Promise<IngestProblem[]>;
  /** Requests that were refused as a whole, by any process. */
  refusals: Pick<Refusals, 'newest' | 'count'>;
  /** Data of the Ingestion screen. Refused requests belong to no project: included only on request. */
  ingestion(projectId: ProjectId, options?: { withRefused: boolean }): Promise<Ingestion>;
  /** How it goes at this moment, over all processes. @throws while the database is away */
  current(): Promise<IngestStatus>;
  /** Accepted events of all projects and processes that are not in the database yet; a cached count. @throws while the database is away */
  waiting(): Promise<number>;
  /** Counters of this process, for /metrics. */
  stats(): CollectStats;
  /** Recurring work: destroys old secrets of cookieless counting, forgets old minutes and warnings. */
  tidy(): Promise<void>;
  /** Takes nothing new; resolves when what was taken is stored or spooled. The spool is closed by its owner, after this. */
  stop(): Promise<void>;
}

export interface CollectStats {
  /** Raw events that came for known projects. */
  received: number;
  /** Events that were not stored, by reason. */
  dropped: Record<string, number>;
  requests: EndpointCounts;
  inFlight: { requests: number; bytes: number };
  writer: WriterStats;
  spool: SpoolStats | null;
  guarantee: Guarantee;
}

/** Opens the country database and starts to replay the spool. */
export async function createCollect(deps: Deps, parts: CollectParts): Promise<Collect> {
  const { db, write, clock, log, config } = deps;
  const { projects, spool, processes, takesIn = true } = parts;
  const counts = newEndpointCounts();
  const writer = createWriter(
    { pool: write, events: parts.events, spool, clock, log, onTurn: processes.soon },
    { ...writerLimits, ...(parts.lanes !== undefined && { lanes: parts.lanes }) },
  );
  const cookieless = createCookieless(write, log);
  const noteOnce = (sets: readonly NoteSet[]) => countOnce(write, sets, clock.now());
  const lookups = await createLookups(config);
  const forwardKept = parts.forwardKept ?? (async () => {});
  const store = (events: FinishedEvent[]) => writer.store(events);
  const { guard } = parts;
  const left: ErasedFilter = guard
    ? createErasedFilter({ guard: whenThere(guard), projects, store, forward: forwardKept, countOnce: noteOnce, log })
    : { store, forward: forwardKept, count: noteOnce };
  const intake = createIntake({ projects, writer, cookieless, lookups, spool, countOnce: left.count, log });
  const bodies = createBodyReader(clock);
  const refusals = createRefusals(processes);
  const reader = createRecordingReader();
  let componentScript: Promise<string> | null = null;
  const { routes, front } = ingestRoutes(
    {
      intake,
      projects,
      flags: parts.flags,
      bodies,
      recordings: { store: parts.recordings, reader },
      scripts: createScripts(),
      componentScript() {
        componentScript ??= loadComponentScript();
        return componentScript;
      },
      ...(parts.forward && ingestMode(config) === 'mirror' ? { forward: parts.forward } : {}),
      clock,
      log,
      refused: refusals.note,
      ...(parts.proxies && { sighted: parts.proxies.note, locationOf: parts.proxies.location }),
    },
    counts,
  );
  /** A connection is not asked for while it is known that there is none: those in the pool are for live traffic. */
  function whenThere(ask: ErasureGuard): ErasureGuard {
    return async (work) => {
      writer.expectDatabase();
      return ask(work);
    };
  }
  spool?.replay({
    store: left.store,
    forward: left.forward,
    expectDatabase: () => writer.expectDatabase(),
    note: (id, notes) => left.count([{ id, notes }]),
    finish: (record) => intake.finishKept(record),
  });

  function guarantee(): Guarantee {
    if (spool === null) return 'none';
    return spool.durable ? 'durable' : 'rescue';
  }

  const ingestStatus = createIngestStatus(processes, () => {
    const { isStoring, isSlow, latencies } = writer.stats();
    return { takesIn, isStoring, isSlow, latencies, guarantee: guarantee(), spool: spool?.stats() ?? null };
  });

  return {
    routes,
    front,
    refusals,
    current: () => ingestStatus(clock.now()),
    waiting: createWaiting(() => ingestStatus(clock.now()), clock),
    capture: (events, project) =>
      intake.takeFor(
        project,
        { events: [...events], sentAt: null, historical: false },
        {
          receivedAt: clock.now(),
          address: null,
          userAgent: '',
          origin: null,
          unclean: true,
          length: Number.POSITIVE_INFINITY,
          maxEventLength: MAX_EVENT_LENGTH,
        },
      ),
    problems: (projectId, fromMs) => readProblems(db, projectId, fromMs, 'newest'),
    async ingestion(projectId, { withRefused } = { withRefused: false }) {
      const nowMs = clock.now();
      const [minutes, problems, now, refused] = await Promise.all([
        readMinutes(db, projectId, nowMs - hourMs),
        readProblems(db, projectId, nowMs - 24 * hourMs, 'frequent'),
        ingestStatus(nowMs),
        withRefused ? refusals.minutes(nowMs - hourMs) : null,
      ]);
      return { at: nowMs, minutes, problems, refused, ...now };
    },
    stats: () => ({
      ...intake.counts(),
      requests: counts,
      inFlight: bodies.inFlight(),
      writer: writer.stats(),
      spool: spool?.stats() ?? null,
      guarantee: guarantee(),
    }),
    async tidy() {
      await cookieless.destroyOld(clock.now());
      await expireWarnings(db, clock.now());
    },
    async stop() {
      bodies.stop();
      await writer.stop();
      await reader.stop();
    },
  };
}
