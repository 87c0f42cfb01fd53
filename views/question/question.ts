/**
 * The Overview's query in the URL: every part that differs from the default. Pure.
 */
import type { Filters, Traffic } from '#src/columns/contract.ts';
import { sessionFieldNamed, traffic } from '#src/columns/values.ts';
import type {
  BreakdownDimension,
  Comparison,
  GoalPer,
  OverviewMetric,
  RangeInput,
  TrendInterval,
} from '#src/insights/contract.ts';
import { MAX_PAGE, type SortColumn, sortColumns } from '#src/insights/kinds/breakdown/values.ts';
import { overviewMetrics } from '#src/insights/kinds/overview/values.ts';
import type { VitalName, VitalPercentile } from '#src/insights/kinds/vitals/contract.ts';
import { type VitalColumn, vitalColumns, vitalNames, vitalPercentiles } from '#src/insights/kinds/vitals/values.ts';
import { comparisons, trendIntervals } from '#src/insights/query/values.ts';
import { rangePresets } from '#src/kit/values.ts';
import { readFilters, writeFilters } from './filters/address.ts';
import { type PeopleChosen, readPeople, writePeople } from './filters/people-address.ts';

export interface Question {
  range: RangeInput;
  compare: Comparison;
  /** Null: everything. */
  filters: Filters | null;
  /** Set of people; null: all. */
  people: PeopleChosen | null;
  /** Null: the default of the range. */
  interval: TrendInterval | null;
  metric: Metric;
  /** Id of the selected goal; null: none. */
  goal: number | null;
  /** Denominator of conversion rates. */
  per: GoalPer;
  /** Number of the segment that filters stand within; null: none. */
  segment: number | null;
  /** Id of the edited segment, with its changes in filters and people; null: none. */
  edited: number | null;
  /** Included traffic. */
  include: readonly Traffic[];
  /** The chart's figures as a chart or as a table. */
  view: 'chart' | 'table';
  tabs: Tabs;
  /** The web vital of the table of pages. */
  vital: VitalName;
  /** Its percentile. */
  percentile: `${VitalPercentile}`;
  /** The explained number; for the chart: the drawn metric. */
  explain: string | null;
  /** True when what the change of the number is made of is open. */
  movers: boolean;
  /** The table that is shown in full, instead of the overview. */
  details: BreakdownDimension | 'vitals' | null;
  /** One of the table that is shown. */
  sort: SortColumn | VitalColumn;
  /** The other way round: texts descending, numbers ascending. */
  reversed: boolean;
  /** Page of a full table, from 1. */
  page: number;
  /** Search text in it. */
  find: string;
  /** Install method shown on the card. */
  install: InstallMethod;
  /** The query string that it was read from; not copied to derived queries. */
  readonly asRead?: URLSearchParams;
}

/** Metric of the chart. Goal metrics require a selected goal. */
export type Metric = OverviewMetric | GoalMetric;
/** `revenue.` goes on with the currency, or with nothing. */
export type GoalMetric = 'conversions' | 'conversionRate' | `revenue.${string}`;

export type InstallMethod = 'script' | 'npm' | 'node' | 'component';

/** Cards below the chart with their tables; the first is the default. */
export const cards = {
  pages: ['page', 'entryPage', 'exitPage', 'outbound'],
  sources: ['source', 'channel', 'referringDomain', 'utmCampaign', 'utmSource', 'utmMedium', 'utmTerm', 'utmContent'],
  places: ['country', 'region', 'city', 'language', 'timeZone'],
  tech: ['deviceType', 'browser', 'os', 'viewportWidth'],
  done: ['event', 'goal'],
} as const satisfies Record<string, readonly Table[]>;
/** A table by a dimension, or of goals. */
export type Table = BreakdownDimension | 'goal';
export type Card = keyof typeof cards;
/** Selected table by card. */
export type Tabs = { [Name in Card]: (typeof cards)[Name][number] };

export const cardNames = Object.keys(cards) as Card[];
const inFull = [...Object.values(cards).flat(), 'vitals' as const].filter(
  (table): table is BreakdownDimension | 'vitals' => table !== 'goal',
);

export const percentileChoices = vitalPercentiles.map(String) as Question['percentile'][];
export const installMethods = ['script', 'npm', 'node', 'component'] as const satisfies readonly InstallMethod[];

const defaults: Question = {
  range: 'last_28_days',
  compare: 'previous',
  filters: null,
  people: null,
  interval: null,
  metric: 'visitors',
  goal: null,
  per: 'visitor',
  segment: null,
  edited: null,
  include: [],
  view: 'chart',
  tabs: tabsOf((card) => cards[card][0]),
  vital: 'LCP',
  percentile: '75',
  explain: null,
  movers: false,
  details: null,
  sort: 'count',
  reversed: false,
  page: 1,
  find: '',
  install: 'script',
};

function tabsOf(choose: (card: Card) => Table): Tabs {
  return Object.fromEntries(cardNames.map((card) => [card, choose(card)])) as unknown as Tabs;
}

/** Reads a query string. What makes no sense is the default: an old link still shows something. */
export function readQuestion(search: URLSearchParams): Question {
  const sort = search.get('sort') ?? '';
  const details = inFull.find((table) => table === presentName(search.get('details'))) ?? null;
  const question: Question = {
    range: readRange(search),
    compare:
      readDates(search, 'compareFrom', 'compareTo') ?? oneOf(comparisons, search.get('compare')) ?? defaults.compare,
    filters: readFilters(search),
    people: readPeople(search, namedRange),
    interval: oneOf(trendIntervals, search.get('interval')),
    metric: readMetric(search.get('metric')),
    goal: readNumber(search.get('goal')),
    per: search.get('per') === 'visit' ? 'visit' : 'visitor',
    segment: readNumber(search.get('segment')),
    edited: readNumber(search.get('edited')),
    include: traffic.filter((each) => search.get(each) === 'include'),
    view: search.get('view') === 'table' ? 'table' : 'chart',
    tabs: tabsOf((card) => cards[card].find((table) => table === presentName(search.get(card))) ?? cards[card][0]),
    vital: oneOf(vitalNames, search.get('vital')) ?? defaults.vital,
    percentile: oneOf(percentileChoices, search.get('percentile')) ?? defaults.percentile,
    explain: presentName(search.get('explain')),
    movers: search.get('movers') === 'open',
    details,
    sort: oneOf<Question['sort']>(details === 'vitals' ? vitalColumns : sortColumns, sortName(sort)) ?? defaults.sort,
    reversed: sort[0] === '-',
    page: Math.min(MAX_PAGE, Math.max(1, readNumber(search.get('page')) ?? 1)),
    find: search.get('find') ?? defaults.find,
    install: oneOf(installMethods, search.get('install')) ?? defaults.install,
  };
  return Object.defineProperty(question, 'asRead', { value: search });
}

/**
 * The address of a question: `path`, and what differs from the defaults.
 * @param page of a long table. Of another question it is the first; `question.page` goes on at the same place.
 */
export function addressOf(path: string, question: Question, page = 1): string {
  const search = new URLSearchParams();
  if (typeof question.range !== 'string') {
    search.set('from', question.range.from);
    search.set('to', question.range.to);
  }
  if (typeof question.compare !== 'string') {
    search.set('compareFrom', question.compare.from);
    search.set('compareTo', question.compare.to);
  }
  for (const key of [
    'range',
    'compare',
    'interval',
    'metric',
    'per',
    'view',
    'vital',
    'percentile',
    'explain',
    'details',
    'sort',
    'find',
    'install',
  ] as const) {
    const value = question[key];
    if (typeof value === 'string' && value !== defaults[key]) search.set(key, value);
  }
  if (question.movers) search.set('movers', 'open');
  if (question.reversed) search.set('sort', `-${question.sort}`);
  if (page > 1) search.set('page', String(page));
  for (const key of ['goal', 'segment', 'edited'] as const) {
    if (question[key] !== null) search.set(key, String(question[key]));
  }
  for (const each of question.include) search.set(each, 'include');
  for (const card of cardNames) if (question.tabs[card] !== defaults.tabs[card]) search.set(card, question.tabs[card]);
  writeFilters(search, question.filters);
  writePeople(search, question.people);
  // These may stand in an address as they are, and then it can be read.
  const text = search.toString().replace(/%(2F|3A|24|2C)/g, decodeURIComponent);
  // The path may already have a query.
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** The part of a question that a server has to answer, as text: equal texts have equal answers. */
export function questionKey(question: Question): string {
  const { range, compare, interval, filters, people, goal, per, segment, include } = question;
  return JSON.stringify([range, compare, interval, filters, people, goal, per, segment, include]);
}

function readNumber(text: string | null): number | null {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : null;
}

function readMetric(text: string | null): Metric {
  return oneOf(overviewMetrics, text) ?? (isGoalMetric(text) ? text : defaults.metric);
}

export function isGoalMetric(text: string | null): text is GoalMetric {
  return /^(conversions|conversionRate|revenue\.([A-Z]{0,3}|unknown))$/.test(text ?? '');
}

function readRange(search: URLSearchParams): RangeInput {
  return readDates(search, 'from', 'to') ?? oneOf(rangePresets, search.get('range')) ?? defaults.range;
}

/** A preset, or two dates. */
function namedRange(text: string): RangeInput | null {
  const [from = null, to = null] = text.split('..');
  return oneOf(rangePresets, text) ?? datesBetween(from, to);
}

function readDates(search: URLSearchParams, first: string, last: string): { from: string; to: string } | null {
  return datesBetween(search.get(first), search.get(last));
}

function datesBetween(from: string | null, to: string | null): { from: string; to: string } | null {
  if (!isDate(from) || !isDate(to)) return null;
  return from <= to ? { from, to } : { from: to, to: from };
}

/** True for a date of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string | null): text is string {
  if (text === null || !/^[0-2]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function oneOf<Name extends string>(names: readonly Name[], text: string | null): Name | null {
  return names.find((name) => name === text) ?? null;
}

/** Addresses of earlier versions have former names of tables. */
function presentName(table: string | null): string | null {
  return table === null ? null : (sessionFieldNamed(table) ?? table);
}

/** Addresses of earlier versions say `before`. */
function sortName(sort: string): string {
  const name = sort.replace('-', '');
  return name === 'before' ? 'previous' : name;
}
