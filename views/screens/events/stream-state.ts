/**
 * The rows of Live as they come. While someone reads, new rows wait in a line of their own; nothing moves under the pointer.
 * Pure: one function for what arrives, one for letting the waiting rows in.
 */
import type { LivePresence, LiveRow, LiveSnapshot, LiveUpdate, PassedOver } from '#src/events/contract.ts';
import { keyOf } from '#views/kit/event-key.ts';

/** Rows on the screen, and rows that may wait. */
export const MOST_SHOWN = 200;
export const MOST_WAITING = 500;

export interface StreamState {
  summary: LivePresence;
  /** Newest first. */
  rows: readonly LiveRow[];
  /** Newest first. */
  waiting: readonly LiveRow[];
  /** More arrived than may wait: the oldest of them are gone. */
  overflown: boolean;
  /** What came too fast to be sent here, since the screen was opened. */
  passedOver: PassedOver;
  /** From where the stream goes on. */
  cursor: string;
}

export type StreamEvent = { type: 'arrived'; update: LiveUpdate; held: boolean } | { type: 'released' };

export function startOf({ summary, rows, cursor }: LiveSnapshot): StreamState {
  return { summary, rows, waiting: [], overflown: false, passedOver: { rows: 0, more: false }, cursor };
}

export function reduceStream(state: StreamState, event: StreamEvent): StreamState {
  if (event.type === 'released') return released(state);
  const { summary, cursor, passedOver: last } = event.update;
  const passedOver = { rows: state.passedOver.rows + last.rows, more: state.passedOver.more || last.more };
  const known = new Set([...state.rows, ...state.waiting].map(keyOf));
  const fresh = event.update.rows.filter((row) => !known.has(keyOf(row))).reverse();
  if (fresh.length === 0) return { ...state, summary, passedOver, cursor };
  const waiting = [...fresh, ...state.waiting];
  const next = {
    ...state,
    summary,
    passedOver,
    cursor,
    waiting: waiting.slice(0, MOST_WAITING),
    overflown: state.overflown || waiting.length > MOST_WAITING,
  };
  return event.held ? next : released(next);
}

function released(state: StreamState): StreamState {
  if (state.waiting.length === 0) return state;
  return {
    ...state,
    rows: [...state.waiting, ...state.rows].slice(0, MOST_SHOWN),
    waiting: [],
    overflown: false,
  };
}
