/** Keys of the player, as YouTube has them. They work while no field has the focus, and until single keys are turned off. */
import { useEffect } from 'react';
import { replaySpeeds } from '#src/replays/watching/values.ts';
import { singleKeysOn } from '#views/frame/single-keys.ts';
import type { Playback } from './playback.ts';

const STEP_MS = 5_000;
const JUMP_MS = 10_000;
/** After G, a letter leads to another screen. */
const SEQUENCE_MS = 1_200;

/** @param playback null: there is nothing to play yet */
export function usePlayerKeys(playback: Playback | null, onFullScreen: () => void): void {
  useEffect(() => {
    if (playback === null) return;
    let leading = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !singleKeysOn()) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('input:not([type=range]), textarea, select, dialog, [role=tablist], [popover]')) return;
      // The slider has arrows of its own.
      if (target?.matches('[type=range]') && event.key.startsWith('Arrow')) return;
      const isPressed = event.key === ' ' && target?.closest('button, a, summary');
      const isLed = event.timeStamp - leading < SEQUENCE_MS;
      leading = event.key.toLowerCase() === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const act = isPressed || isLed ? undefined : actionOf(event.key, playback, onFullScreen);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    // Before the keys of the whole program.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [playback, onFullScreen]);
}

function actionOf(key: string, playback: Playback, onFullScreen: () => void): (() => void) | undefined {
  const { at, from, to, speed, status } = playback.state();
  const jump = (by: number) => () => playback.seek(at + by);
  const faster = (by: number) => () => {
    const next = replaySpeeds[replaySpeeds.indexOf(speed) + by];
    if (next !== undefined) playback.setSpeed(next);
  };
  const toggle = () => (status === 'playing' || status === 'waiting' ? playback.pause() : playback.play());
  if (/^[0-9]$/.test(key)) return () => playback.seek(from + ((to - from) * Number(key)) / 10);
  switch (key.toLowerCase()) {
    case ' ':
    case 'k':
      return toggle;
    case 'arrowleft':
      return jump(-STEP_MS);
    case 'arrowright':
      return jump(STEP_MS);
    case 'j':
      return jump(-JUMP_MS);
    case 'l':
      return jump(JUMP_MS);
    case '<':
      return faster(-1);
    case '>':
      return faster(1);
    case 'f':
      return onFullScreen;
    default:
      return undefined;
  }
}
