/** Live: who is here now, and every event as it arrives. Comes with its rows in the page; the stream adds to them. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useRef, useState } from 'react';
import { liveOf, overviewOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { Chip } from '#views/kit/Chip.tsx';
import { State } from '#views/kit/State.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { liveWords } from '#views/words/live.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { EventPanel } from './EventPanel.tsx';
import { EventRow } from './EventRow.tsx';
import css from './Live.module.css';
import { StreamStatus, StreamSummary } from './StreamSummary.tsx';
import { keyOf, MOST_WAITING, readKey } from './stream-state.ts';
import { useReading } from './use-reading.ts';
import { type Stream, useStream } from './use-stream.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const chosen = readKey(props.search.get('event'));
  return [
    ...frameQueries(trpc, props),
    { options: trpc.events.live.queryOptions({ project }), critical: true },
    ...(chosen ? [{ options: trpc.events.detail.queryOptions({ project, ...chosen }), critical: true }] : []),
  ];
}

export function title(words: Words): string {
  return words.nav.live;
}

export function Screen({ params, search }: ScreenProps) {
  const { words } = useWords();
  const live = usePart(liveWords);
  const project = params['project'] ?? '';
  const [paused, setPaused] = useState(false);
  return (
    <Page
      title={words.nav.live}
      actions={
        <Button
          small
          icon={paused ? 'play' : 'pause'}
          className="script-only"
          data-hotkey="p"
          onClick={() => setPaused((now) => !now)}
        >
          {paused ? live.resume : live.pause}
        </Button>
      }
    >
      <Suspense fallback={<BarTableSkeleton rows={8} />}>
        <Content
          key={project}
          project={project}
          paused={paused}
          chosen={search.get('event')}
          name={search.get('name')}
        />
      </Suspense>
    </Page>
  );
}

interface ContentProps {
  project: string;
  paused: boolean;
  /** Key of the event that is open. */
  chosen: string | null;
  /** Only events of this name are shown. */
  name: string | null;
}

function Content({ project, paused, chosen, name }: ContentProps) {
  const live = usePart(liveWords);
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: snapshot } = useSuspenseQuery({ ...trpc.events.live.queryOptions({ project }), staleTime: Infinity });
  const list = useRef<HTMLDivElement>(null);
  const reading = useReading(list);
  const stream = useStream(project, snapshot, paused || reading || chosen !== null);
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  const hrefOf = useCallback((event: string | null) => addressOf(project, { event, name }), [project, name]);

  const rows = name === null ? stream.rows : stream.rows.filter(({ event }) => event === name);
  const open = readKey(chosen);
  const isShown = rows.some((row) => keyOf(row) === chosen);
  const panel = open && (
    <EventPanel
      project={project}
      address={open}
      timeZone={timeZone}
      closeHref={hrefOf(null)}
      onlyHref={(event) => addressOf(project, { event: chosen, name: event })}
    />
  );
  return (
    <div className="ph-no-capture">
      <StreamSummary stream={stream} />
      <div className={css['tools']}>
        {name !== null && (
          <Chip
            name={live.event}
            operator={live.is}
            value={<span className="mono">{name}</span>}
            removeHref={addressOf(project, { event: chosen, name: null })}
            removeLabel={live.removeFilter}
          />
        )}
        <StreamStatus stream={stream} paused={paused} timeZone={timeZone} />
      </div>
      <noscript>
        <p className={css['note']}>{live.noScript}</p>
      </noscript>
      {open && !isShown && (
        <section aria-label={live.chosen} className={css['apart']}>
          <h2 className={css['apartTitle']}>{live.chosen}</h2>
          {panel}
        </section>
      )}
      <div ref={list} className={css['list']}>
        <div className={css['head']} aria-hidden="true">
          <span>{live.time}</span>
          <span>{live.event}</span>
          <span>{live.detail}</span>
          <span>{live.person}</span>
          <span>{live.country}</span>
        </div>
        <Waiting stream={stream} list={list} />
        <PassedOverNote passedOver={stream.passedOver} />
        {rows.length === 0 ? (
          <Nothing project={project} filtered={name !== null} />
        ) : (
          <ol aria-label={live.stream}>
            {rows.map((row) => {
              const key = keyOf(row);
              const isOpen = key === chosen;
              return (
                <EventRow
                  key={key}
                  row={row}
                  href={hrefOf(isOpen ? null : key)}
                  isOpen={isOpen}
                  timeZone={timeZone}
                  today={stream.summary.at}
                >
                  {isOpen ? panel : null}
                </EventRow>
              );
            })}
          </ol>
        )}
      </div>
    </div>
  );
}

function addressOf(project: string, { event, name }: { event: string | null; name: string | null }): string {
  const search = new URLSearchParams();
  if (name !== null) search.set('name', name);
  if (event !== null) search.set('event', event);
  const text = search.toString();
  return text === '' ? liveOf(project) : `${liveOf(project)}?${text}`;
}

/** The line of waiting rows. Said once when it begins, not for every row. */
function Waiting({ stream, list }: { stream: Stream; list: { current: HTMLElement | null } }) {
  const { format } = useWords();
  const live = usePart(liveWords);
  const { waiting, overflown, release } = stream;
  const count = waiting.length;
  const text = overflown ? live.waitingMore(format.number(MOST_WAITING)) : live.waiting(count, format.number(count));
  return (
    <>
      {count > 0 && (
        <button
          type="button"
          className={`${css['waiting']} num`}
          onClick={() => {
            release();
            list.current?.scrollIntoView({ block: 'nearest' });
          }}
        >
          {text}
        </button>
      )}
      <span role="status" className="visually-hidden">
        {count > 0 ? live.waiting(2, '') : ''}
      </span>
    </>
  );
}

/** How many events came too fast for the list. Said once, not for each. */
function PassedOverNote({ passedOver: { rows, more } }: Pick<Stream, 'passedOver'>) {
  const { format } = useWords();
  const live = usePart(liveWords);
  const any = rows > 0 || more;
  return (
    <>
      {any && <p className={css['note']}>{live.passedOver(rows, format.number(rows), more)}</p>}
      <span role="status" className="visually-hidden">
        {any ? live.passedOver(0, '', false) : ''}
      </span>
    </>
  );
}

function Nothing({ project, filtered }: { project: string; filtered: boolean }) {
  const live = usePart(liveWords);
  if (filtered) return <p className={css['note']}>{live.noMatch}</p>;
  return (
    <State
      icon="live"
      title={live.empty}
      actions={
        <ButtonLink href={overviewOf(project)} kind="primary">
          {live.toInstall}
        </ButtonLink>
      }
    >
      {live.emptyText}
    </State>
  );
}
