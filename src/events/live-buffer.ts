/** The newest rows of a project, numbered in the order they were found, so that a viewer goes on where it was. Pure. */
import type { LiveRow, PassedOver } from './contract.ts';

/** How far a viewer may lag behind. Beyond that the oldest events are skipped, and the viewer is informed. */
const rowsKept = 1_000;
/** Maximum rows of one message to a viewer; the next follows immediately. */
const rowsPerUpdate = 500;

export const NONE: PassedOver = { rows: 0, more: false };

/** Result of a read: the rows, and what was skipped before them. */
export interface ReadResult {
  rows: LiveRow[];
  passed: PassedOver;
}

/** Rows after a viewer's position. */
export interface Piece extends ReadResult {
  /** The viewer's position after these rows. */
  position: number;
}

export interface LiveBuffer {
  /** The oldest first. */
  rows(): readonly LiveRow[];
  /** The position after the newest row. */
  end(): number;
  add(found: ReadResult): void;
  /** Takes these for the kept ones that they are, by `(ts, uuid)`: they are read otherwise now. */
  replace(rows: readonly LiveRow[]): void;
  /** The next rows from a position on, at most as many as one message has. */
  from(position: number): Piece;
}

export function createLiveBuffer(limits = { rowsKept, rowsPerUpdate }): LiveBuffer {
  let kept: LiveRow[] = [];
  /** The number of the first row. */
  let firstKept = 0;
  /** Before this number there were rows that have none: they were not even counted. */
  let uncountedBefore = 0;
  const end = (): number => firstKept + kept.length;

  return {
    rows: () => kept,
    end,
    add({ rows, passed }) {
      if (passed.rows > 0) {
        firstKept = end() + passed.rows;
        kept = rows;
      } else if (rows.length > 0) {
        kept.push(...rows);
        const surplus = Math.max(0, kept.length - limits.rowsKept);
        kept = kept.slice(surplus);
        firstKept += surplus;
      }
      if (passed.more) uncountedBefore = firstKept;
    },
    replace(rows) {
      const read = new Map(rows.map((row) => [`${row.ts} ${row.uuid}`, row]));
      kept = kept.map((row) => read.get(`${row.ts} ${row.uuid}`) ?? row);
    },
    from(position) {
      const from = Math.max(position, firstKept);
      const rows = kept.slice(from - firstKept, from - firstKept + limits.rowsPerUpdate);
      return {
        rows,
        passed: { rows: from - position, more: position < uncountedBefore },
        position: from + rows.length,
      };
    },
  };
}
