/** A segment that is open: its conditions as filters that can be changed, with those that stand beside it. Pure. */
import type { Filters } from '#src/columns/contract.ts';
import type { Segment } from '#src/insights/segments/contract.ts';
import { addressOf, type Question, readQuestion } from '../question.ts';
import { bothFilters } from './both.ts';
import type { FilterItem } from './change.ts';
import { isLeftOut } from './left-out.ts';
import type { PeopleChosen, PeopleCriterion } from './people-address.ts';

/** Filters of events and people. */
type Definition = Pick<Question, 'filters' | 'people'>;

export interface OpenSegment {
  segment: Segment;
  /** Its conditions, and those beside it, as the question's own. */
  question: Question;
  /** Whether the question asks for something else than the segment as it is saved. */
  isChanged: boolean;
  /** Conditions that are not saved. */
  isNew(item: FilterItem | PeopleCriterion): boolean;
}

/**
 * The segment that a question names, or edits, with all of its conditions. Null: it names none that is there, or one that an address cannot
 * say, alone or together with the filters beside it.
 */
export function openSegment(question: Question, segments: readonly Segment[]): OpenSegment | null {
  const number = question.segment ?? question.edited;
  const segment = segments.find(({ id }) => id === number);
  if (segment === undefined) return null;
  const saved = asAddressed(segment);
  if (saved === null) return null;
  const isWithin = question.segment !== null;
  const filters = isWithin ? bothFilters(saved.filters, question.filters) : question.filters;
  const people = isWithin ? bothPeople(saved.people, question.people) : question.people;
  if (filters === undefined || people === undefined) return null;
  const known = new Set([saved.filters, ...(saved.filters?.of ?? []), ...(saved.people?.of ?? [])].map(asText));
  return {
    segment,
    question: { ...question, segment: null, edited: segment.id, filters, people },
    isChanged: asText({ filters, people }) !== asText({ filters: saved.filters, people: saved.people }),
    isNew: (item) => !known.has(asText(item)),
  };
}

/** The same as an address says it; null where it says less. */
function asAddressed({ filters, people }: Segment): Definition | null {
  const plain = readQuestion(new URLSearchParams());
  const all = {
    ...plain,
    filters: filters.of.length === 0 ? null : filters,
    people: (people ?? null) as PeopleChosen | null,
  };
  if (people?.of.some((each) => !('did' in each || 'firstSeen' in each) || !isSaid(each))) return null;
  const read = readQuestion(new URL(addressOf('', all), 'http://x').searchParams);
  const count = (of: Filters | null) =>
    (of?.of ?? []).reduce((sum, item) => sum + ('of' in item ? item.of.length : 1), 0);
  const isWhole = count(read.filters) === count(all.filters) && read.people?.of.length === people?.of.length;
  return isWhole && !isLeftOut(read) ? { filters: read.filters, people: read.people } : null;
}

/** Whether a URL can hold the criterion: events of one name, or a goal. */
function isSaid(criterion: object): boolean {
  const did = (criterion as { did?: { event?: string | null; goal?: number } }).did;
  return did === undefined || typeof did.event === 'string' || did.goal !== undefined;
}

function bothPeople(one: PeopleChosen | null, other: PeopleChosen | null): PeopleChosen | null | undefined {
  if (one === null || other === null) return one ?? other;
  const isOne = [one, other].every(({ match, of }) => match === 'all' || of.length === 1);
  return isOne ? { match: 'all', of: [...one.of, ...other.of] } : undefined;
}

/** Equal texts mean the same: of one condition, it does not matter how it would be joined. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return each;
    const isSingle = 'match' in each && Array.isArray(each.of) && each.of.length < 2;
    return Object.fromEntries(
      Object.entries({ ...each, ...(isSingle && { match: 'all' }) }).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  });
}
