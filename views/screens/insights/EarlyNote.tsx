/** Said below a chart or a table when `all_time` leaves out events whose date is not plausible: how many, where to see them, where to delete them. */
import { mayCall } from '#src/accounts/values.ts';
import { MAX_EARLY_COUNTED } from '#src/columns/values.ts';
import type { ResolvedRange } from '#src/insights/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { eventsOf } from '#views/frame/addresses.ts';
import { Link } from '#views/kit/Link.tsx';
import { addressOf, readQuestion } from '#views/question/question.ts';
import { trafficWords } from '#views/words/traffic.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { addDays } from '#views/words/zone.ts';

export interface EarlyNoteProps {
  reference: string;
  project: ProjectSummary;
  /** A range, or an answer that says of its range only this. */
  range: Partial<Pick<ResolvedRange, 'earlyEvents' | 'fromDate'>>;
}

/** Events can have dates from here on: in zones west of Greenwich the year 1 begins on this date. */
const FIRST_DATE = '0000-12-31';
/** Dates are written without this year: all others with theirs. */
const WITH_YEAR = 0;

export function EarlyNote({ reference, project, range: { earlyEvents = 0, fromDate } }: EarlyNoteProps) {
  const { early } = usePart(trafficWords);
  const { format } = useWords();
  if (earlyEvents === 0 || fromDate === undefined) return null;
  const dates = { from: FIRST_DATE, to: addDays(fromDate, -1) };
  const address = addressOf(eventsOf(reference), { ...readQuestion(new URLSearchParams()), range: dates });
  const isMore = earlyEvents > MAX_EARLY_COUNTED;
  const text = format.number(isMore ? MAX_EARLY_COUNTED : earlyEvents);
  const before = format.day(fromDate, WITH_YEAR);
  return (
    <p>
      {isMore ? early.more(text, before) : early.some(earlyEvents, text, before)}{' '}
      {mayCall('explorer.page', project.role) && (
        <Link className="link" href={address}>
          {early.view}
        </Link>
      )}{' '}
      {mayCall('explorer.deleteEarly', project.role) && (
        <Link className="link" href={`/project/${reference}/settings?tab=privacy`}>
          {early.delete}
        </Link>
      )}
    </p>
  );
}
