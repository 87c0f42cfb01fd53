/**
 * The rows of Live as they come. While someone reads, new rows wait in a line of their own; nothing moves under the pointer.
 * Pure: one function for what arrives, one for letting the waiting rows in.
 */
import type { LivePresence, LiveRow, LiveSnapshot, LiveUpdate, PassedOver } from '#src/events/contract.ts';
import { keyOf } from '#views/kit/event-key.ts';

/** Rows on the screen, and rows that may wait. */
export const MAX_SHOWN = 200;
export const MAX_WAITING = 500;

export interface StreamState {
  /** Identifies the stream. */
  of: string;
  summary: LivePresence;
  /** Newest first. */
  rows: readonly LiveRow[];
  /** Newest first. */
  waiting: readonly LiveRow[];
  /** More arrived than may wait: the oldest of them are gone. */
  overflown: boolean;
  /** Events that were skipped because they arrived too fast, since the screen was opened. */
  passedOver: PassedOver;
  /** From where the stream goes on. */
  cursor: string;
}

export type StreamEvent =
  | { type: 'begun'; of: string; snapshot: LiveSnapshot }
  | { type: 'arrived'; of: string; update: LiveUpdate; held: boolean }
  | { type: 'released' };

export function startOf({ of, snapshot }: { of: string; snapshot: LiveSnapshot }): StreamState {
  const { summary, rows, cursor } = snapshot;
  return { of, summary, rows, waiting: [], overflown: false, passedOver: { rows: 0, more: false }, cursor };
}

export function reduceStream(state: StreamState, event: StreamEvent): StreamState {
  if (event.type === 'begun') return startOf(event);
  if (event.type === 'released') return released(state);
  // Of the one before, when another has just begun.
  if (event.of !== state.of) return state;
  const { summary, cursor, passedOver: last } = event.update;
  const passedOver = { rows: state.passedOver.rows + last.rows, more: state.passedOver.more || last.more };
  const known = new Set([...state.rows, ...state.waiting].map(keyOf));
  const fresh = event.update.rows.filter((row) => !known.has(keyOf(row))).reverse();
  const next = { ...state, summary, passedOver, cursor };
  if (fresh.length === 0) return next;
  const waiting = [...fresh, ...state.waiting];
  const held = {
    ...next,
    waiting: waiting.slice(0, MAX_WAITING),
    overflown: state.overflown || waiting.length > MAX_WAITING,
  };
  return event.held ? held : released(held);
}

function released(state: StreamState): StreamState {
  if (state.waiting.length === 0) return state;
  return {
    ...state,
    rows: [...state.waiting, ...state.rows].slice(0, MAX_SHOWN),
    waiting: [],
    overflown: false,
  };
}
