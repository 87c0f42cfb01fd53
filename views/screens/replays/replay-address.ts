/** Addresses of recordings: the list with what it asks for, and one recording at a moment. Pure. */

import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import {
  MAX_REPLAY_PAGE,
  MAX_REPLAY_SEARCH,
  MAX_REPLAY_SECONDS,
  type ReplayShow,
  type ReplaySort,
  replayShows,
  replaySorts,
} from '#src/replays/watching/values.ts';
import { LEAD_SECONDS } from '#views/event/WatchReplay.tsx';
import { replaysOf } from '#views/frame/addresses.ts';
import { addressOf, type Question, readQuestion } from '#views/question/question.ts';

export interface ReplaysQuestion {
  /** Range, filters, people and segment, as on other screens. */
  question: Question;
  search: string;
  /** '': any. */
  event: string;
  /** Uuid; '': anybody. */
  person: string;
  minSeconds: number;
  show: ReplayShow;
  sort: ReplaySort;
  page: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readReplays(search: URLSearchParams): ReplaysQuestion {
  const person = search.get('person') ?? '';
  return {
    question: readQuestion(search),
    search: (search.get('search') ?? '').trim().slice(0, MAX_REPLAY_SEARCH),
    event: (search.get('event') ?? '').slice(0, MAX_STORED_NAME_LENGTH),
    person: UUID.test(person) ? person : '',
    minSeconds: numberIn(search.get('seconds'), MAX_REPLAY_SECONDS),
    show: replayShows.find((each) => each === search.get('show')) ?? 'all',
    sort: replaySorts.find((each) => each === search.get('order')) ?? 'newest',
    page: numberIn(search.get('at'), MAX_REPLAY_PAGE),
  };
}

function numberIn(text: string | null, max: number): number {
  const number = Number(text ?? 0);
  return Number.isSafeInteger(number) && number >= 0 && number <= max ? number : 0;
}

/** What is not of the question, as the address has it. */
export function ownParams({ search, event, person, minSeconds, show, sort, page }: ReplaysQuestion): URLSearchParams {
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (event !== '') params.set('event', event);
  if (person !== '') params.set('person', person);
  if (minSeconds > 0) params.set('seconds', String(minSeconds));
  if (show !== 'all') params.set('show', show);
  if (sort !== 'newest') params.set('order', sort);
  if (page > 0) params.set('at', String(page));
  return params;
}

/** The address without the question: filters are added to it. The page is not kept. */
export function replaysPath(project: string, asked: ReplaysQuestion): string {
  const params = ownParams({ ...asked, page: 0 }).toString();
  return params === '' ? replaysOf(project) : `${replaysOf(project)}?${params}`;
}

export function replaysAddress(project: string, asked: ReplaysQuestion): string {
  const params = ownParams(asked).toString();
  return addressOf(params === '' ? replaysOf(project) : `${replaysOf(project)}?${params}`, asked.question);
}

/** As the server is asked. */
export function inputOf(project: string, { question, search, event, person, minSeconds, ...rest }: ReplaysQuestion) {
  const { range, filters, people, segment } = question;
  return {
    project,
    range,
    ...rest,
    ...(filters && { filters }),
    ...(people && { people }),
    ...(segment !== null && { segment }),
    ...(search !== '' && { search }),
    ...(event !== '' && { event }),
    ...(person !== '' && { person }),
    ...(minSeconds > 0 && { minSeconds }),
  };
}

/** Address of the screen of heatmaps. */
export const heatmapsOf = (project: string): string => `${replaysOf(project)}/heatmaps`;

/** Where an opened recording begins, ms after its beginning; null: the address says nothing. */
export function readMoment(search: URLSearchParams): number | null {
  const text = search.get('t');
  if (text === null || !/^\d{1,6}(\.\d{1,3})?$/.test(text)) return null;
  return Math.max(0, Number(text) - LEAD_SECONDS) * 1000;
}
