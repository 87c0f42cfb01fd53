/** Requests that were refused as a whole, of all projects: for the administrator of the server. */
import type { IngestMinute, RefusalReason } from '#src/collect/contract.ts';
import { MinuteBars } from '#views/charts/MinuteBars.tsx';
import { BarTable } from '#views/kit/BarTable.tsx';
import { DataTable } from '#views/kit/DataTable.tsx';
import { ingestionWords } from '#views/words/ingestion.ts';
import { refusedWords } from '#views/words/refused.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Ingestion.module.css';
import { byMinute, sumOutcomes } from './minutes.ts';

export interface RefusedProps {
  refused: IngestMinute[];
  /** Server time of the answer. */
  at: number;
  timeZone: string;
}

export function Refused({ refused, at, timeZone }: RefusedProps) {
  const { format } = useWords();
  const text = usePart(refusedWords);
  const { minutesAgo, now } = usePart(ingestionWords);
  const reasons = sumOutcomes(refused);
  const largest = Math.max(1, ...reasons.map(([, times]) => times));
  const lastOf = (reason: string) => refused.findLast(({ outcomes }) => outcomes[reason] !== undefined)?.at ?? at;
  return (
    <section className={css['section']} aria-labelledby="refused">
      <h2 id="refused">
        {text.refused} <span className={css['label']}>{text.refusedNote}</span>
      </h2>
      <p className={css['prose']}>{reasons.length === 0 ? text.none : text.whose}</p>
      {reasons.length > 0 && (
        <>
          <figure className={`${css['minutes']} ${css['apart']}`}>
            <MinuteBars minutes={byMinute(refused, at, sum)} now={1} name={text.minutes} />
            <figcaption className={css['label']} aria-hidden="true">
              <span>{minutesAgo}</span>
              <span>{now}</span>
            </figcaption>
          </figure>
          <BarTable
            caption={text.refused}
            columns={[
              { key: 'reason', head: text.that },
              { key: 'times', head: text.times, sort: 'descending' },
              { key: 'last', head: text.last, faint: true },
            ]}
            rows={reasons.map(([reason, times]) => ({
              key: reason,
              label: <span className={css['reason']}>{text.refusals[reason as RefusalReason]}</span>,
              cells: [format.number(times), format.time(lastOf(reason), timeZone)],
              bar: times / largest,
              tick: null,
            }))}
          />
          <Minutes refused={refused} timeZone={timeZone} />
        </>
      )}
    </section>
  );
}

/** Minute by minute, the newest first; those in which nothing was refused are left out. */
function Minutes({ refused, timeZone }: Omit<RefusedProps, 'at'>) {
  const { format } = useWords();
  const text = usePart(refusedWords);
  return (
    <details className={css['byMinute']}>
      <summary>{text.byMinute}</summary>
      <DataTable
        columns={[
          { key: 'minute', head: text.minute, className: 'num' },
          { key: 'reason', head: text.that },
          { key: 'times', head: text.times, isFigure: true },
        ]}
        rows={refused.toReversed().flatMap((minute) =>
          sumOutcomes([minute]).map(([reason, times]) => ({
            key: `${minute.at} ${reason}`,
            cells: {
              minute: format.time(minute.at, timeZone),
              reason: text.refusals[reason as RefusalReason],
              times: format.number(times),
            },
          })),
        )}
      />
    </details>
  );
}

function sum({ outcomes }: IngestMinute): number {
  return Object.values(outcomes).reduce((all, times) => all + times, 0);
}
