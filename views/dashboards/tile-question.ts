/** Queries of tiles: range, comparison and filters of the dashboard override those of each insight. Pure. */
import type { DashboardContent, Tile } from '#src/dashboards/contract.ts';
import type { Comparison, RangeInput } from '#src/insights/contract.ts';
import type { SavedInsight } from '#src/insights/saved/contract.ts';
import type { Insight } from '#views/insights/insight.ts';
import { savedAsShown } from '#views/insights/saved-as-shown.ts';
import { bothFilters } from '#views/question/filters/both.ts';
import { type Question, readQuestion } from '#views/question/question.ts';
import { REFRESH } from './refresh.ts';

type Defaults = Pick<DashboardContent, 'range' | 'compare' | 'filters'>;

/** In an address that has a range, comparison or filters of its own. */
export const CUSTOM = 'custom';

/** As the address says; without it, as saved for everyone. */
export function questionOf(search: URLSearchParams, { range, compare, filters }: Defaults): Question {
  const question = readQuestion(search);
  return search.has(CUSTOM) ? question : { ...question, range, compare, filters: filters ?? null };
}

export function isCustom(search: URLSearchParams): boolean {
  return search.has(CUSTOM);
}

/**
 * The path for addresses of questions (`addressOf`): with it, what is the default elsewhere is asked as well.
 * @param search what else it keeps is from there
 */
export function customPath(path: string, search?: URLSearchParams): string {
  const refresh = search?.get(REFRESH) ?? null;
  return `${path}?${CUSTOM}=1${refresh === null ? '' : `&${REFRESH}=${encodeURIComponent(refresh)}`}`;
}

/** Whether the question differs from what is saved for everyone. */
export function differs(question: Question, { range, compare, filters }: Defaults): boolean {
  const asked = [question.range, question.compare, question.filters];
  return !canBeSaved(question) || JSON.stringify(asked) !== JSON.stringify([range, compare, filters ?? null]);
}

/** False while the question has parts that dashboards do not keep: a segment, a filter of people, included traffic. */
export function canBeSaved({ segment, people, include }: Question): boolean {
  return segment === null && people === null && include.length === 0;
}

/** What a dashboard changes of an insight in its tile. */
export interface Overrides {
  range: RangeInput | null;
  compare: Comparison | null;
  /** Conditions that are added. */
  filters: number;
  people: boolean;
  segment: boolean;
  traffic: boolean;
}

export interface TileInsight {
  insight: Insight;
  /** Whether the dashboard's filters could be joined with the insight's. */
  isFiltered: boolean;
  overrides: Overrides;
}

const NOTHING: Overrides = {
  range: null,
  compare: null,
  filters: 0,
  people: false,
  segment: false,
  traffic: false,
};

/** The insight of a tile within the dashboard's question; conditions of both hold. */
export function insightIn(
  tile: Extract<Tile, { kind: 'insight' }>,
  saved: SavedInsight,
  { range, compare, filters, people, include, segment }: Question,
): TileInsight {
  const insight = savedAsShown(saved);
  if (tile.own) return { insight, isFiltered: true, overrides: NOTHING };
  const { question } = insight;
  const joined = bothFilters(question.filters, filters);
  const isSameRange = JSON.stringify(question.range) === JSON.stringify(range);
  const within: Question = {
    ...question,
    range,
    // Minutes of another range would be too many.
    interval: question.interval === 'minute' && !isSameRange ? null : question.interval,
    compare: question.compare === 'none' ? 'none' : compare,
    filters: joined === undefined ? question.filters : joined,
    people: question.people ?? people,
    include: [...new Set([...question.include, ...include])],
    segment: question.segment ?? segment,
  };
  const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  return {
    insight: { ...insight, question: within } as Insight,
    isFiltered: joined !== undefined,
    overrides: {
      range: isOther(question.range, within.range) ? within.range : null,
      compare: isOther(question.compare, within.compare) ? within.compare : null,
      filters: joined === undefined ? 0 : (filters?.of.length ?? 0),
      people: question.people === null && people !== null,
      segment: question.segment === null && segment !== null,
      traffic: within.include.length > question.include.length,
    },
  };
}
