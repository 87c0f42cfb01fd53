/** Sets of persons in words: "did purchase where plan is pro at least 3 times in the last 28 days". Pure. */
import type { FilterWords } from '#views/words/filters.ts';
import type { Format } from '#views/words/format.ts';
import type { Reading } from '#views/words/value-text.ts';
import type { WhoKind, WhoWords } from '#views/words/who.ts';
import type { EventsChosen, PeopleCriterion } from './people-address.ts';
import { sentenceOf } from './wording.ts';

export interface PeopleWording {
  text: WhoWords;
  /** Words of conditions. */
  filterText: FilterWords;
  reading: Reading;
  format: Format;
  /** Goals of the project, by id. */
  goals: readonly { id: number; name: string }[];
}

/** The sentence in pieces, so that what was chosen can stand out. */
export interface CriterionWords {
  does: string;
  /** The event or the goal; '' without one. */
  what: string;
  /** It is data: the name of an event. */
  isData: boolean;
  /** Conditions of the events; '' for none. */
  where: string;
  times: string;
  when: string;
}

export function wordsOf(criterion: PeopleCriterion, wording: PeopleWording): CriterionWords {
  const { text, format, goals } = wording;
  const does = text.kinds[kindOf(criterion)];
  const range = 'firstSeen' in criterion ? criterion.firstSeen : criterion.within;
  const isAlways = range === 'all_time' && 'did' in criterion;
  const when =
    typeof range === 'string'
      ? isAlways
        ? ''
        : text.when[range]
      : text.between(format.day(range.from, 0), format.day(range.to, 0));
  if ('firstSeen' in criterion) return { does, what: '', isData: false, where: '', times: '', when };
  const { did, times, not } = criterion;
  const isData = 'event' in did;
  const what = isData ? did.event : (goals.find(({ id }) => id === did.goal)?.name ?? text.goneGoal);
  const often = (not ? text.fewer : text.atLeast)(times, format.number(times));
  return { does, what, isData, where: isData ? whereOf(did, wording) : '', times: often, when };
}

function whereOf({ filters }: EventsChosen, { text, filterText, reading }: PeopleWording): string {
  if (filters === undefined) return '';
  return `${text.where} ${filters.of.map((each) => sentenceOf(each, filterText, reading)).join(` ${filterText[filters.match]} `)}`;
}

/** The whole criterion, for a name. */
export function criterionSentence(criterion: PeopleCriterion, wording: PeopleWording): string {
  const { does, what, where, times, when } = wordsOf(criterion, wording);
  return [does, what, where, times, when].filter((part) => part !== '').join(' ');
}

export function kindOf(criterion: PeopleCriterion): WhoKind {
  const { not } = criterion;
  if ('firstSeen' in criterion) return not ? 'firstNot' : 'first';
  if ('event' in criterion.did) return not ? 'didNot' : 'did';
  return not ? 'reachedNot' : 'reached';
}
