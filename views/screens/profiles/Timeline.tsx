/** Events of a person by visit, newest first. Each row is a link that opens its event in place. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { TimelineRow, TimelineVisit } from '#src/profiles/contract.ts';
import { EventPanel } from '#views/event/EventPanel.tsx';
import { WatchReplay } from '#views/event/WatchReplay.tsx';
import { eventsOf } from '#views/frame/addresses.ts';
import { ButtonLink } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { keyOf, readKey } from '#views/kit/event-key.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useReading } from '#views/question/filters/reading.ts';
import { useTrpc } from '#views/trpc.ts';
import { peopleWords } from '#views/words/people.ts';
import { valueText } from '#views/words/value-text.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { type PersonQuestion, personAddress, timelineInput } from './person-address.ts';
import css from './Timeline.module.css';

export interface TimelineProps {
  project: string;
  question: PersonQuestion;
  timeZone: string;
  isHere: boolean;
}

export function Timeline({ project, question, timeZone, isHere }: TimelineProps) {
  const text = usePart(peopleWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.profiles.timeline.queryOptions(timelineInput(project, question)));
  const { rows, visits, next } = data;
  const { open, after, kind } = question;
  const hrefOf = (changes: Partial<PersonQuestion>) => personAddress(project, { ...question, ...changes });
  const at = readKey(open);
  const panel = at && (
    <Late>
      <EventPanel
        project={project}
        address={at}
        timeZone={timeZone}
        closeHref={hrefOf({ open: null })}
        onlyHref={(name) => `${eventsOf(project)}?${new URLSearchParams({ name })}`}
      />
    </Late>
  );
  const isFirstPage = after === null && kind === null;
  const last = rows.at(-1);
  return (
    <>
      {panel && !rows.some((row) => keyOf(row) === open) && (
        <section aria-label={text.chosen} className={css['apart']}>
          <h3>{text.chosen}</h3>
          {panel}
        </section>
      )}
      {rows.length === 0 && <p className="dim">{kind === null ? text.nothingStored : text.nothing}</p>}
      {stretchesOf(rows).map((stretch, index) => {
        const [first] = stretch;
        if (first === undefined) return null;
        const visit = visits.find(({ uuid }) => uuid === first.visit);
        const isNow = isHere && isFirstPage && index === 0;
        return (
          <section key={keyOf(first)} className={css['stretch']}>
            <Head
              project={project}
              visit={visit}
              rows={stretch}
              timeZone={timeZone}
              isNow={isNow}
              visits={visits.map(({ uuid }) => uuid)}
            />
            <ol className={css['timeline']}>
              {stretch.map((row, place) => {
                const key = keyOf(row);
                const isOpen = key === open;
                const isNewest = isNow && place === 0;
                return (
                  <li key={key} className={classNames(isOpen && css['open'])}>
                    <Link href={hrefOf({ open: isOpen ? null : key })} className={css['row']} aria-expanded={isOpen}>
                      <time className={classNames(css['time'], 'num')} dateTime={new Date(row.ts).toISOString()}>
                        {format.clock(row.ts, timeZone)}
                      </time>
                      <span
                        className={classNames(css['point'], css[isNewest ? 'now' : pointOf(row.event)])}
                        aria-hidden="true"
                      />
                      <span className={classNames(css['event'], 'mono', row.event === '$exception' && css['bad'])}>
                        {row.event}
                      </span>
                      <span className={css['detail']}>{row.detail}</span>
                    </Link>
                    {isOpen && panel}
                  </li>
                );
              })}
            </ol>
          </section>
        );
      })}
      <div className={css['ends']}>
        {after !== null && (
          <ButtonLink small href={hrefOf({ after: null, open: null })}>
            {text.newest}
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink small href={hrefOf({ after: next, open: null })} rel="next">
            {text.earlier}
          </ButtonLink>
        )}
        {next === null && last !== undefined && kind === null && (
          <p>{text.nothingBefore(format.dayTime(last.ts, timeZone))}</p>
        )}
      </div>
    </>
  );
}

/** Rows that follow one another in one visit, or outside of any. */
function stretchesOf(rows: readonly TimelineRow[]): TimelineRow[][] {
  const stretches: TimelineRow[][] = [];
  for (const row of rows) {
    const current = stretches.at(-1);
    if (current?.[0] && current[0].visit === row.visit) current.push(row);
    else stretches.push([row]);
  }
  return stretches;
}

function pointOf(event: string): 'view' | 'problem' | 'other' {
  if (event === '$pageview' || event === '$screen') return 'view';
  return event === '$exception' ? 'problem' : 'other';
}

interface HeadProps {
  project: string;
  visit: TimelineVisit | undefined;
  rows: readonly TimelineRow[];
  timeZone: string;
  isNow: boolean;
  /** Of all visits of the page. */
  visits: readonly string[];
}

function Head({ project, visit, rows, timeZone, isNow, visits }: HeadProps) {
  const text = usePart(peopleWords);
  const { words, format } = useWords();
  const today = dateIn(useServerTime(), timeZone);
  const from = visit?.firstTs ?? rows.at(-1)?.ts ?? 0;
  const to = visit?.lastTs ?? rows[0]?.ts ?? 0;
  const date = dateIn(from, timeZone);
  const year = Number(today.slice(0, 4));
  const day =
    date === today
      ? words.range.presets.today
      : date.startsWith(String(year))
        ? format.weekdayDay(from, timeZone)
        : format.day(date, year);
  const end = isNow
    ? text.now
    : dateIn(to, timeZone) === date
      ? format.time(to, timeZone)
      : format.dayTime(to, timeZone);
  const events = visit?.events ?? rows.length;
  return (
    <div className={css['head']}>
      <h3>{day}</h3>
      <span className="num">
        {format.time(from, timeZone)} – {end}
      </span>
      <span className="dim num">
        {text.eventCount(events, format.number(events))}
        {visit && visit.views > 0 && `, ${text.viewCount(visit.views, format.number(visit.views))}`}
        {visit && visit.lastTs > visit.firstTs && `, ${format.duration((visit.lastTs - visit.firstTs) / 1000)}`}
      </span>
      <span className={css['where']}>{visit ? <Where visit={visit} /> : text.noVisit}</span>
      {visit && <WatchReplay project={project} session={visit.uuid} among={visits} />}
    </div>
  );
}

function Where({ visit }: { visit: TimelineVisit }) {
  const text = usePart(peopleWords);
  const { format } = useWords();
  const reading = useReading();
  const { entry, channel, referrer, campaign, browser, os, city, country } = visit;
  const byChannel = channel === null ? text.direct : valueText('channel', channel, reading);
  const from = referrer === null || referrer === '$direct' ? byChannel : referrer;
  const parts = [entry, from, campaign && `“${campaign}”`, [browser, os].filter(Boolean).join(', ')];
  const place = city ?? (country && format.country(country));
  return <span suppressHydrationWarning>{[...parts, place].filter(Boolean).join(' · ')}</span>;
}
