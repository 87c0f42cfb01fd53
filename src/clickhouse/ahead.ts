/**
 * Which events are copied next: several small epochs together, or a piece of a large one. Closed epochs get no more events, so what was found out about them is kept
 * from one insert to the next: each epoch is counted once, and a large one put in order once.
 */
import type { Client } from 'pg';
import { closeEpochFor } from '#src/events/sealing.ts';
import * as state from './state.ts';

/** Events of an insert: some 30 MB. */
const BATCH = 100_000;
const MIN_SPAN = 32;
const MAX_SPAN = 65_536;

export interface Ahead {
  /** The next events; a number: there are none in the epochs up to this one; null: nothing is left. */
  next(client: Client, shipping: state.ShippingState): Promise<state.Sending | number | null>;
}

/** Of one database, whose state it is given. Anything it forgets is read again. @param batch events of an insert */
export function lookAhead(batch = BATCH): Ahead {
  let target: string | null = null;
  /** All epochs up to it are closed. */
  let closed = 0;
  /** How many epochs are counted at once. */
  let span = MIN_SPAN;
  /** Epochs with events, up to one. */
  let counted: { upTo: number; epochs: state.CountedEpoch[] } = { upTo: 0, epochs: [] };
  /** Where a large epoch is cut: the last rows of its pieces but the last one. */
  let cut: { epoch: number; ends: state.Position[] } | null = null;

  async function epochsAfter(client: Client, shipped: number): Promise<state.CountedEpoch[]> {
    if (counted.upTo <= shipped) {
      const upTo = Math.min(closed, shipped + span);
      counted = { upTo, epochs: await state.epochsBetween(client, shipped, upTo) };
    }
    counted.epochs = counted.epochs.filter(({ epoch }) => epoch > shipped);
    return counted.epochs;
  }

  /** Events of a large epoch after a row. */
  async function nextPiece(client: Client, epoch: number, position: state.Position | null): Promise<state.Sending> {
    let ends = cut?.epoch === epoch ? endsAfter(cut.ends, position) : null;
    if (ends === null) {
      ends = await state.endsOfPieces(client, epoch, position, batch);
      cut = { epoch, ends };
    }
    return { what: 'events', until: epoch, last: ends[0] ?? null };
  }

  function together(shipped: number, { upTo, epochs }: typeof counted): state.Sending {
    let [rows, until] = [0, shipped];
    for (const each of epochs) {
      if (rows > 0 && rows + each.rows > batch) break;
      rows += each.rows;
      until = each.epoch;
    }
    const isAll = until === epochs.at(-1)?.epoch;
    if (!isAll) span = Math.max(MIN_SPAN, span >> 1);
    else if (rows < batch / 2) span = Math.min(span * 2, MAX_SPAN);
    return { what: 'events', until: isAll ? upTo : until, last: null };
  }

  return {
    async next(client, { target: own, shipped, position }) {
      if (own !== target) {
        [target, closed, span, cut] = [own, 0, MIN_SPAN, null];
        counted = { upTo: 0, epochs: [] };
      }
      // A piece of it was copied, so it is closed.
      if (position !== null) return nextPiece(client, shipped + 1, position);
      if (closed <= shipped && (await state.hasLaterEvents(client, shipped)))
        closed = await closeEpochFor(client, closed);
      if (closed <= shipped) return null;
      const [first] = await epochsAfter(client, shipped);
      if (first === undefined) {
        span = Math.min(span * 2, MAX_SPAN);
        return counted.upTo;
      }
      if (first.rows < batch * 2) return together(shipped, counted);
      return first.epoch === shipped + 1 ? nextPiece(client, first.epoch, null) : first.epoch - 1;
    },
  };
}

/** Ends of the pieces after the one that ends at a row; null: none ends there. */
function endsAfter(ends: readonly state.Position[], position: state.Position | null): state.Position[] | null {
  if (position === null) return [...ends];
  const at = ends.findIndex(({ uuid, ts, project }) => {
    return uuid === position.uuid && ts === position.ts && project === position.project;
  });
  return at < 0 ? null : ends.slice(at + 1);
}
