/** One event of the stream: a link that opens it in place. Everything in it was captured, so everything is text. */
import { memo, type ReactNode } from 'react';
import type { LiveRow } from '#src/events/contract.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { anonymousName } from '#views/kit/anonymous-name.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Link } from '#views/kit/Link.tsx';
import { liveWords } from '#views/words/live.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './EventRow.module.css';

export interface EventRowProps {
  row: LiveRow;
  /** Opens it, or closes it when it is open. */
  href: string;
  isOpen: boolean;
  timeZone: string;
  /** A moment of today: rows of other days say their date. */
  today: number;
  children: ReactNode;
}

function Row({ row, href, isOpen, timeZone, today, children }: EventRowProps) {
  const { words, format } = useWords();
  const live = usePart(liveWords);
  const { ts, event, detail, person, country, bot } = row;
  const isToday = dateIn(ts, timeZone) === dateIn(today, timeZone);
  const name = person.identified ? (person.label ?? person.distinctId) : null;
  return (
    <li className={classNames(isOpen && css['open'])}>
      <Link href={href} className={css['row']} aria-expanded={isOpen}>
        <time className={classNames(css['time'], 'num')} dateTime={isToday ? undefined : new Date(ts).toISOString()}>
          {isToday ? format.clock(ts, timeZone) : format.dayMoment(ts, timeZone)}
        </time>
        <span className={classNames(css['event'], 'mono clip', event === '$exception' && css['problem'])}>{event}</span>
        <span className={classNames(css['detail'], 'clip')}>{detail}</span>
        <span className={css['person']}>
          <Avatar name={name} />
          <span className={classNames('clip', name === null && 'dim')}>{name ?? anonymousName(person, words)}</span>
        </span>
        <span className={classNames(css['place'], 'clip')}>
          {country && (
            // The names of countries come from the browser's own tables, which may be newer than the server's.
            <span suppressHydrationWarning>{format.country(country)}</span>
          )}
          {bot && <span className={css['bot']}>{live.bot}</span>}
        </span>
      </Link>
      {children}
    </li>
  );
}

/** Rows do not change once they are there; only opening draws them again. */
export const EventRow = memo(Row, (before, after) => {
  return (
    before.row === after.row &&
    before.href === after.href &&
    before.isOpen === after.isOpen &&
    !after.isOpen &&
    before.timeZone === after.timeZone &&
    dateIn(before.today, before.timeZone) === dateIn(after.today, after.timeZone)
  );
});
