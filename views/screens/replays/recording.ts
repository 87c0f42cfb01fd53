/** A recording as far as it is loaded: its events by window, what the inspector lists of it, and when the visitor did something. */
import type { ReplayBlock } from '#src/replays/watching/contract.ts';
import { cleanEvent } from './clean.ts';
import { type Note, notesOf } from './notes.ts';
import { fieldOf, isByVisitor, META, type RecordedEvent } from './recorded.ts';
import { blocksAfter, blocksAt, rangesOf } from './timeline.ts';

/** Fetches events of blocks, both numbers included, as they come. */
export type FetchBlocks = (
  range: { from: number; to: number },
  onEvents: (window: string, events: RecordedEvent[]) => void,
  signal: AbortSignal,
) => Promise<void>;

export interface VisitorInput {
  window: string;
  at: number;
}

export interface Recording {
  readonly blocks: readonly ReplayBlock[];
  readonly notes: readonly Note[];
  /** Sorted by time. */
  readonly inputs: readonly VisitorInput[];
  eventsOf(window: string): readonly RecordedEvent[];
  /** Loads what a window needs to be drawn at a time. */
  prepare(window: string, at: number): Promise<void>;
  /** True when that is loaded. */
  isReady(window: string, at: number): boolean;
  /** Loads what follows, ahead of what is shown. */
  loadAhead(at: number): Promise<void>;
  /** Ahead of a time everything is loaded up to here, ms; the end when nothing is left. */
  loadedTo(at: number): number;
  /** A recording that goes on has more blocks. */
  setBlocks(blocks: readonly ReplayBlock[]): void;
  /** What comes in: new events of a window. */
  onEvents(listener: (window: string, events: readonly RecordedEvent[]) => void): () => void;
  stop(): void;
}

/** Blocks are loaded in portions of so many stored bytes … */
const PORTION_BYTES = 256 * 1024;
/** … and so far ahead of what is shown. */
const AHEAD_BYTES = 4 * 1024 * 1024;

export function createRecording(
  initial: readonly ReplayBlock[],
  fetchBlocks: FetchBlocks,
  loadsImages: boolean,
): Recording {
  let blocks = initial;
  const events = new Map<string, RecordedEvent[]>();
  const notes: Note[] = [];
  const inputs: VisitorInput[] = [];
  const coming = new Map<number, Promise<void>>();
  const loaded = new Set<number>();
  const listeners = new Set<(window: string, events: readonly RecordedEvent[]) => void>();
  const stopped = new AbortController();

  function take(window: string, added: RecordedEvent[]): void {
    const own = events.get(window) ?? [];
    events.set(window, own);
    const before = own.length;
    for (const event of added) cleanEvent(event, loadsImages);
    const noted = added.flatMap((event, index) => notesOf(event, window, before + index));
    const used = added.filter((event) => isByVisitor(event) || event.type === META);
    append(own, added, ({ timestamp }) => timestamp);
    append(notes, noted, ({ at }) => at);
    append(
      inputs,
      used.map(({ timestamp }) => ({ window, at: timestamp })),
      ({ at }) => at,
    );
    for (const listener of listeners) listener(window, added);
  }

  async function fetchRange(range: { from: number; to: number }): Promise<void> {
    await fetchBlocks(range, take, stopped.signal);
  }

  /** Loads blocks that neither are there nor come. */
  async function load(wanted: readonly ReplayBlock[]): Promise<void> {
    const missing = wanted.filter(({ seq }) => !loaded.has(seq) && !coming.has(seq));
    for (const range of rangesOf(missing, blocks)) {
      const its = missing.filter(({ seq }) => seq >= range.from && seq <= range.to);
      const arriving = fetchRange(range).then(
        () => {
          for (const { seq } of its) {
            loaded.add(seq);
            coming.delete(seq);
          }
        },
        (error: unknown) => {
          for (const { seq } of its) coming.delete(seq);
          throw error;
        },
      );
      for (const { seq } of its) coming.set(seq, arriving);
    }
    await Promise.all(wanted.flatMap(({ seq }) => coming.get(seq) ?? []));
  }

  const aheadOf = (at: number, bytes: number) => blocksAfter(blocks, () => false, at, bytes);

  return {
    get blocks() {
      return blocks;
    },
    notes,
    inputs,
    eventsOf: (window) => events.get(window) ?? [],
    prepare: (window, at) => load(blocksAt(blocks, window, at)),
    isReady: (window, at) => blocksAt(blocks, window, at).every(({ seq }) => loaded.has(seq)),
    async loadAhead(at) {
      const near = new Set(aheadOf(at, AHEAD_BYTES).map(({ seq }) => seq));
      const next = blocksAfter(blocks, (seq) => loaded.has(seq) || !near.has(seq), at, PORTION_BYTES);
      await load(next);
    },
    loadedTo(at) {
      const missing = blocks.filter(({ seq, toAt }) => toAt >= at && !loaded.has(seq));
      return missing.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...missing.map(({ fromAt }) => fromAt));
    },
    setBlocks(next) {
      blocks = next;
    },
    onEvents(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => stopped.abort(),
  };
}

/** Adds to a list that is sorted by time. Nearly all that comes is later than what is there: an hour's list is not sorted again for each piece. */
function append<Item>(list: Item[], added: readonly Item[], timeOf: (item: Item) => number): void {
  const last = list.at(-1);
  let latest = last === undefined ? Number.NEGATIVE_INFINITY : timeOf(last);
  let isSorted = true;
  for (const item of added) {
    const time = timeOf(item);
    isSorted &&= time >= latest;
    latest = time;
    list.push(item);
  }
  if (!isSorted) list.sort((one, other) => timeOf(one) - timeOf(other));
}

export function rangeAddress(address: string, { from, to }: { from: number; to: number }): string {
  return `${address}?from=${from}&to=${to}`;
}

/** Reads NDJSON as it arrives. */
export function fetchFrom(address: string): FetchBlocks {
  return async (range, onEvents, signal) => {
    const response = await fetch(rangeAddress(address, range), { signal, credentials: 'same-origin' });
    if (!response.ok || response.body === null) throw new Error(`${rangeAddress(address, range)}: ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const lines = (rest + step.value).split('\n');
      rest = lines.pop() ?? '';
      deliver(lines, onEvents);
    }
    deliver([rest], onEvents);
  };
}

function deliver(lines: readonly string[], onEvents: Parameters<FetchBlocks>[1]): void {
  const byWindow = new Map<string, RecordedEvent[]>();
  for (const line of lines) {
    if (line === '') continue;
    const { window, event } = JSON.parse(line) as { window: string; event: RecordedEvent };
    if (typeof fieldOf(event, 'timestamp') !== 'number') continue;
    const own = byWindow.get(window);
    if (own === undefined) byWindow.set(window, [event]);
    else own.push(event);
  }
  for (const [window, events] of byWindow) onEvents(window, events);
}
