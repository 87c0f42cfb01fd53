/**
 * Dense numbers per project: persons, distinct ids, event names and property groups are numbered from 1, so that they fit into
 * small arrays. Numbers come from blocks that are reserved outside the write transaction, since the row of a counter would
 * be locked until its commit. A restart leaves the rest of a block unused, which does no harm. Owner of `number_blocks`.
 */
import type { Pool } from 'pg';
import { query, sql } from './sql.ts';

const BLOCK = 1_000;

/** Numbers that one caller holds. */
export interface Supply {
  /** The next number. Throws when more are taken than were asked for: that is a mistake in the caller. */
  next(): number;
  /** Puts back what was not taken. */
  release(): void;
}

export interface Numbers {
  /** Holds `count` numbers for the caller; asks the database only when the block in hand does not suffice. */
  reserve(projectId: number, kind: string, count: number): Promise<Supply>;
}

/** From the first number up to the last, exclusive. */
interface Range {
  from: number;
  to: number;
}

export function createNumbers(pool: Pool): Numbers {
  const inHand = new Map<string, Range[]>();

  async function fetchBlock(projectId: number, kind: string, atLeast: number): Promise<Range> {
    const size = Math.max(BLOCK, atLeast);
    const [row] = await query<{ next: number }>(
      pool,
      sql`insert into number_blocks as block (project_id, kind, next)
          values (${projectId}, ${kind}, ${1 + size}::int)
          on conflict (project_id, kind) do update set next = block.next + ${size}::int
          returning next`,
    );
    const { next } = row as { next: number };
    return { from: next - size, to: next };
  }

  return {
    async reserve(projectId, kind, count) {
      const key = `${projectId} ${kind}`;
      const held = takeFrom(inHand.get(key) ?? [], count);
      const missing = count - sizeOf(held);
      if (missing > 0) {
        const block = await fetchBlock(projectId, kind, missing).catch((error: unknown) => {
          for (const range of held) putBack(inHand, key, range);
          throw error;
        });
        const own = { from: block.from, to: block.from + missing };
        held.push(own);
        putBack(inHand, key, { from: own.to, to: block.to });
      }
      return {
        next() {
          const range = held[0];
          if (range === undefined) throw new Error(`more numbers of kind ${kind} taken than reserved`);
          const number = range.from++;
          if (range.from >= range.to) held.shift();
          return number;
        },
        release() {
          for (const range of held.splice(0)) putBack(inHand, key, range);
        },
      };
    },
  };
}

/** Cuts up to `count` numbers off the front of the ranges. */
function takeFrom(ranges: Range[], count: number): Range[] {
  const taken: Range[] = [];
  let missing = count;
  while (missing > 0 && ranges.length > 0) {
    const first = ranges[0] as Range;
    const cut = Math.min(missing, first.to - first.from);
    taken.push({ from: first.from, to: first.from + cut });
    first.from += cut;
    missing -= cut;
    if (first.from >= first.to) ranges.shift();
  }
  return taken;
}

function putBack(inHand: Map<string, Range[]>, key: string, range: Range): void {
  if (range.from >= range.to) return;
  const ranges = inHand.get(key);
  if (ranges === undefined) inHand.set(key, [range]);
  else ranges.unshift(range);
}

function sizeOf(ranges: Range[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}
