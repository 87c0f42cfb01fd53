/** Addresses of heatmaps. Pure. */
import {
  type HeatmapShow,
  heatmapShows,
  MAX_HOST,
  MAX_PAGE_PATTERN,
  type WidthClass,
  widthClassNames,
} from '#src/replays/heatmaps/values.ts';
import { addressOf, type Question, readQuestion } from '#views/question/question.ts';
import { heatmapsOf } from './replay-address.ts';

export interface HeatmapQuestion {
  /** Its range. */
  question: Question;
  /** '': the most clicked. */
  page: string;
  /** '': any. */
  host: string;
  width: WidthClass;
  show: HeatmapShow;
}

export function readHeatmap(search: URLSearchParams): HeatmapQuestion {
  return {
    question: readQuestion(search),
    page: (search.get('page') ?? '').trim().slice(0, MAX_PAGE_PATTERN),
    host: (search.get('host') ?? '').slice(0, MAX_HOST),
    width: widthClassNames.find((each) => each === search.get('width')) ?? 'desktop',
    show: heatmapShows.find((each) => each === search.get('show')) ?? 'click',
  };
}

/** The address without the range, which is added to it. */
export function heatmapPath(project: string, { page, host, width, show }: HeatmapQuestion): string {
  const params = new URLSearchParams();
  if (page !== '') params.set('page', page);
  if (host !== '') params.set('host', host);
  if (width !== 'desktop') params.set('width', width);
  if (show !== 'click') params.set('show', show);
  const text = params.toString();
  return text === '' ? heatmapsOf(project) : `${heatmapsOf(project)}?${text}`;
}

export function heatmapAddress(project: string, asked: HeatmapQuestion): string {
  return addressOf(heatmapPath(project, asked), { ...asked.question, page: 1 });
}

/** As the server is asked for a recording … */
export function pageInputOf(project: string, { question, page, host, width }: HeatmapQuestion) {
  const { range } = question;
  return { project, range, width, ...(page !== '' && { page }), ...(host !== '' && { host }) };
}

/** … and for the numbers. */
export function heatmapInputOf(project: string, asked: HeatmapQuestion) {
  return { ...pageInputOf(project, asked), show: asked.show };
}
