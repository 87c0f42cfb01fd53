/** The table of recordings. */
import type { ReactNode } from 'react';
import type { ProjectSummary } from '#src/projects/contract.ts';
import type { ReplaySummary } from '#src/replays/watching/contract.ts';
import { replayOf } from '#views/event/WatchReplay.tsx';
import { Avatar } from '#views/kit/Avatar.tsx';
import { anonymousName } from '#views/kit/anonymous-name.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Link } from '#views/kit/Link.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { ago } from '#views/words/relative.ts';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { ReplayIcon } from './ReplayIcon.tsx';
import css from './Replays.module.css';
import { clockText } from './timeline.ts';

/** Widths up to this are phones, CSS px. */
const PHONE_WIDTH = 575;

export interface ReplayTableProps {
  reference: string;
  replays: readonly ReplaySummary[];
  project: ProjectSummary;
}

export function ReplayTable({ reference, replays, project }: ReplayTableProps) {
  const { columns, list } = usePart(replayWords);
  const heads: [keyof typeof columns, string | undefined][] = [
    ['person', undefined],
    ['duration', css['number']],
    ['errors', css['number']],
    ['rage', classNames(css['number'], 'wide-only')],
    ['pages', 'wide-only'],
    ['device', 'wide-only'],
    ['started', classNames(css['number'], 'wide-only')],
  ];
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{list}</caption>
      <thead>
        <tr>
          {heads.map(([name, className]) => (
            <th key={name} scope="col" className={className}>
              {columns[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {replays.map((replay) => (
          <Row key={replay.session} reference={reference} replay={replay} timeZone={project.timeZone} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ reference, replay, timeZone }: { reference: string; replay: ReplaySummary; timeZone: string }) {
  const own = usePart(replayWords);
  const { words, format } = useWords();
  const now = useServerTime();
  const { session, person, city, country, firstAt, lastAt, clicks, errors, rageClicks, isWatched } = replay;
  const { entryPath, exitPath, pages, browser, os, device, width } = replay;
  const isPhone = device === 'Mobile' || (width !== null && width <= PHONE_WIDTH);
  const name = person === null ? own.visitor : (person.label ?? anonymousName(person, words));
  const place = [city, country === null ? null : format.country(country)].filter((part) => part !== null).join(', ');
  const count = (value: number): ReactNode => (
    <span className={value > 0 ? css['bad'] : 'dim'}>{format.number(value)}</span>
  );
  return (
    <tr className={isWatched ? undefined : css['fresh']}>
      <th scope="row">
        <Link href={replayOf(reference, session)} className={css['who']}>
          <Avatar name={person?.identified ? name : null} />
          <span className={css['name']}>
            <span className="clip">{name}</span>
            <span className={classNames(css['below'], 'clip')} suppressHydrationWarning>
              {place}
            </span>
            <span className={classNames(css['below'], css['narrow'], 'clip')}>
              {ago(firstAt, now, timeZone, words)} · {entryPath ?? '/'}
            </span>
          </span>
          {!isWatched && (
            <span className={css['dot']}>
              <span className="visually-hidden">{own.notWatched}</span>
            </span>
          )}
        </Link>
      </th>
      <td className={classNames(css['number'], 'num')}>
        <span className={css['strong']}>{clockText(lastAt - firstAt)}</span>
        <span className={css['below']}>{own.clickCount(clicks, format.number(clicks))}</span>
      </td>
      <td className={classNames(css['number'], 'num')}>{count(errors)}</td>
      <td className={classNames(css['number'], 'num wide-only')}>{count(rageClicks)}</td>
      <td className="wide-only">
        <span className={css['path']}>
          {entryPath ?? '/'}
          {exitPath !== null && exitPath !== entryPath && ` → ${exitPath}`}
        </span>
        <span className={css['below']}>{own.pageCount(pages, format.number(pages))}</span>
      </td>
      <td className="wide-only">
        <span className={css['device']}>
          <ReplayIcon name={isPhone ? 'phone' : 'desktop'} />
          <span>
            {browser ?? '–'}
            <span className={css['below']}>{os}</span>
          </span>
        </span>
      </td>
      <td className={classNames(css['number'], 'num wide-only')}>
        <time dateTime={new Date(firstAt).toISOString()}>{ago(firstAt, now, timeZone, words)}</time>
      </td>
    </tr>
  );
}
