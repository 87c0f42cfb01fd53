/** How intake goes at this moment, over all processes that take events in. */
import type { Clock } from '#src/kit/clock.ts';
import type { Processes, Report } from '#src/processes/processes.ts';
import type { Guarantee, IngestStatus } from './contract.ts';
import { type LatencySteps, percentilesOf } from './latencies.ts';
import type { SpoolStats } from './spool.ts';

/** What a process says. */
export interface IntakeReport {
  /** False in a worker: it has promised nobody anything, and brings back what waits. */
  takesIn: boolean;
  isStoring: boolean;
  /** It does not store because the database is slow. Absent in what an earlier version said. */
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

/** How many events wait on disks, remembered for a moment; a failure is not. */
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
  // What a living process wrote long ago is what it would say now, or it had written something else since.
  const recent = reports.filter(({ isLiving, at }) => isLiving || at > nowMs - LATENCY_MS);
  return {
    isStoring: taking.every(({ isStoring }) => isStoring),
    // Where one of them does not reach it at all, that is what has to be known.
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
