/** Drops and warnings with counts and one example each. Examples are captured text: shown as text, never more. */
import type { IngestProblem } from '#src/collect/contract.ts';
import { DataTable } from '#views/kit/DataTable.tsx';
import { ingestionWords } from '#views/words/ingestion.ts';
import { installWords } from '#views/words/install.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Ingestion.module.css';

/** Text of an outcome or reason in the reader's language; unknown reasons are shown as they are. */
export function useReasonText(): (reason: string) => string {
  const { results, persons } = usePart(ingestionWords);
  const { problems } = usePart(installWords);
  return (reason) => {
    for (const known of [results, persons, problems] as Record<string, string>[]) {
      if (Object.hasOwn(known, reason)) return known[reason] as string;
    }
    return reason;
  };
}

export interface ProblemTableProps {
  problems: IngestProblem[];
  /** Server time of the answer. */
  at: number;
  timeZone: string;
}

export function ProblemTable({ problems, at, timeZone }: ProblemTableProps) {
  const { words, format } = useWords();
  const text = usePart(ingestionWords);
  return (
    <section className={css['section']} aria-labelledby="noticed">
      <h2 id="noticed">
        {text.problems} <span className={css['label']}>{text.problemsNote}</span>
      </h2>
      {problems.length === 0 ? (
        <p className={css['prose']}>{text.noProblems}</p>
      ) : (
        <DataTable
          columns={[
            { key: 'reason', head: text.reason },
            { key: 'times', head: text.times, isFigure: true, sort: 'descending' },
            { key: 'last', head: text.last, isFigure: true, wideOnly: true },
          ]}
          rows={problems.map((problem) => ({
            key: problem.reason,
            cells: {
              reason: <Reason problem={problem} />,
              times: format.number(problem.times),
              last: ago(problem.at, at, timeZone, words),
            },
          }))}
        />
      )}
    </section>
  );
}

function Reason({ problem: { reason, sample } }: { problem: IngestProblem }) {
  const text = usePart(ingestionWords);
  const textOf = useReasonText();
  return (
    <>
      {textOf(reason)}
      <details className={css['example']}>
        <summary>{text.example}</summary>
        <dl>
          {Object.entries(sample).map(([name, value]) => (
            <div key={name}>
              <dt className="mono">{name}</dt>
              <dd className="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}
