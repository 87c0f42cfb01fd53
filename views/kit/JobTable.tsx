/** Recurring work: when each job last succeeded, and what fails. */
import type { JobStatus } from '#src/jobs/contract.ts';
import { ingestionWords } from '#views/words/ingestion.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { DataTable } from './DataTable.tsx';
import css from './JobTable.module.css';

export function JobTable({ jobs, timeZone }: { jobs: JobStatus[]; timeZone: string }) {
  const { format } = useWords();
  const text = usePart(ingestionWords);
  const stateOf = ({ isRunning, failures, error }: JobStatus): string => {
    if (failures > 0) return text.failing(failures, format.number(failures), error);
    return isRunning ? text.running : text.fine;
  };
  return (
    <DataTable
      columns={[
        { key: 'job', head: text.job },
        { key: 'state', head: text.state },
        { key: 'every', head: text.every, wideOnly: true },
        { key: 'lastRun', head: text.lastRun, isFigure: true },
      ]}
      rows={jobs.map((job) => ({
        key: job.name,
        cells: {
          job: <span title={job.name}>{text.jobNames[job.name] ?? job.name}</span>,
          state: <span className={css[job.failures > 0 ? 'failing' : 'fine']}>{stateOf(job)}</span>,
          every: text.intervals[job.every],
          lastRun: job.succeededAt === null ? text.never : format.clock(job.succeededAt, timeZone),
        },
      }))}
    />
  );
}
