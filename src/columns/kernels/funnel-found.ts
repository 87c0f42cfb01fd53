/** What funnels found of different actors, put together, and without some of them. Pure. */
import type { FunnelFound, FunnelRow } from './funnel.ts';
import type { Key } from './row-keys.ts';
import { type ChosenActors, isChosen } from './some-actors.ts';

/** As if it had been found at once. */
export function joinFunnels(all: readonly FunnelFound[]): FunnelFound {
  const [first] = all;
  if (first !== undefined && all.length === 1) return first;
  const byKey = new Map<Key, FunnelRow[]>();
  for (const { rows } of all) {
    for (const row of rows) {
      const known = byKey.get(row.key);
      if (known) known.push(row);
      else byKey.set(row.key, [row]);
    }
  }
  const wholes = all.flatMap(({ whole }) => whole ?? []);
  return {
    rows: [...byKey.values()].map(joinRows),
    whole: wholes.length === 0 ? null : joinRows(wholes),
    excluded: floats(all.map(({ excluded }) => excluded)),
    unconverted: {
      actors: floats(all.map(({ unconverted }) => unconverted.actors)),
      began: floats(all.map(({ unconverted }) => unconverted.began)),
    },
  };
}

function joinRows(rows: readonly FunnelRow[]): FunnelRow {
  const [first] = rows as [FunnelRow];
  if (rows.length === 1) return first;
  return {
    key: first.key,
    done: joined(
      Int32Array,
      rows.map(({ done }) => done),
    ),
    intervals: joined(
      Int32Array,
      rows.map(({ intervals }) => intervals),
    ),
    took: first.took.map((_, step) => floats(rows.map(({ took }) => took[step] as Float64Array))),
    totalMs: floats(rows.map(({ totalMs }) => totalMs)),
    actors: floats(rows.map(({ actors }) => actors)),
    people: rows.flatMap(({ people }) => people),
  };
}

function floats(lists: readonly Float64Array[]): Float64Array {
  return joined(Float64Array, lists);
}

function joined<List extends Int32Array | Float64Array>(
  List: new (length: number) => List,
  lists: readonly List[],
): List {
  const all = new List(lists.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const list of lists) {
    all.set(list, from);
    from += list.length;
  }
  return all;
}

/** Without the chosen actors, as if they had done nothing. Nobody is listed in it. */
export function funnelWithout(found: FunnelFound, chosen: ChosenActors): FunnelFound {
  const { rows, whole, excluded, unconverted } = found;
  const isLeft = unconverted.actors.map((actor) => (isChosen(chosen, actor) ? 0 : 1));
  return {
    rows: rows.map((row) => rowWithout(row, chosen)).filter(({ done }) => done.length > 0),
    whole: whole && rowWithout(whole, chosen),
    excluded: excluded.filter((actor) => !isChosen(chosen, actor)),
    unconverted: {
      actors: unconverted.actors.filter((_, at) => isLeft[at] === 1),
      began: unconverted.began.filter((_, at) => isLeft[at] === 1),
    },
  };
}

function rowWithout({ key, done, intervals, took, totalMs, actors }: FunnelRow, chosen: ChosenActors): FunnelRow {
  const isLeft = Uint8Array.from(actors, (actor) => (isChosen(chosen, actor) ? 0 : 1));
  const steps = took.length + 1;
  // Durations are of those who did the step, in the order of attempts.
  const ofStep = (durations: Float64Array, step: number) => {
    let at = 0;
    const left: number[] = [];
    for (let attempt = 0; attempt < done.length; attempt++) {
      if (((done[attempt] as number) & (1 << step)) === 0) continue;
      if (isLeft[attempt] === 1) left.push(durations[at] as number);
      at++;
    }
    return Float64Array.from(left);
  };
  return {
    key,
    done: done.filter((_, at) => isLeft[at] === 1),
    intervals: intervals.filter((_, at) => isLeft[at] === 1),
    took: took.map((durations, at) => ofStep(durations, at + 1)),
    totalMs: ofStep(totalMs, steps - 1),
    actors: actors.filter((_, at) => isLeft[at] === 1),
    people: [],
  };
}

export function bytesOfFunnel({ rows, whole, excluded, unconverted }: FunnelFound): number {
  const ofRow = ({ done, took }: FunnelRow) => done.length * (24 + took.length * 8);
  const ofRows = [...rows, ...(whole === null ? [] : [whole])].reduce((sum, row) => sum + ofRow(row), 0);
  return ofRows + (excluded.length + unconverted.actors.length * 2) * 8;
}
