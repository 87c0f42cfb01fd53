/** The table `job_runs`: what each job did last. */
import type { Pool } from 'pg';
import type { Clock } from '#src/kit/clock.ts';
import type { JobStatus } from './contract.ts';

interface RunsDeps {
  write: Pool;
  clock: Clock;
}

export async function noteStart({ write, clock }: RunsDeps, name: string): Promise<void> {
  await write.query(
    `insert into job_runs (name, started_at) values ($1, $2)
     on conflict (name) do update set started_at = excluded.started_at, finished_at = null`,
    [name, new Date(clock.now())],
  );
}

/** @param error message of what went wrong; null: nothing */
export async function noteEnd(
  { write, clock }: RunsDeps,
  name: string,
  tookMs: number,
  error: string | null,
): Promise<void> {
  await write.query(
    `update job_runs set finished_at = $2, took_ms = $3, error = $4,
       failures = case when $4::text is null then 0 else failures + 1 end,
       succeeded_at = case when $4::text is null then $2 else succeeded_at end
     where name = $1`,
    [name, new Date(clock.now()), tookMs, error],
  );
}

type Run = Omit<JobStatus, 'name' | 'every'>;

export async function readRuns({ write }: Pick<RunsDeps, 'write'>): Promise<Map<string, Run>> {
  const { rows } = await write.query<Run & { name: string }>(
    `select name, started_at as "startedAt", succeeded_at as "succeededAt", finished_at is null as "isRunning",
       took_ms as "tookMs", failures, error
     from job_runs`,
  );
  return new Map(rows.map(({ name, ...run }) => [name, run]));
}
