/** What the dashboard changes of a tile: its range, comparison and filters, as chips. */
import { datesOf, type Today } from '#views/question/dates.ts';
import { datesText, rangeName } from '#views/question/range-text.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Tiles.module.css';
import type { Overrides } from './tile-question.ts';

export function OverrideChips({ overrides, now }: { overrides: Overrides; now: Today }) {
  const own = usePart(dashboardWords);
  const { words, format } = useWords();
  const { range, compare, filters, people, segment, traffic } = overrides;
  const dates = range === null ? null : datesOf(range, now);
  const texts = [
    range === null ? null : (rangeName(range, words) ?? (dates && datesText(dates, now, format))),
    compare === null
      ? null
      : typeof compare === 'string'
        ? words.compare[compare]
        : words.compare.dates(datesText(compare, now, format)),
    filters > 0 ? own.addedFilters(filters, format.number(filters)) : null,
    people ? own.addedPeople : null,
    segment ? own.addedSegment : null,
    traffic ? own.addedTraffic : null,
  ].filter((text) => text !== null);
  return texts.map((text) => (
    <span key={text} className={css['chip']} title={own.fromDashboard}>
      {text}
    </span>
  ));
}
