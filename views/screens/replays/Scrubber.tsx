/** Where the recording is, with what happened in it. */
import { memo, type PointerEvent, useEffect, useRef } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { replayWords } from '#views/words/replays.ts';
import { usePart } from '#views/words/words.tsx';
import type { Note } from './notes.ts';
import css from './Player.module.css';
import type { Playback } from './playback.ts';
import { clockText, type Span } from './timeline.ts';
import { usePlayer } from './use-playback.ts';

const STEP_MS = 5_000;
/** A pointer that rests so long on the timeline is about to choose a moment. */
const REST_MS = 60;

export interface ScrubberProps {
  playback: Playback;
  notes: readonly Note[];
  /** Moments of comments, ms after the beginning. */
  comments: readonly number[];
}

export function Scrubber({ playback, notes, comments }: ScrubberProps) {
  const own = usePart(replayWords);
  const from = usePlayer(playback, (state) => state.from);
  const to = usePlayer(playback, (state) => state.to);
  const at = usePlayer(playback, (state) => state.at);
  const pauses = usePlayer(playback, (state) => state.pauses);
  const length = Math.max(1, to - from);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  const onPointerMove = ({ nativeEvent: { offsetX }, currentTarget: { clientWidth } }: PointerEvent<HTMLElement>) => {
    clearTimeout(rest.current);
    if (clientWidth === 0) return;
    const moment = from + length * Math.min(1, Math.max(0, offsetX / clientWidth));
    rest.current = setTimeout(() => playback.expect(moment), REST_MS);
  };
  return (
    <div className={css['scrub']}>
      <Marks from={from} length={length} notes={notes} pauses={pauses} comments={comments} />
      <svg className={css['done']} aria-hidden="true">
        <rect width={percent((at - from) / length)} height="2" />
      </svg>
      <input
        type="range"
        className={css['slider']}
        aria-label={own.position}
        aria-valuetext={own.positionText(clockText(at - from), clockText(to - from))}
        min={0}
        max={length}
        step={100}
        value={Math.round(at - from)}
        onChange={({ target }) => playback.seek(from + Number(target.value))}
        onPointerMove={onPointerMove}
        onPointerLeave={() => clearTimeout(rest.current)}
        onKeyDown={(event) => {
          const step = { ArrowLeft: -STEP_MS, ArrowDown: -STEP_MS, ArrowRight: STEP_MS, ArrowUp: STEP_MS }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          playback.seek(playback.state().at + step);
        }}
      />
    </div>
  );
}

interface MarksProps {
  from: number;
  length: number;
  notes: readonly Note[];
  pauses: readonly Span[];
  comments: readonly number[];
}

const Marks = memo(function Marks({ from, length, notes, pauses, comments }: MarksProps) {
  const placed = (at: number) => percent((at - from) / length);
  const shown = notes.filter(({ kind, isProblem }) => kind === 'page' || (kind !== 'network' && isProblem));
  return (
    <svg className={css['marks']} aria-hidden="true">
      <line className={css['track']} x1="0" x2="100%" y1="14" y2="14" />
      {pauses.map((pause) => (
        <rect
          key={pause.from}
          className={css['pause']}
          x={placed(pause.from)}
          y="11"
          width={percent((pause.to - pause.from) / length)}
          height="6"
        />
      ))}
      {shown.map(({ key, at, isProblem }) =>
        isProblem ? (
          <svg key={key} x={placed(at)} y="6" className={css['mark']} aria-hidden="true">
            <path className={css['problem']} d="M0-4L4 0 0 4-4 0z" />
          </svg>
        ) : (
          <line key={key} className={css['tick']} x1={placed(at)} x2={placed(at)} y1="9" y2="19" />
        ),
      )}
      {comments.map((at, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: comments at the same moment look alike
          key={`${at} ${index}`}
          className={classNames(css['comment'])}
          cx={placed(from + at)}
          cy="23"
          r="2.5"
        />
      ))}
    </svg>
  );
});

function percent(part: number): string {
  return `${(Math.min(1, Math.max(0, part)) * 100).toFixed(3)}%`;
}
