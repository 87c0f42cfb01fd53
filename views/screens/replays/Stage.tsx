/** The recorded page, as large as there is room for it. */
import { useEffect, useRef } from 'react';
import { replayWords } from '#views/words/replays.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Player.module.css';
import type { Playback } from './playback.ts';
import { usePlayer } from './use-playback.ts';
import { useRoom } from './use-room.ts';

export interface StageProps {
  /** Null: there is nothing to draw yet. */
  playback: Playback | null;
  loadsImages: boolean;
  page: string;
}

export function Stage({ playback, loadsImages, page }: StageProps) {
  const own = usePart(replayWords);
  const frame = useRef<HTMLIFrameElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const size = usePlayer(playback, (state) => state.size);
  const room = useRoom(box);

  useEffect(() => {
    const element = frame.current;
    if (element === null || playback === null) return;
    const begin = () => {
      const stage = element.contentDocument?.getElementById('stage');
      if (stage) playback.setStage(stage);
    };
    // It may have come before this code.
    begin();
    element.addEventListener('load', begin);
    return () => element.removeEventListener('load', begin);
  }, [playback]);

  useEffect(() => {
    const element = frame.current;
    const wrapper = element?.contentDocument?.querySelector<HTMLElement>('.replayer-wrapper');
    if (!element || !wrapper || !size || room === null) return;
    const scale = Math.min(room.width / size.width, room.height / size.height, 1);
    const [width, height] = [size.width * scale, size.height * scale];
    wrapper.style.transform = `scale(${scale})`;
    // No larger than what it shows: the rest of it would be white.
    Object.assign(element.style, {
      left: `${(room.width - width) / 2}px`,
      top: `${(room.height - height) / 2}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  });

  return (
    <div ref={box} className={css['screen']} role="img" aria-label={own.screen(page)}>
      {/* Nothing in it can be reached: it is a picture of a page. Its scripts do not run, see the policy of the stage. */}
      <iframe
        ref={frame}
        key={String(loadsImages)}
        src={loadsImages ? '/replay-stage?images=1' : '/replay-stage'}
        title={own.screen(page)}
        sandbox="allow-same-origin"
        inert
        className={css['frame']}
      />
    </div>
  );
}
