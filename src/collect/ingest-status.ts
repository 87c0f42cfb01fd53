/** How intake goes at this moment, over all processes that take events in. */
import type { Clock } from '#src/kit/clock.ts';
import type { Processes, Report } from '#src/processes/processes.ts';
import type { Guarantee, IngestStatus } from './contract.ts';
import { type LatencySteps, percentilesOf } from './latencies.ts';
import type { SpoolStats } from './spool.ts';

/** The report of one process. */
export interface IntakeReport {
  /** False in a worker, which accepts no events and only replays the spool. */
  takesIn: boolean;
  isStoring: boolean;
  /** Storing is suspended because the database is slow. Absent in reports of earlier versions. */
  isSlow?: boolean;
  guarantee: Guarantee;
  latencies: LatencySteps;
  spool: Pick<SpoolStats, 'folder' | 'taken' | 'events' | 'bytes' | 'oldestAt'> | null;
}

const PART = 'intake';
/** Latencies are of the last minute, also of processes that are over. */
const LATENCY_MS = 60_000;
const worstFirst: readonly Guarantee[] = ['none', 'rescue', 'durable'];

/** @param own this process, as it is */
export function createIngestStatus(processes: Pick<Processes, 'tell' | 'read'>, own: () => IntakeReport) {
  processes.tell(PART, own);
  /** @throws while the database is away */
  return async (nowMs: number): Promise<IngestStatus> => sumUp(await processes.read<IntakeReport>(PART), nowMs);
}

/** Every screen and answer of the API asks for it. */
const REMEMBER_MS = 2_000;

/** Number of spooled events, cached briefly; failures are not cached. */
export function createWaiting(
  current: () => Promise<IngestStatus>,
  clock: Pick<Clock, 'elapsed'>,
): () => Promise<number> {
  let known: Promise<number> | null = null;
  let untilMs = 0;
  return () => {
    if (known !== null && clock.elapsed() < untilMs) return known;
    untilMs = clock.elapsed() + REMEMBER_MS;
    const asked = current().then(({ spool }) => spool?.events ?? 0);
    asked.catch(() => {
      if (known === asked) known = null;
    });
    known = asked;
    return asked;
  };
}

function sumUp(reports: readonly Report<IntakeReport>[], nowMs: number): IngestStatus {
  const living = reports.flatMap(({ isLiving, says }) => (isLiving ? says : []));
  const taking = living.filter(({ takesIn }) => takesIn);
  const stopped = taking.filter(({ isStoring }) => !isStoring);
  // An old report of a live process is still current: it would have written a new one otherwise.
  const recent = reports.filter(({ isLiving, at }) => isLiving || at > nowMs - LATENCY_MS);
  return {
    isStoring: taking.every(({ isStoring }) => isStoring),
    // "Unreachable" from any process takes precedence over "slow".
    isSlow: stopped.length > 0 && stopped.every(({ isSlow }) => isSlow === true),
    // Whichever process takes an event: what all of them promise.
    guarantee: worstFirst.find((each) => taking.some(({ guarantee }) => guarantee === each)) ?? 'none',
    latencyMs: percentilesOf(recent.map(({ says }) => says.latencies)),
    spool: spoolsOf(living),
  };
}

/** Files of a process that was killed are counted by the process that took them over, also while it is not known to be dead. */
function spoolsOf(living: readonly IntakeReport[]): IngestStatus['spool'] {
  const all = living.flatMap(({ spool }) => spool ?? []);
  const taken = new Set(all.flatMap((spool) => spool.taken));
  const spools = all.filter(({ folder }) => !taken.has(folder));
  if (spools.length === 0) return null;
  const oldest = spools.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    events: spools.reduce((sum, { events }) => sum + events, 0),
    bytes: spools.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
  };
}
