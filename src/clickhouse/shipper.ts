/**
 * Copies what is stored to ClickHouse: closed epochs in their order, and changes of copied rows. One process at a time. What is sent is noted before,
 * and repeated with the same number until it is known to have arrived; ClickHouse takes a number once.
 */
import type { Client } from 'pg';
import { noteLost } from '#src/events/dropped-changes.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { Ahead } from './ahead.ts';
import type { ClickhouseConnection } from './connection.ts';
import { otherDays } from './dropping/kept.ts';
import { send } from './send.ts';
import * as state from './state.ts';
import { noteInsert, recognizeTarget } from './target.ts';

/** Rows of changes that are applied at once. */
const CHANGED_ROWS = 50_000;

export interface ShipperParts {
  client: Client;
  house: ClickhouseConnection;
  clock: Clock;
  ahead: Ahead;
}

export interface Shipper {
  /** Sends the next piece. @returns true when nothing was left */
  step(): Promise<boolean>;
}

/** On a connection that has the lock. Finds out first which tables are there. */
export async function openShipper({ client, house, clock, ahead }: ShipperParts): Promise<Shipper> {
  await recognizeTarget(client, house);
  /** Dropped months that ClickHouse does not have; null: not looked at yet. */
  let lost: string[] | null = null;

  async function lostMonths(): Promise<string[]> {
    return noteLost(client, await otherDays(client, house), clock.now());
  }

  async function sendNext(current: state.ShippingState, sending: state.Sending): Promise<void> {
    if (current.target === null) throw new Error('no target');
    if (current.sending === null) await state.noteSending(client, sending);
    const rows = await send({ client, house }, { ...current, target: current.target, sending });
    await noteInsert(house, current.target, current.number + 1);
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
