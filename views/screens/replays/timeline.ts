/** Blocks, windows and pauses of a recording. Pure. */
import type { ReplayBlock } from '#src/replays/watching/contract.ts';

/** A stretch of a recording, ms by our clock. */
export interface Span {
  from: number;
  to: number;
}

/** A tab or window of a session. */
export interface RecordedWindow extends Span {
  id: string;
}

/** Without input for longer than this, the visitor was idle. */
export const IDLE_MS = 5_000;
/** Of a skipped pause so much of its end is shown. */
const IDLE_TAIL_MS = 1_000;

/** The windows of a session in the order of their beginning. */
export function windowsOf(blocks: readonly ReplayBlock[]): RecordedWindow[] {
  const windows = new Map<string, RecordedWindow>();
  for (const { window, fromAt, toAt } of blocks) {
    const known = windows.get(window);
    windows.set(window, {
      id: window,
      from: Math.min(known?.from ?? fromAt, fromAt),
      to: Math.max(known?.to ?? toAt, toAt),
    });
  }
  return [...windows.values()].sort((one, other) => one.from - other.from);
}

/**
 * The blocks of a window that have to be there to draw it at a time: from the last full snapshot before. Of a window that begins later, those of
 * its first full snapshot.
 */
export function blocksAt(blocks: readonly ReplayBlock[], window: string, at: number): ReplayBlock[] {
  const own = blocks.filter((block) => block.window === window).sort((one, other) => one.fromAt - other.fromAt);
  const begun = own.filter(({ fromAt }) => fromAt <= at);
  const start = begun.findLastIndex(({ hasFull }) => hasFull);
  if (start >= 0) return begun.slice(start);
  const first = own.findIndex(({ hasFull }) => hasFull);
  return first < 0 ? [] : own.slice(0, first + 1);
}

/** The next blocks of all windows that are not loaded, from a time on: at most so many bytes, and at least one. */
export function blocksAfter(
  blocks: readonly ReplayBlock[],
  isLoaded: (seq: number) => boolean,
  at: number,
  maxBytes: number,
): ReplayBlock[] {
  const chosen: ReplayBlock[] = [];
  let bytes = 0;
  const later = blocks.filter(({ seq, toAt }) => toAt >= at && !isLoaded(seq));
  for (const block of later.sort((one, other) => one.fromAt - other.fromAt)) {
    if (chosen.length > 0 && bytes + block.bytes > maxBytes) break;
    chosen.push(block);
    bytes += block.bytes;
  }
  return chosen;
}

/** Ranges of consecutive numbers that cover the blocks, for as few requests as there can be. */
export function rangesOf(blocks: readonly ReplayBlock[], all: readonly ReplayBlock[]): { from: number; to: number }[] {
  const wanted = new Set(blocks.map(({ seq }) => seq));
  const ranges: { from: number; to: number }[] = [];
  let isOpen = false;
  for (const seq of all.map((block) => block.seq).sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (!wanted.has(seq)) isOpen = false;
    else if (isOpen && last !== undefined) last.to = seq;
    else {
      ranges.push({ from: seq, to: seq });
      isOpen = true;
    }
  }
  return ranges;
}

/** Ranges that are asked for first, when a recording is opened at a time. */
export function firstRangesOf(blocks: readonly ReplayBlock[], at: number): { from: number; to: number }[] {
  const window = windowAt(windowsOf(blocks), [], at);
  return window === null ? [] : rangesOf(blocksAt(blocks, window, at), blocks);
}

/** Pauses of the visitor between times of input. */
export function pausesOf(inputs: readonly number[], { from, to }: Span): Span[] {
  const pauses: Span[] = [];
  let before = from;
  for (const at of [...inputs, to]) {
    if (at - before > IDLE_MS) pauses.push({ from: before, to: at });
    if (at > before) before = at;
  }
  return pauses;
}

/** Where a pause that is going on at a time is left; null: there is none. */
export function afterPause(pauses: readonly Span[], at: number): number | null {
  const pause = pauses.find(({ from, to }) => from + IDLE_TAIL_MS <= at && at < to - IDLE_TAIL_MS);
  return pause === undefined ? null : pause.to - IDLE_TAIL_MS;
}

/** The window that the visitor used last; before any input, one that has begun. */
export function windowAt(
  windows: readonly RecordedWindow[],
  inputs: readonly { window: string; at: number }[],
  at: number,
): string | null {
  const last = inputs.findLast((input) => input.at <= at);
  if (last !== undefined) return last.window;
  return (windows.find(({ from, to }) => from <= at && at <= to) ?? windows[0])?.id ?? null;
}

/** 192_000 → "3:12", 3_723_000 → "1:02:03". */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
