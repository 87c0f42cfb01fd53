/** What the groups of a type did: events, people, and when first and last. Counted chunk by chunk, with persons as in the rows. Pure. */
import { openColumn } from '../storage/format.ts';
import { firstAt } from '../storage/quarters.ts';
import type { GroupSubject } from '../values.ts';
import { columnOf, type EventChunk } from './count-events.ts';
import { type RowPlan, rowsOfPeople } from './count-trend.ts';
import { currentOf } from './merges.ts';
import type { SessionSet } from './session-set.ts';
import { floatsOf, intsOf } from './shared.ts';

export interface ListGroupsPlan extends RowPlan {
  of: GroupSubject;
}

/** By group, as columns of the same length. */
export interface GroupsPart {
  groups: Int32Array;
  events: Int32Array;
  /** ms. */
  first: Float64Array;
  last: Float64Array;
  /** End offset of each group's persons. */
  ends: Int32Array;
  /** Each once by group. */
  persons: Int32Array;
}

export function listGroups(
  plan: ListGroupsPlan,
  { columns, edges }: EventChunk,
  sets: readonly SessionSet[],
): GroupsPart {
  const bytes = columns[plan.of];
  if (bytes === undefined) return partOf([], new Map());
  const times = columnOf(columns, 'ts');
  const groups = openColumn(bytes);
  const persons = columnOf(columns, 'person');
  const [from, until] = [firstAt(times, edges[0] as number), firstAt(times, edges.at(-1) as number)];
  const numbers = groups.numbers as Int32Array;
  const numberOf = persons.numbers as Int32Array;
  const found = new Map<number, Found>();
  for (const row of rowsOfPeople(plan, columns, sets, from, until)) {
    const number = numbers[groups.codes[row] as number] as number;
    if (number === 0) continue;
    const ts = (times.codes[row] as number) + times.base;
    const own = found.get(number) ?? { events: 0, first: ts, last: ts, persons: new Set() };
    own.events++;
    own.last = ts;
    own.persons.add(numberOf[persons.codes[row] as number] as number);
    found.set(number, own);
  }
  return partOf([...found.keys()], found);
}

interface Found {
  events: number;
  first: number;
  last: number;
  persons: Set<number>;
}

function partOf(groups: readonly number[], found: ReadonlyMap<number, Found>): GroupsPart {
  const all = groups.map((group) => found.get(group) as Found);
  let end = 0;
  return {
    groups: intsOf(groups),
    events: intsOf(all.map(({ events }) => events)),
    first: floatsOf(all.map(({ first }) => first)),
    last: floatsOf(all.map(({ last }) => last)),
    ends: intsOf(
      all.map(({ persons }) => {
        end += persons.size;
        return end;
      }),
    ),
    persons: intsOf(all.flatMap(({ persons }) => [...persons])),
  };
}

export function bytesOfGroups({ groups, persons }: GroupsPart): number {
  return groups.length * 28 + persons.length * 4;
}

export type GroupFigures = Pick<GroupsPart, 'groups' | 'events' | 'first' | 'last'> & {
  /** How many people, after merges. */
  people: Int32Array;
};

/** Adds up what all chunks say. */
export function sumGroups(
  { mergedInto }: { mergedInto: Int32Array | null },
  parts: readonly GroupsPart[],
): GroupFigures {
  const found = new Map<number, Found>();
  for (const { groups, events, first, last, ends, persons } of parts) {
    for (let at = 0; at < groups.length; at++) {
      const group = groups[at] as number;
      const own = found.get(group) ?? {
        events: 0,
        first: Number.POSITIVE_INFINITY,
        last: 0,
        persons: new Set<number>(),
      };
      own.events += events[at] as number;
      own.first = Math.min(own.first, first[at] as number);
      own.last = Math.max(own.last, last[at] as number);
      for (let place = at === 0 ? 0 : (ends[at - 1] as number); place < (ends[at] as number); place++) {
        const person = persons[place] as number;
        if (person !== 0) own.persons.add(currentOf(mergedInto, person));
      }
      found.set(group, own);
    }
  }
  const all = [...found.values()];
  return {
    groups: intsOf([...found.keys()]),
    events: intsOf(all.map(({ events }) => events)),
    first: floatsOf(all.map(({ first }) => first)),
    last: floatsOf(all.map(({ last }) => last)),
    people: intsOf(all.map(({ persons }) => persons.size)),
  };
}
