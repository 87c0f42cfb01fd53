/**
 * Steps of each actor in a chunk, in chronological order: rows of several kinds, a bit for each. Merged over chunks they are
 * the timelines of actors. Persons are as in the rows, before merges. Pure, except for reused memory.
 */
import { openColumn } from '../storage/format.ts';
import { firstAt } from '../storage/quarters.ts';
import { columnOf, type EventChunk } from './count-events.ts';
import { type Actors, actorColumn, bytesOfKeys, type RowPlan, rowsOfPeople } from './count-trend.ts';
import { type Key, type KeyPlace, keysOfRows } from './row-keys.ts';
import type { SessionSet } from './session-set.ts';
import { sharedFloats, sharedInts } from './shared.ts';

export interface StepsPlan {
  /** The bit of each is its place. */
  kinds: readonly RowPlan[];
  /** All that could have happened: what is of no kind is listed without a bit, once for all that is on end. Null: it is not. */
  others: RowPlan | null;
  by: readonly KeyPlace[] | null;
  of: Actors;
  /** Only the first of each. */
  firstOnly: boolean;
  /** For visits: also list persons. */
  withPersons?: boolean;
}

/** In order of time, as columns of the same length. */
export interface StepsPart {
  keys: Key[];
  /** Places in `keys`; null: all are alike. */
  keyed: Int32Array | null;
  /** Persons or groups; or visits, whose numbers may be larger. */
  actors: Int32Array | Float64Array;
  /** In ms after `base`. */
  times: Uint32Array | Float64Array;
  base: number;
  bits: Int32Array;
  /** For visits, the persons if requested. */
  persons?: Int32Array;
}

const OTHER = 1 << 30;

export function listSteps(plan: StepsPlan, { columns, edges }: EventChunk, sets: readonly SessionSet[]): StepsPart {
  const times = columnOf(columns, 'ts');
  const [from, until] = [firstAt(times, edges[0] as number), firstAt(times, edges.at(-1) as number)];
  const flags = new Int32Array(Math.max(until - from, 0));
  const mark = (kind: RowPlan, bit: number) => {
    for (const row of rowsOfPeople(kind, columns, sets, from, until))
      flags[row - from] = (flags[row - from] as number) | bit;
  };
  for (const [place, kind] of plan.kinds.entries()) mark(kind, 1 << place);
  if (plan.others !== null) mark(plan.others, OTHER);
  const found = choose(plan, columns, flags, from);
  const { rows } = found;
  const part: StepsPart = {
    keys: [0],
    keyed: null,
    base: times.base,
    bits: sharedInts(rows.length),
    actors: plan.of === 'visits' ? sharedFloats(rows.length) : sharedInts(rows.length),
    times: new Uint32Array(new SharedArrayBuffer(rows.length * 4)),
    ...(plan.withPersons && { persons: personsOf(columns, rows) }),
  };
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    part.actors[at] = found.numbers[found.codes[row] as number] as number;
    part.times[at] = times.codes[row] as number;
    part.bits[at] = (flags[row - from] as number) & ~OTHER;
  }
  if (plan.by === null) return part;
  const { keys, places } = keysOfRows(columns, rows, plan.by);
  const keyed = sharedInts(rows.length);
  keyed.set(places.subarray(0, rows.length));
  return { ...part, keys, keyed };
}

function personsOf(columns: EventChunk['columns'], rows: Int32Array): Int32Array {
  const { codes, numbers } = columnOf(columns, 'person');
  const persons = sharedInts(rows.length);
  for (let at = 0; at < rows.length; at++) persons[at] = numbers?.[codes[rows[at] as number] as number] as number;
  return persons;
}

/** The rows that are listed, and who did what. */
function choose({ of, firstOnly }: StepsPlan, columns: EventChunk['columns'], flags: Int32Array, from: number) {
  const bytes = columns[actorColumn(of)];
  if (bytes === undefined) return { rows: new Int32Array(0), codes: new Uint8Array(0), numbers: new Int32Array(0) };
  const { codes, numbers: known } = openColumn(bytes);
  const numbers = known ?? new Int32Array(0);
  const seen = new Uint8Array(numbers.length);
  const rows = new Int32Array(flags.length);
  let count = 0;
  for (let at = 0; at < flags.length; at++) {
    const flag = flags[at] as number;
    if (flag === 0) continue;
    const code = codes[at + from] as number;
    if (numbers[code] === 0) continue;
    // Consecutive rows of no kind count as one.
    if (firstOnly || flag === OTHER) {
      if (seen[code] === 1) continue;
      seen[code] = 1;
    } else seen[code] = 0;
    rows[count++] = at + from;
  }
  return { rows: rows.subarray(0, count), codes, numbers };
}

export function bytesOfSteps({ keys, keyed, actors, persons }: StepsPart): number {
  const perStep = 8 + (keyed === null ? 0 : 4) + (persons === undefined ? 0 : 4);
  return actors.byteLength + actors.length * perStep + bytesOfKeys(keys);
}
