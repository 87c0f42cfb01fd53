/** How the state of an alert follows from its evaluations, and which messages are sent. Pure. */
import type { AlertState, NoticeKind } from './values.ts';

export interface StateNow {
  state: AlertState;
  stateAt: number;
  /** When the present firing was last notified, ms; null: not yet. */
  notifiedAt: number | null;
  snoozedUntil: number | null;
}

/** Interval of reminders of a firing, ms. */
export const REMINDER_MS = 86_400_000;

/** @param fires null: no data, which changes nothing @param isLast false for intervals that an outage missed: firings are notified by the last one */
export function advance(
  before: StateNow,
  { fires, now, isLast }: { fires: boolean | null; now: number; isLast: boolean },
): { after: StateNow; notice: Exclude<NoticeKind, 'test'> | null } {
  if (fires === null) return { after: before, notice: null };
  const isQuiet = before.snoozedUntil !== null && before.snoozedUntil > now;
  const wasFiring = before.state === 'firing' || before.state === 'acknowledged';
  if (!fires) {
    if (!wasFiring) return { after: before, notice: null };
    const wasNotified = before.notifiedAt !== null && !isQuiet;
    return {
      after: { ...before, state: 'resolved', stateAt: now, notifiedAt: null },
      notice: wasNotified ? 'resolved' : null,
    };
  }
  const after: StateNow = wasFiring ? before : { ...before, state: 'firing', stateAt: now, notifiedAt: null };
  if (after.state === 'acknowledged' || isQuiet || !isLast) return { after, notice: null };
  if (after.notifiedAt === null) return { after: { ...after, notifiedAt: now }, notice: 'fired' };
  if (now - after.notifiedAt < REMINDER_MS) return { after, notice: null };
  return { after: { ...after, notifiedAt: now }, notice: 'reminder' };
}
