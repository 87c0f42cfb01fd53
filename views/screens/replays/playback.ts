/**
 * Plays a recording: one window at a time, in the stage. What the replayer needs is loaded here, before it is asked for. Times are ms by our clock.
 */
import type { ReplaySpeed } from '#src/replays/watching/values.ts';
import { addEvents, type DrawnWindow, drawWindow, edgeAt, type PlayerCode, removeWindow, whenSized } from './draw.ts';
import { createLoader } from './loader.ts';
import type { Recording } from './recording.ts';
import { afterPause, pausesOf, type RecordedWindow, type Span, windowAt, windowsOf } from './timeline.ts';

export type PlayerStatus = 'loading' | 'paused' | 'playing' | 'waiting' | 'ended' | 'failed';

export interface PlayerState {
  status: PlayerStatus;
  at: number;
  from: number;
  to: number;
  window: string | null;
  windows: readonly RecordedWindow[];
  /** The window that the visitor uses is shown. */
  follows: boolean;
  speed: ReplaySpeed;
  skipsIdle: boolean;
  /** As far as they are known. */
  pauses: readonly Span[];
  /** Of the shown window, CSS px; null: nothing is drawn. */
  size: { width: number; height: number } | null;
  /** Grows with what is loaded, so that lists are drawn again. */
  loads: number;
}

export interface Playback {
  subscribe(listener: () => void): () => void;
  state(): PlayerState;
  play(): void;
  pause(): void;
  seek(at: number): void;
  /** Loads what a moment needs, since it may be chosen next. */
  expect(at: number): void;
  setSpeed(speed: ReplaySpeed): void;
  setSkipsIdle(skips: boolean): void;
  /** Null: follows the visitor. */
  showWindow(window: string | null): void;
  /** A recording that goes on is longer now. */
  extend(): void;
  /** Where it is drawn. */
  setStage(stage: HTMLElement): void;
  destroy(): void;
}

export interface PlaybackParts {
  recording: Recording;
  /** The replayer's code. */
  load(): Promise<PlayerCode>;
  at: number;
  span: Span;
}

/** How often what is shown beside the stage moves. */
const TICK_MS = 100;
/** Lists and marks are drawn again so often at most, while the recording is loaded. */
const LISTS_MS = 200;
/** More is loaded when less than this is left. */
const BUFFER_MS = 60_000;

function createState(initial: PlayerState) {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    get: () => state,
    set(change: Partial<PlayerState>): void {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function beginning({ blocks }: Recording, at: number, span: Span): PlayerState {
  return {
    status: 'loading',
    at,
    ...span,
    window: null,
    windows: windowsOf(blocks),
    follows: true,
    speed: 1,
    skipsIdle: true,
    pauses: [],
    size: null,
    loads: 0,
  };
}

/** Says what is known by now of a recording that is being loaded: not with each piece, since that draws all lists again. */
function createLists(recording: Recording, { get, set }: Pick<ReturnType<typeof createState>, 'get' | 'set'>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function tell(): void {
    timer = undefined;
    const { from, to, loads } = get();
    const known = { from, to: Math.min(recording.loadedTo(from), to) };
    const inputs = recording.inputs.map(({ at }) => at);
    set({ loads: loads + 1, pauses: pausesOf(inputs, known) });
  }
  return {
    grown(): void {
      timer ??= setTimeout(tell, LISTS_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** The window that is to be shown at a time. */
function windowOf({ inputs }: Recording, { follows, window, windows }: PlayerState, at: number): string | null {
  return !follows && window !== null ? window : windowAt(windows, inputs, at);
}

/** What fails is asked for again, and said then. */
function prepareEarly(recording: Recording, window: string | null, at: number): void {
  if (window !== null) recording.prepare(window, at).catch(() => undefined);
}

export function createPlayback({ recording, load, at: start, span }: PlaybackParts): Playback {
  const { get, set, subscribe } = createState(beginning(recording, start, span));
  const loader = createLoader(recording, get);
  let stage: HTMLElement | null = null;
  let drawn: DrawnWindow | null = null;
  let wantsPlay = false;
  /** It was played to its end, and goes on when there is more. */
  let awaitsMore = false;
  /** Counts what is asked for: an older answer changes nothing. */
  let asked = 0;

  const lists = createLists(recording, { get, set });
  const unsubscribe = recording.onEvents((window, events) => {
    if (drawn !== null && window === get().window) addEvents(drawn, events);
    lists.grown();
  });

  const wantedWindow = (at: number) => windowOf(recording, get(), at);

  function remove(): void {
    removeWindow(drawn);
    drawn = null;
  }

  /** Draws the current moment; loads what it needs. */
  async function show(): Promise<void> {
    const mine = ++asked;
    const { at } = get();
    const window = wantedWindow(at);
    if (window === null || stage === null) return;
    if (!recording.isReady(window, at)) {
      loader.hold();
      set({ status: drawn === null ? 'loading' : 'waiting' });
    }
    try {
      const [code] = await Promise.all([load(), recording.prepare(window, at)]);
      if (mine !== asked) return;
      // What is loaded may show that another window was used.
      if (wantedWindow(at) !== window) return await show();
      if (drawn === null || get().window !== window) await draw(code, window);
      if (mine !== asked || drawn === null) return;
      const offset = Math.max(0, at - get().from);
      if (wantsPlay) drawn.play(offset);
      else drawn.pause(offset);
      set({ status: wantsPlay ? 'playing' : 'paused' });
      loader.start();
    } catch {
      if (mine === asked) set({ status: 'failed' });
    }
  }

  async function draw(code: PlayerCode, window: string): Promise<void> {
    remove();
    if (stage === null) return;
    const { from, to, speed } = get();
    set({ window });
    const events = recording.eventsOf(window);
    drawn = drawWindow(code, { stage, span: { from, to }, events, speed, onSize: (size) => set({ size }) });
    await whenSized();
  }

  function tick(): void {
    const { status, from, to, window, skipsIdle, pauses } = get();
    if (status !== 'playing' || drawn === null) return;
    const at = Math.min(from + drawn.getCurrentTime(), to);
    set({ at });
    if (at >= to) {
      drawn.pause();
      wantsPlay = false;
      awaitsMore = true;
      set({ status: 'ended' });
    } else if (window !== null && !recording.isReady(window, at)) {
      drawn.pause();
      void show();
    } else {
      const next = skipsIdle ? afterPause(pauses, at) : null;
      if (next !== null) seek(next);
      else if (wantedWindow(at) !== window) void show();
      if (recording.loadedTo(at) < at + BUFFER_MS) loader.start();
    }
  }

  function seek(to: number): void {
    awaitsMore = false;
    const { from, to: end, status } = get();
    set({ at: Math.min(Math.max(to, from), end), ...(status === 'ended' && { status: 'paused' }) });
    void show();
  }

  const timer = setInterval(tick, TICK_MS);
  // While the place where it is drawn comes.
  load().catch(() => undefined);
  prepareEarly(recording, wantedWindow(start), start);

  return {
    subscribe,
    state: get,
    play() {
      wantsPlay = true;
      const { at, from, to } = get();
      seek(at >= to ? from : at);
    },
    pause() {
      wantsPlay = false;
      drawn?.pause();
      if (['playing', 'waiting'].includes(get().status)) set({ status: 'paused' });
    },
    seek,
    expect: (at) => prepareEarly(recording, wantedWindow(at), at),
    setSpeed(speed) {
      drawn?.setConfig({ speed });
      set({ speed });
    },
    setSkipsIdle: (skipsIdle) => set({ skipsIdle }),
    showWindow(window) {
      set({ follows: window === null });
      if (window !== null && window !== get().window) {
        remove();
        set({ window });
      }
      void show();
    },
    extend() {
      const { blocks } = recording;
      const { to: before, status } = get();
      const to = Math.max(before, ...blocks.map(({ toAt }) => toAt));
      if (drawn !== null && to > before) addEvents(drawn, [edgeAt(to + 1)]);
      set({ to, windows: windowsOf(blocks), ...(status === 'ended' && to > before && { status: 'paused' }) });
      if (!awaitsMore || to === before) return loader.start();
      wantsPlay = true;
      seek(get().at);
    },
    setStage(element) {
      if (stage === element) return;
      remove();
      stage = element;
      void show();
    },
    destroy() {
      asked++;
      stage = null;
      clearInterval(timer);
      lists.stop();
      unsubscribe();
      loader.stop();
      recording.stop();
      remove();
    },
  };
}
