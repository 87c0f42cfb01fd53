/** Below the chart: what it counts, in which zone, and what is excluded or included. */
import type { Traffic } from '#src/columns/contract.ts';
import { Caveats } from '#views/explain/Caveats.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { addressOf } from '#views/question/question.ts';
import { trafficWords } from '#views/words/traffic.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import type { ChartToolsProps } from './ChartTools.tsx';
import { EarlyNote } from './EarlyNote.tsx';
import css from './Footnotes.module.css';
import { isCompared } from './is-compared.ts';

export type FootnotesProps = Pick<ChartToolsProps, 'reference' | 'path' | 'question' | 'project' | 'data'>;

export function Footnotes({ reference, path, question, project, data }: FootnotesProps) {
  const { words, format } = useWords();
  const { range, comparison, timeZone, interval, excluded } = data;
  const isOwn = excluded.internal > 0 || question.include.includes('internal');
  const at = range.until ?? range.to;
  const moment = (ms: number): string =>
    dateIn(ms, timeZone) === dateIn(at, timeZone) ? format.time(ms, timeZone) : format.dayMoment(ms, timeZone);
  return (
    <div className={css['foot']}>
      <p>
        <TrafficNote of="bots" path={path} question={question} data={data} />
        {isOwn && ' '}
        {isOwn && <TrafficNote of="internal" path={path} question={question} data={data} />}
        {data.caveats.length > 0 && (
          <Late>
            {' '}
            <Caveats of={data.caveats} />
          </Late>
        )}
      </p>
      <EarlyNote reference={reference} project={project} range={range} />
      <p>
        {words.chart.zone[interval](format.zone(at, timeZone))}
        {range.until !== null && ' · '}
        {range.until !== null &&
          words.chart.counted(
            moment(range.until),
            comparison?.until == null || !isCompared(data) ? null : moment(comparison.until),
          )}
      </p>
    </div>
  );
}

type TrafficNoteProps = Pick<FootnotesProps, 'path' | 'question' | 'data'> & { of: Traffic };

/** Views of bots, or of the team: whether they are in the numbers, and the link to the other. */
function TrafficNote({ of, path, question, data }: TrafficNoteProps) {
  const { format } = useWords();
  const own = usePart(trafficWords)[of];
  const { include } = question;
  const isIn = include.includes(of);
  const views = (isIn ? data.included : data.excluded)[of];
  const next = isIn ? include.filter((each) => each !== of) : [...include, of];
  return (
    <>
      {(isIn ? own.included : own.left)(views, format.number(views))}{' '}
      <Link
        href={addressOf(path, { ...question, include: next })}
        className="link no-print"
        ahead={false}
        aria-label={isIn ? own.leaveName : own.includeName}
      >
        {isIn ? own.leave : own.include}
      </Link>
    </>
  );
}
