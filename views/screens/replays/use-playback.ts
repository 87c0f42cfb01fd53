/** The playback of a recording in a component. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { preload } from 'react-dom';
import type { ReplayDetail } from '#src/replays/watching/contract.ts';
import { createPlayback, type Playback, type PlayerState } from './playback.ts';
import { createRecording, fetchFrom, type Recording, rangeAddress } from './recording.ts';
import { firstRangesOf } from './timeline.ts';

export interface Opened {
  recording: Recording;
  playback: Playback;
}

const loadReplayer = async () => (await import('#views/areas/replayer.ts')).Replayer;

/** Null until the browser has taken the page over. @param startAt ms after the beginning */
export function usePlayback(
  replay: Pick<ReplayDetail, 'blocks' | 'firstAt' | 'lastAt'>,
  { address, startAt, loadsImages }: { address: string; startAt: number; loadsImages: boolean },
): Opened | null {
  const [opened, setOpened] = useState<Opened | null>(null);
  const begin = Math.min(replay.firstAt + startAt, replay.lastAt);
  // The browser asks for it while scripts are on their way.
  const [range] = opened === null ? firstRangesOf(replay.blocks, begin) : [];
  if (range !== undefined) preload(rangeAddress(address, range), { as: 'fetch', crossOrigin: 'anonymous' });
  // A recording is opened once; what comes later is added to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const { blocks, firstAt, lastAt } = replay;
    const at = Math.min(opened?.playback.state().at ?? begin, lastAt);
    const recording = createRecording(blocks, fetchFrom(address), loadsImages);
    const playback = createPlayback({ recording, load: loadReplayer, at, span: { from: firstAt, to: lastAt } });
    setOpened({ recording, playback });
    return () => playback.destroy();
  }, [address, loadsImages]);

  useEffect(() => {
    if (opened === null || opened.recording.blocks.length === replay.blocks.length) return;
    // Blocks that were packed meanwhile are others: what is loaded of the old ones is the same recording.
    const seqs = new Set(replay.blocks.map(({ seq }) => seq));
    if (!opened.recording.blocks.every(({ seq }) => seqs.has(seq))) return;
    opened.recording.setBlocks(replay.blocks);
    opened.playback.extend();
  }, [opened, replay.blocks]);
  return opened;
}

/** A part of what the playback says; drawn again only when it changes. Undefined before there is one. */
export function usePlayer<Value>(playback: Playback, select: (state: PlayerState) => Value): Value;
export function usePlayer<Value>(playback: Playback | null, select: (state: PlayerState) => Value): Value | undefined;
export function usePlayer<Value>(playback: Playback | null, select: (state: PlayerState) => Value): Value | undefined {
  const read = () => (playback === null ? undefined : select(playback.state()));
  return useSyncExternalStore(playback?.subscribe ?? neverChanges, read, read);
}

function neverChanges(): () => void {
  return () => undefined;
}
