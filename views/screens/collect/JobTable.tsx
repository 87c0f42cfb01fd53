/** Recurring work: when each job last succeeded, and what fails. */
import type { JobStatus } from '#src/jobs/contract.ts';
import { ingestionWords } from '#views/words/ingestion.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Ingestion.module.css';

export function JobTable({ jobs, timeZone }: { jobs: JobStatus[]; timeZone: string }) {
  const { format } = useWords();
  const text = usePart(ingestionWords);
  const stateOf = ({ isRunning, failures, error }: JobStatus): string => {
    if (failures > 0) return text.failing(format.number(failures), error);
    return isRunning ? text.running : text.fine;
  };
  return (
    <section className={css['section']} aria-labelledby="jobs">
      <h2 id="jobs">{text.jobs}</h2>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{text.job}</th>
            <th scope="col">{text.state}</th>
            <th scope="col" className="wide-only">
              {text.every}
            </th>
            <th scope="col" className={`${css['number']} num`}>
              {text.lastRun}
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.name}>
              <th scope="row" title={job.name}>
                {text.jobNames[job.name] ?? job.name}
              </th>
              <td className={css[job.failures > 0 ? 'failing' : 'fine']}>{stateOf(job)}</td>
              <td className="wide-only">{text.intervals[job.every]}</td>
              <td className={`${css['number']} num`}>
                {job.succeededAt === null ? text.never : format.clock(job.succeededAt, timeZone)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
