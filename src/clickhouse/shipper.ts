/**
 * Copies what is stored to ClickHouse: closed epochs in their order, and changes of copied rows. One process at a time. What is sent is noted before,
 * and repeated with the same number until it is known to have arrived; ClickHouse takes a number once. While it takes events, the next ones are read.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import { noteLost } from '#src/events/dropped-changes.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { Ahead } from './ahead.ts';
import type { ClickhouseConnection } from './connection.ts';
import { otherDays } from './dropping/kept.ts';
import { type EventsRead, readEvents } from './reading.ts';
import { sendChanges, sendEvents } from './send.ts';
import * as state from './state.ts';
import { noteInsert, recognizeTarget } from './target.ts';

/** Rows of changes that are applied at once. */
const CHANGED_ROWS = 50_000;

export interface ShipperParts {
  client: Client;
  /** Opens another connection when events are to be read. */
  openReader(): Promise<Client>;
  house: ClickhouseConnection;
  clock: Clock;
  ahead: Ahead;
}

type SendingEvents = Extract<state.Sending, { what: 'events' }>;

/** The events after those that are being sent. */
interface NextRead {
  /** The state that they were chosen and read for. */
  at: state.ShippingState;
  sending: SendingEvents;
  read: EventsRead;
}

export interface Shipper {
  /** Sends the next piece. @returns true when nothing was left */
  step(): Promise<boolean>;
}

/** On a connection that has the lock. Finds out first which tables are there. */
export async function openShipper({ client, openReader, house, clock, ahead }: ShipperParts): Promise<Shipper> {
  await recognizeTarget(client, house);
  /** Dropped months that ClickHouse does not have; null: not looked at yet. */
  let lost: string[] | null = null;

  async function lostMonths(): Promise<string[]> {
    return noteLost(client, await otherDays(client, house), clock.now());
  }

  let nextRead: Promise<NextRead | null> = Promise.resolve(null);

  /** Begins when those before are read, and `client` has nothing to do. */
  async function readNext(at: state.ShippingState, before: EventsRead): Promise<NextRead | null> {
    const sending = await ahead.next(client, at);
    if (sending === null || typeof sending === 'number' || sending.what !== 'events') return null;
    await before.ended;
    return { at, sending, read: await readEvents(await openReader(), at, sending) };
  }

  /** What was read for this state. Of another one it is given up: each insert has another number, also one of changes, and what was read before them may not come after them. */
  async function takeNext(current: state.ShippingState): Promise<NextRead | null> {
    const next = await nextRead;
    nextRead = Promise.resolve(null);
    if (next === null || isSamePlace(next.at, current)) return next;
    for (const { stream } of [next.read.events, next.read.sessions]) stream.destroy();
    await next.read.ended;
    return null;
  }

  async function sendSome(current: state.ShippingState & { target: string }, sending: SendingEvents, read: EventsRead) {
    const sent = sendEvents(house, current, read);
    // What fails there is read again when its turn comes.
    nextRead = readNext(state.afterSending(current, sending), read).catch(() => null);
    return sent;
  }

  async function sendNext(current: state.ShippingState, sending: state.Sending, read?: EventsRead): Promise<void> {
    const { target } = current;
    if (target === null) throw new Error('no target');
    if (current.sending === null) await state.noteSending(client, sending);
    const known = { ...current, target };
    let rows = 0;
    if (sending.what === 'changes') await sendChanges({ client, house }, known, sending.ids);
    else rows = await sendSome(known, sending, read ?? (await readEvents(await openReader(), current, sending)));
    await noteInsert(house, target, current.number + 1);
    await state.noteSent(client, sending, rows);
  }

  return {
    async step() {
      const current = await state.readState(client);
      if (current.sending !== null) {
        await sendNext(current, current.sending);
        return false;
      }
      const changes = await state.readChanges(client, CHANGED_ROWS);
      if (changes.length > 0) {
        await sendNext(current, { what: 'changes', ids: changes.map(({ id }) => id) });
        return false;
      }
      const read = await takeNext(current);
      if (read !== null) {
        await sendNext(current, read.sending, read.read);
        return false;
      }
      const next = await ahead.next(client, current);
      if (typeof next === 'number') await state.noteNothingUntil(client, next);
      else if (next !== null) await sendNext(current, next);
      if (next !== null) return false;
      lost ??= current.caughtUpAt === null ? await lostMonths() : [];
      if (lost.length === 0) await state.noteCaughtUp(client, clock.now());
      else await state.noteError(client, lostReason(lost), clock.now());
      return true;
    },
  };
}

/** For the operator. */
function lostReason(months: readonly string[]): string {
  return `ClickHouse has lost dropped events of ${months.join(', ')}: restore its database from a backup`;
}

/** True when the same events come next, with the same number. */
function isSamePlace(one: state.ShippingState, other: state.ShippingState): boolean {
  return (['target', 'shipped', 'position', 'number'] as const).every((key) => isDeepStrictEqual(one[key], other[key]));
}
