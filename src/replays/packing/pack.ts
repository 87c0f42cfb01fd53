/**
 * Blocks of a recording, put together again: each window's events in the order of time, in blocks that begin at a full snapshot where there is one and hold
 * at most a megabyte, compressed well. Runs in a thread. Pure.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { opensBlock, type RecordedEvent } from '#src/kit/recording/events.ts';
import { maskSecrets } from '#src/kit/recording/mask.ts';
import { addSummaries, createSummary, type RecordingSummary } from '#src/kit/recording/summary.ts';
import { MAX_BLOCK_BYTES } from '../values.ts';

export interface LooseBlock {
  window: string;
  body: Uint8Array;
}

/** Times are ms by the client's clock. */
export interface PackedBlock {
  window: string;
  fromMs: number;
  toMs: number;
  hasFull: boolean;
  rawLength: number;
  body: Uint8Array;
}

export interface Packed {
  /** In the order of their beginning. */
  blocks: PackedBlock[];
  summary: RecordingSummary;
}

/** A full snapshot begins another block only after so much: clients may take one every second. */
const MIN_BLOCK_BYTES = 128 * 1024;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 21 } };

/** A type, so that it can be asked for by message. */
export type Packer = { pack(blocks: readonly LooseBlock[]): Packed };

export function packBlocks(blocks: readonly LooseBlock[]): Packed {
  const windows = new Map<string, RecordedEvent[]>();
  for (const { window, body } of blocks) {
    const events = windows.get(window) ?? [];
    windows.set(window, events);
    for (const event of eventsIn(body)) events.push(event);
  }
  const packed: PackedBlock[] = [];
  const summaries: { fromMs: number; summary: RecordingSummary }[] = [];
  for (const [window, events] of windows) {
    events.sort((one, other) => one.timestamp - other.timestamp);
    // Events that arrived before what made their field known.
    maskSecrets(events, []);
    const summary = createSummary();
    for (const event of events) summary.add(event);
    summaries.push({ fromMs: events[0]?.timestamp ?? 0, summary: summary.result() });
    packed.push(...blocksOf(window, events));
  }
  packed.sort((one, other) => one.fromMs - other.fromMs);
  summaries.sort((one, other) => one.fromMs - other.fromMs);
  return { blocks: packed, summary: addSummaries(summaries.map(({ summary }) => summary)) };
}

export function eventsIn(body: Uint8Array): RecordedEvent[] {
  const lines = zstdDecompressSync(body).toString('utf8').split('\n');
  return lines.flatMap((line) => (line === '' ? [] : (JSON.parse(line) as RecordedEvent)));
}

function blocksOf(window: string, events: readonly RecordedEvent[]): PackedBlock[] {
  const blocks: PackedBlock[] = [];
  let lines: Buffer[] = [];
  let length = 0;
  let begin = 0;
  const close = (end: number) => {
    const [first, last] = [events[begin], events[end - 1]];
    if (first === undefined || last === undefined || end === begin) return;
    blocks.push({
      window,
      fromMs: Math.floor(first.timestamp),
      toMs: Math.floor(last.timestamp),
      hasFull: opensBlock(first, events[begin + 1]),
      rawLength: length,
      body: zstdCompressSync(Buffer.concat(lines), LEVEL),
    });
    [lines, length, begin] = [[], 0, end];
  };
  for (let at = 0; at < events.length; at++) {
    const event = events[at] as RecordedEvent;
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    // A snapshot stays with the size of the page before it.
    const isSecond = at > begin && opensBlock(events[at - 1] as RecordedEvent, event) && at - 1 === begin;
    const opens = opensBlock(event, events[at + 1]) && !isSecond && length >= MIN_BLOCK_BYTES;
    if (opens || (length > 0 && !isSecond && length + line.length > MAX_BLOCK_BYTES)) close(at);
    lines.push(line);
    length += line.length;
  }
  close(events.length);
  return blocks;
}
