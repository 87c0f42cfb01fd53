/** What plays the recording: buttons, speed, pauses, tabs. */
import type { ReactNode } from 'react';
import { replaySpeeds } from '#src/replays/watching/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Select } from '#views/kit/Select.tsx';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Player.module.css';
import type { Playback } from './playback.ts';
import { ReplayIcon } from './ReplayIcon.tsx';
import { clockText } from './timeline.ts';
import { usePlayer } from './use-playback.ts';

const JUMP_MS = 10_000;
/** Behind the newest of a recording that goes on. */
const LIVE_LEAD_MS = 3_000;

export interface ControlsProps {
  playback: Playback;
  isLive: boolean;
  loadsImages: boolean;
  onLoadImages(loads: boolean): void;
  onFullScreen(): void;
}

export function Controls({ playback, isLive, loadsImages, onLoadImages, onFullScreen }: ControlsProps) {
  const own = usePart(replayWords);
  const { format } = useWords();
  const status = usePlayer(playback, (state) => state.status);
  const speed = usePlayer(playback, (state) => state.speed);
  const skipsIdle = usePlayer(playback, (state) => state.skipsIdle);
  const to = usePlayer(playback, (state) => state.to);
  const isPlaying = status === 'playing' || status === 'waiting';
  const jump = (by: number) => playback.seek(playback.state().at + by);
  return (
    <div className={css['buttons']}>
      <Button kind="quiet" className={css['icon']} aria-label={own.back} onClick={() => jump(-JUMP_MS)}>
        <ReplayIcon name="rewind" />
      </Button>
      <Button
        kind="primary"
        icon={isPlaying ? 'pause' : status === 'ended' ? 'refresh' : 'play'}
        iconOnly
        onClick={() => (isPlaying ? playback.pause() : playback.play())}
      >
        {isPlaying ? own.pause : status === 'ended' ? own.again : own.play}
      </Button>
      <Button kind="quiet" className={css['icon']} aria-label={own.forward} onClick={() => jump(JUMP_MS)}>
        <ReplayIcon name="forward" />
      </Button>
      <Time playback={playback} />
      <Select
        className="input"
        aria-label={own.speed}
        value={speed}
        onChange={({ target }) => {
          const chosen = replaySpeeds.find((each) => String(each) === target.value);
          if (chosen !== undefined) playback.setSpeed(chosen);
        }}
      >
        {replaySpeeds.map((each) => (
          <option key={each} value={each}>
            {format.decimal(each)}×
          </option>
        ))}
      </Select>
      <Check isOn={skipsIdle} onChange={(isOn) => playback.setSkipsIdle(isOn)}>
        {own.skipIdle}
      </Check>
      <Windows playback={playback} />
      {isLive && (
        <Button small icon="live" onClick={() => playback.seek(to - LIVE_LEAD_MS)}>
          {own.toLive}
        </Button>
      )}
      <span className={css['end']}>
        <Check isOn={loadsImages} hint={own.imagesHint} onChange={onLoadImages}>
          {own.images}
        </Check>
        <Button kind="quiet" className={css['icon']} aria-label={own.fullScreen} onClick={onFullScreen}>
          <ReplayIcon name="expand" />
        </Button>
      </span>
    </div>
  );
}

function Time({ playback }: { playback: Playback }) {
  const seconds = usePlayer(playback, ({ at, from }) => Math.floor((at - from) / 1000));
  const length = usePlayer(playback, ({ to, from }) => to - from);
  return (
    <span className={`${css['time']} num`}>
      {clockText(seconds * 1000)} <span className="dim">/ {clockText(length)}</span>
    </span>
  );
}

function Windows({ playback }: { playback: Playback }) {
  const own = usePart(replayWords);
  const { format } = useWords();
  const windows = usePlayer(playback, (state) => state.windows);
  const current = usePlayer(playback, (state) => (state.follows ? '' : (state.window ?? '')));
  if (windows.length < 2) return null;
  return (
    <Select
      className="input"
      aria-label={own.window}
      value={current}
      onChange={({ target }) => playback.showWindow(target.value === '' ? null : target.value)}
    >
      <option value="">{own.followed}</option>
      {windows.map(({ id }, index) => (
        <option key={id} value={id}>
          {own.windowName(format.number(index + 1))}
        </option>
      ))}
    </Select>
  );
}

interface CheckProps {
  isOn: boolean;
  hint?: string;
  onChange(isOn: boolean): void;
  children: ReactNode;
}

function Check({ isOn, hint, onChange, children }: CheckProps) {
  return (
    <label className={css['check']} title={hint}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {children}
    </label>
  );
}
