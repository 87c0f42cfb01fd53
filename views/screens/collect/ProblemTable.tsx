/** Drops and warnings with counts and one example each. Examples are captured text: shown as text, never more. */
import type { IngestProblem } from '#src/collect/contract.ts';
import { ingestionWords } from '#views/words/ingestion.ts';
import { installWords } from '#views/words/install.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Ingestion.module.css';

/** What an outcome, a drop's or a warning's reason says in the reader's language; the bare reason when it is a stranger. */
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
  const textOf = useReasonText();
  return (
    <section className={css['section']} aria-labelledby="noticed">
      <h2 id="noticed">
        {text.problems} <span className={css['label']}>{text.problemsNote}</span>
      </h2>
      {problems.length === 0 ? (
        <p className={css['prose']}>{text.noProblems}</p>
      ) : (
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{text.reason}</th>
              <th scope="col" className={`${css['number']} num`} aria-sort="descending">
                {text.times}
              </th>
              <th scope="col" className={`${css['number']} num wide-only`}>
                {text.last}
              </th>
            </tr>
          </thead>
          <tbody>
            {problems.map((problem) => (
              <tr key={problem.reason}>
                <th scope="row">
                  {textOf(problem.reason)}
                  <details className={css['example']}>
                    <summary>{text.example}</summary>
                    <dl>
                      {Object.entries(problem.sample).map(([name, value]) => (
                        <div key={name}>
                          <dt className="mono">{name}</dt>
                          <dd className="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                        </div>
                      ))}
                    </dl>
                  </details>
                </th>
                <td className={`${css['number']} num`}>{format.number(problem.times)}</td>
                <td className={`${css['number']} num wide-only`}>{ago(problem.at, at, timeZone, words)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
