/** A recording that is watched: the stage, what plays it, and what happened beside. */
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ReplayComment, ReplayDetail, ReplayEvent } from '#src/replays/watching/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { useCopy } from '#views/kit/copy.ts';
import { keyOf } from '#views/kit/event-key.ts';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Comments } from './Comments.tsx';
import { Controls } from './Controls.tsx';
import { Inspector } from './Inspector.tsx';
import { type Note, withoutRepeats } from './notes.ts';
import css from './Player.module.css';
import { usePlayerKeys } from './player-keys.ts';
import { ReplayFacts } from './ReplayFacts.tsx';
import { Scrubber } from './Scrubber.tsx';
import { Stage } from './Stage.tsx';
import { clockText } from './timeline.ts';
import { type Opened, usePlayback, usePlayer } from './use-playback.ts';

export interface PlayerProps {
  project: string;
  replay: ReplayDetail;
  events: readonly ReplayEvent[];
  comments: readonly ReplayComment[];
  /** ms after the beginning. */
  startAt: number;
}

export function Player({ project, replay, events, comments, startAt }: PlayerProps) {
  const own = usePart(replayWords);
  const [loadsImages, setLoadsImages] = useState(false);
  const { session } = replay;
  const address = `/project/${encodeURIComponent(project)}/replay/${session}/blocks`;
  const opened = usePlayback(replay, { address, startAt, loadsImages });
  const playback = opened?.playback ?? null;
  const section = useRef<HTMLElement>(null);
  const notes = useNotes(opened, events);
  const moments = useMemo(() => comments.map(({ at }) => at), [comments]);
  const onFullScreen = useCallback(() => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void section.current?.requestFullscreen?.().catch(() => undefined);
  }, []);
  usePlayerKeys(playback, onFullScreen);
  const page = usePlayer(playback, ({ at }) => notes.findLast((note) => note.kind === 'page' && note.at <= at)?.title);
  const shown = page ?? replay.entryPath ?? '';
  // The stage is there from the start: its page comes while scripts are on their way.
  return (
    <div className={css['player']}>
      <section ref={section} className={css['stage']} aria-label={own.player}>
        <ReplayFacts replay={replay} actions={playback && <CopyMoment playback={playback} />} />
        <div className={css['view']}>
          <p className={`${css['address']} mono clip`}>{shown === '' ? '/' : shown}</p>
          <Stage playback={playback} loadsImages={loadsImages} page={shown} />
          {playback ? <Status playback={playback} /> : <p className={css['state']}>{own.loading}</p>}
        </div>
        <div className={css['controls']}>
          {playback && (
            <>
              <Scrubber playback={playback} notes={notes} comments={moments} />
              <Controls
                playback={playback}
                isLive={replay.isLive}
                loadsImages={loadsImages}
                onLoadImages={setLoadsImages}
                onFullScreen={onFullScreen}
              />
              <p className={css['keys']}>{own.keys}</p>
            </>
          )}
        </div>
      </section>
      {playback ? (
        <Inspector
          project={project}
          playback={playback}
          notes={notes}
          commentCount={comments.length}
          comments={<Comments project={project} session={session} playback={playback} comments={comments} />}
        />
      ) : (
        <aside className={css['side']} />
      )}
    </div>
  );
}

const nothing: readonly Note[] = [];

/** What the inspector lists, as far as the recording is loaded. */
function useNotes(opened: Opened | null, events: readonly ReplayEvent[]): readonly Note[] {
  const recording = opened?.recording;
  const loads = usePlayer(opened?.playback ?? null, (state) => state.loads);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of a recording grows in place
  return useMemo(() => (recording ? allNotes(recording.notes, events) : nothing), [recording, events, loads]);
}

function Status({ playback }: { playback: Playback }) {
  const own = usePart(replayWords);
  const status = usePlayer(playback, (state) => state.status);
  if (status === 'failed') {
    return (
      <div role="alert" className={css['state']}>
        <p>{own.failed}</p>
        <Button small icon="refresh" onClick={() => playback.seek(playback.state().at)}>
          {own.retry}
        </Button>
      </div>
    );
  }
  if (status !== 'loading' && status !== 'waiting') return null;
  return (
    <p role="status" className={css['state']}>
      {status === 'loading' ? own.loading : own.waiting}
    </p>
  );
}

type Playback = Opened['playback'];

/** Copies the address of the moment. It opens a little earlier. */
function CopyMoment({ playback }: { playback: Playback }) {
  const own = usePart(replayWords);
  const { words } = useWords();
  const [state, copy] = useCopy();
  const seconds = usePlayer(playback, ({ at, from }) => Math.floor((at - from) / 1000));
  const address = () => `${location.origin}${location.pathname}?t=${seconds}`;
  return (
    <>
      <Button kind="quiet" small icon={state === 'copied' ? 'check' : 'link'} onClick={() => copy(address())}>
        {state === 'ready' ? own.copyLink(clockText(seconds * 1000)) : words.copy[state]}
      </Button>
      {/* Beside the button: what is said within one is not part of its name, and its moment passes all the time. */}
      <span role="status" className="visually-hidden">
        {state !== 'ready' && words.copy[state]}
      </span>
    </>
  );
}

/** What was recorded, and the events of the visit, in order. */
function allNotes(recorded: readonly Note[], events: readonly ReplayEvent[]): Note[] {
  const own = events.map((event): Note => {
    const isView = event.event === '$pageview' || event.event === '$screen';
    const isError = event.event === '$exception';
    return {
      key: event.uuid,
      kind: isError ? 'error' : isView ? 'page' : 'event',
      at: event.ts,
      title: isView && event.detail !== '' ? event.detail : event.event,
      detail: isView ? '' : event.detail,
      isProblem: isError || event.event === '$rageclick' || event.event === '$dead_click',
      event: keyOf(event),
    };
  });
  const hasViews = own.some(({ kind }) => kind === 'page');
  return [...withoutRepeats(recorded, hasViews), ...own].sort((one, other) => one.at - other.at);
}
