/**
 * Copies what is stored to ClickHouse: closed epochs in their order, and changes of copied rows. One process at a time. What is sent is noted before,
 * and repeated with the same number until it is known to have arrived; ClickHouse takes a number once.
 */
import type { Client } from 'pg';
import { closeEpochFor } from '#src/events/sealing.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { ClickhouseConnection } from './connection.ts';
import { send } from './send.ts';
import * as state from './state.ts';
import { noteInsert, recognizeTarget } from './target.ts';

/** Events of an insert: some 30 MB. */
const BATCH = 100_000;
/** Rows of changes that are applied at once. */
const CHANGED_ROWS = 50_000;
const MIN_SPAN = 32;
const MAX_SPAN = 65_536;

export interface ShipperParts {
  client: Client;
  house: ClickhouseConnection;
  clock: Clock;
  /** Events of an insert; absent: 100,000. */
  batch?: number | undefined;
}

export interface Shipper {
  /** Sends the next piece. @returns true when nothing was left */
  step(): Promise<boolean>;
}

/** On a connection that has the lock. Finds out first which tables are there. */
export async function openShipper({ client, house, clock, batch = BATCH }: ShipperParts): Promise<Shipper> {
  await recognizeTarget(client, house);
  let closed = 0;
  let span = MIN_SPAN;

  async function sendNext(current: state.ShippingState, sending: state.Sending): Promise<void> {
    if (current.target === null) throw new Error('no target');
    if (current.sending === null) await state.noteSending(client, sending);
    const rows = await send({ client, house }, { ...current, target: current.target, sending });
    await noteInsert(house, current.target, current.number + 1);
    await state.noteSent(client, sending, rows);
  }

  /** Closed epochs are complete. @returns up to which they are */
  async function closeIfNeeded(shipped: number): Promise<number> {
    if (closed <= shipped && (await state.hasLaterEvents(client, shipped)))
      closed = await closeEpochFor(client, closed);
    return closed;
  }

  /** The next events; null: there are none in the epochs that were looked at, up to the given one. */
  async function nextEvents({ shipped, position }: state.ShippingState): Promise<state.Sending | number | null> {
    if ((await closeIfNeeded(shipped)) <= shipped) return null;
    const upTo = Math.min(closed, shipped + span);
    const epochs = await state.epochsBetween(client, shipped, upTo);
    const [first] = epochs;
    if (first === undefined) {
      span = Math.min(span * 2, MAX_SPAN);
      return upTo;
    }
    if (position !== null || first.rows >= batch * 2) {
      if (first.epoch !== shipped + 1) return first.epoch - 1;
      return { what: 'events', until: first.epoch, last: await state.rowAfter(client, first.epoch, position, batch) };
    }
    let [rows, until] = [0, shipped];
    for (const each of epochs) {
      if (rows > 0 && rows + each.rows > batch) break;
      rows += each.rows;
      until = each.epoch;
    }
    const isAll = until === epochs.at(-1)?.epoch;
    span = isAll && rows < batch / 2 ? Math.min(span * 2, MAX_SPAN) : isAll ? span : Math.max(MIN_SPAN, span >> 1);
    return { what: 'events', until: isAll ? upTo : until, last: null };
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
      const next = await nextEvents(current);
      if (typeof next === 'number') await state.noteNothingUntil(client, next);
      else if (next !== null) await sendNext(current, next);
      if (next !== null) return false;
      await state.noteCaughtUp(client, clock.now());
      return true;
    },
  };
}
