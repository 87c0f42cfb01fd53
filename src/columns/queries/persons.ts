/** Members of a set of persons, by number, to read their events. */
import type { People } from '../filters/rules.ts';
import type { Condition } from '../kernels/select.ts';
import { gather } from '../snapshot/gather.ts';
import type { AnswerParts } from './answer-parts.ts';
import { conditionsOfChoice } from './people.ts';

export interface PersonsQuery {
  projectId: number;
  people: People;
}

/** A set by the numbers of persons, also those of before a merge. */
export interface PersonNumbers {
  numbers: number[];
  /** True when the set is everyone except these. */
  isExcept: boolean;
}

/** @throws AppError `invalid` for conditions that cannot be, `timeout` */
export function queryPersons(parts: AnswerParts, { projectId, people }: PersonsQuery): Promise<PersonNumbers> {
  return parts.snapshots.withSnapshot(
    projectId,
    [],
    async (snapshot) => {
      const { client, once } = snapshot;
      const nothing = { spans: [], eventColumns: [], properties: [], sessionColumns: [], toEndOfVisits: false };
      const gathered = await gather({ ...parts, snapshot, client }, { projectId, ...nothing });
      const own = { client, projectId, groups: parts.groups, cache: parts.cache, gathered, once };
      const found = await conditionsOfChoice(parts, own, { filters: null, people });
      return found === null ? { numbers: [], isExcept: true } : numbersOf(found.where);
    },
    parts.ending,
  );
}

function numbersOf(where: Condition): PersonNumbers {
  const size = sizeOf(where);
  // A number beyond all masks stands for all other persons.
  const isExcept = isIn(where, size);
  const numbers: number[] = [];
  for (let number = 1; number < size; number++) if (isIn(where, number) !== isExcept) numbers.push(number);
  return { numbers, isExcept };
}

function isIn(where: Condition, person: number): boolean {
  if ('all' in where) return where.all.every((each) => isIn(each, person));
  if ('any' in where) return where.any.some((each) => isIn(each, person));
  if ('not' in where) return !isIn(where.not, person);
  if ('mask' in where) return where.mask[person] === 1;
  throw new Error('a person filter needs person conditions');
}

function sizeOf(where: Condition): number {
  if ('all' in where) return where.all.reduce((most, each) => Math.max(most, sizeOf(each)), 1);
  if ('any' in where) return where.any.reduce((most, each) => Math.max(most, sizeOf(each)), 1);
  if ('not' in where) return sizeOf(where.not);
  return 'mask' in where ? Math.max(1, where.mask.length) : 1;
}
