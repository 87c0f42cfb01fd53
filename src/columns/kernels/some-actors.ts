/** Parts of chunks reduced to some actors: persons as in the rows, before merges, or visits. Pure. */
import type { TrendPart } from './count-trend.ts';
import type { StepsPart } from './list-steps.ts';
import { floatsOf, intsOf } from './shared.ts';

/** A byte for each number from `from` on: 1 for those who are chosen. */
export interface ChosenActors {
  from: number;
  marks: Uint8Array;
}

export type ActorPart = StepsPart | TrendPart;

export function isChosen({ from, marks }: ChosenActors, actor: number): boolean {
  return marks[actor - from] === 1;
}

/** Whom a part tells of, with repetitions. */
export function actorsIn(part: ActorPart): ArrayLike<number> {
  return 'actors' in part ? part.actors : part.items;
}

/** The part with the chosen actors alone, and with the keys it had. */
export function partOfSome<Part extends ActorPart>(part: Part, chosen: ChosenActors): Part;
export function partOfSome(part: ActorPart, chosen: ChosenActors): ActorPart {
  return 'actors' in part ? stepsOfSome(part, chosen) : trendOfSome(part, chosen);
}

function stepsOfSome(part: StepsPart, chosen: ChosenActors): StepsPart {
  const at = placesOf(part.actors, chosen);
  const ints = (list: ArrayLike<number>) => intsOf(at.map((place) => list[place] as number));
  const times = new Uint32Array(new SharedArrayBuffer(at.length * 4));
  for (let place = 0; place < at.length; place++) times[place] = part.times[at[place] as number] as number;
  return {
    ...part,
    keyed: part.keyed && ints(part.keyed),
    // Numbers of visits may be larger than an Int32Array holds.
    actors: part.actors instanceof Int32Array ? ints(part.actors) : floatsAt(part.actors, at),
    times,
    bits: ints(part.bits),
    ...(part.persons && { persons: ints(part.persons) }),
  };
}

/** Cells keep their places; their counts of events, which nobody asks actors for, are left as they are. */
function trendOfSome(part: TrendPart, chosen: ChosenActors): TrendPart {
  const at = placesOf(part.items, chosen);
  const ends = intsOf(part.ends);
  let place = 0;
  for (let cell = 0; cell < ends.length; cell++) {
    const end = part.ends[cell] as number;
    while (place < at.length && (at[place] as number) < end) place++;
    ends[cell] = place;
  }
  return {
    ...part,
    ends,
    items: floatsAt(part.items, at),
    times: intsOf(at.map((each) => part.times[each] as number)),
  };
}

function floatsAt(list: ArrayLike<number>, at: Int32Array): Float64Array<SharedArrayBuffer> {
  const found = floatsOf(new Float64Array(at.length));
  for (let place = 0; place < at.length; place++) found[place] = list[at[place] as number] as number;
  return found;
}

function placesOf(actors: ArrayLike<number>, { from, marks }: ChosenActors): Int32Array {
  const at = new Int32Array(actors.length);
  let count = 0;
  for (let place = 0; place < actors.length; place++) {
    if (marks[(actors[place] as number) - from] === 1) at[count++] = place;
  }
  return at.subarray(0, count);
}
