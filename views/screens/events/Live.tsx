/** Live: who is here now, and every event as it arrives. Comes with its rows in the page; the stream adds to them. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { ExplainScreen } from '#views/explain/ExplainScreen.tsx';
import { liveOf, overviewOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { keyOf, readKey } from '#views/kit/event-key.ts';
import { Late } from '#views/kit/Late.tsx';
import { State } from '#views/kit/State.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { liveWords } from '#views/words/live.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { EventRow } from './EventRow.tsx';
import css from './Live.module.css';
import { LiveFilters } from './LiveFilters.tsx';
import { type LiveQuestion, liveAddress, liveInput, readLive } from './live-address.ts';
import { OpenEvent } from './OpenEvent.tsx';
import { Places } from './Places.tsx';
import { StreamStatus, StreamSummary } from './StreamSummary.tsx';
import { MAX_WAITING } from './stream-state.ts';
import { useReading } from './use-reading.ts';
import { type Stream, useStream } from './use-stream.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const question = readLive(props.search);
  const chosen = readKey(question.event);
  return [
    ...frameQueries(trpc, props),
    { options: trpc.events.live.queryOptions(liveInput(project, question)), critical: true },
    ...(question.explains ? [{ options: trpc.insights.explainNow.queryOptions({ project }), critical: true }] : []),
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
  // With another filter the rows of the one before stay, dimmed, until those are there, and with them the reader's place. As `Region` does,
  // which is more than there is room for in what a first visit to Live loads.
  const shown = useDeferredValue(search);
  const question = useMemo(() => readLive(shown), [shown]);
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
          onClick={() => setPaused(!paused)}
        >
          {paused ? live.resume : live.pause}
        </Button>
      }
    >
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <Content project={project} paused={paused} question={question} stale={shown !== search} />
      </Late>
    </Page>
  );
}

interface ContentProps {
  project: string;
  paused: boolean;
  question: LiveQuestion;
  /** Another question is being answered. */
  stale: boolean;
}

function Content({ project, paused, question, stale }: ContentProps) {
  const { filter, event: chosen, explains = false } = question;
  const live = usePart(liveWords);
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const input = liveInput(project, question);
  const { data: snapshot } = useSuspenseQuery({
    ...trpc.events.live.queryOptions(input),
    staleTime: Infinity,
  });
  const list = useRef<HTMLDivElement>(null);
  const reading = useReading(list);
  const held = paused || reading || chosen !== null;
  const stream = useStream(input, snapshot, held);
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  const path = liveOf(project);
  const hrefOf = useCallback((event: string | null) => liveAddress(path, { ...question, event }), [path, question]);
  const { rows } = stream;
  const open = readKey(chosen);
  const isShown = rows.some((row) => keyOf(row) === chosen);
  const panel = open && (
    <OpenEvent
      project={project}
      address={open}
      timeZone={timeZone}
      closeHref={hrefOf(null)}
      onlyHref={(event) => liveAddress(path, { event: chosen, filter: { names: [event] } })}
    />
  );
  return (
    <div className="ph-no-capture">
      <StreamSummary stream={stream} />
      <ExplainScreen
        asked={{ screen: 'live', project }}
        isOpen={explains}
        timeZone={timeZone}
        href={liveAddress(path, { ...question, explains: !explains })}
      />
      <Places path={path} question={question} summary={stream.summary} held={held} />
      <div className={css['tools']}>
        <Late>
          <LiveFilters path={path} question={question} rows={rows} />
        </Late>
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
      <div ref={list} className={css['list']} aria-busy={stale || undefined}>
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
          <Nothing project={project} filtered={Object.keys(filter).length > 0} />
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

/** The line of waiting rows. Said once when it begins, not for every row. */
function Waiting({ stream, list }: { stream: Stream; list: { current: HTMLElement | null } }) {
  const { format } = useWords();
  const live = usePart(liveWords);
  const { waiting, overflown, release } = stream;
  const count = waiting.length;
  const text = overflown ? live.waitingMore(format.number(MAX_WAITING)) : live.waiting(count, format.number(count));
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
