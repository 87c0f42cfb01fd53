/**
 * A page of raw events, newest first. Searched back in time in growing steps, so that a filter with few
 * matches returns what was found within the time limit, and how far back that reaches.
 */

import type { PersonNumbers } from '#src/columns/columns.ts';
import { filterSql, namesSql } from '#src/columns/filters/filter-sql.ts';
import type { History, HistoryQuery, ListedEvent, ListedOptions } from '#src/events/history.ts';
import { invalid } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sqlState } from '#src/store/db.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { ChosenColumn, EventListQuery, EventPlace, ExplorerRow } from './contract.ts';

/** Selection of events, with the range `[from, to)` in ms. */
export interface SearchQuery extends Pick<EventListQuery, 'filters' | 'names'> {
  projectId: ProjectId;
  /** The project's rules for reading values; absent in exports that were asked for before there were any. */
  reading?: ReadingRules;
  /** Events of these persons only; absent: of all. */
  whose?: PersonNumbers | undefined;
  from: number;
  to: number;
}

export interface SearchResult {
  /** The newest first. */
  events: ListedEvent[];
  /** Everything from here on has been looked at; `from` of the question when nothing is left. */
  searchedTo: number;
}

const FIRST_STEP_MS = 24 * 3_600_000;
const LONGER = 4;
const SHORTEST_STEP_MS = 3_600_000;
const QUICK_MS = 700;
/** Before everything there is. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * @param mayGoOn asked before each further step while the page is not full
 * @throws AppError `invalid` for filters that cannot be, `timeout`
 */
export async function search(
  { history, elapsed }: { history: Pick<History, 'listed'>; elapsed(): number },
  wanted: SearchQuery,
  { after, limit, options }: { after: EventPlace | undefined; limit: number; options?: ListedOptions },
  mayGoOn: () => boolean,
): Promise<SearchResult> {
  const events: ListedEvent[] = [];
  const { projectId, from } = wanted;
  let until = after === undefined ? wanted.to : Math.min(wanted.to, after.ts + 1);
  let step = conditionOf(wanted) === undefined ? Infinity : FIRST_STEP_MS;
  while (until > from) {
    const begun = elapsed();
    const begin = Math.max(from, until - step);
    const left = limit - events.length;
    const asked = { from: begin, to: until, after, ...conditionOf({ ...wanted, from: begin, to: until }) };
    const found = await listed(history, projectId, { ...asked, limit: left }, options);
    events.push(...found);
    if (found.length === left) return { events, searchedTo: found.at(-1)?.ts ?? until };
    until = begin;
    // Statements have a time limit: none of the next should come near it.
    step = elapsed() - begun < QUICK_MS ? step * LONGER : Math.max(step / LONGER, SHORTEST_STEP_MS);
    if (!mayGoOn()) break;
  }
  return { events, searchedTo: Math.max(until, from) };
}

/**
 * The page of events just newer than the place; otherwise as `search`.
 * @returns `searchedUp`: everything before it was searched; equals `to` when nothing is left
 */
export async function searchNewer(
  { history, elapsed }: { history: Pick<History, 'listed'>; elapsed(): number },
  wanted: SearchQuery,
  { before, limit }: { before: EventPlace; limit: number },
  mayGoOn: () => boolean,
): Promise<{ events: ListedEvent[]; searchedUp: number }> {
  const events: ListedEvent[] = [];
  const { projectId, to } = wanted;
  let from = Math.max(wanted.from, before.ts);
  let step = conditionOf(wanted) === undefined ? Infinity : FIRST_STEP_MS;
  while (from < to) {
    const begun = elapsed();
    const end = Math.min(to, from + step);
    const left = limit - events.length;
    const asked = { from, to: end, before, ...conditionOf({ ...wanted, from, to: end }) };
    const found = await listed(history, projectId, { ...asked, limit: left });
    events.unshift(...found);
    if (found.length === left) return { events, searchedUp: found[0]?.ts ?? from };
    from = end;
    step = elapsed() - begun < QUICK_MS ? step * LONGER : Math.max(step / LONGER, SHORTEST_STEP_MS);
    if (!mayGoOn()) break;
  }
  return { events, searchedUp: Math.min(from, to) };
}

/** The place before all events from `moment` on, for `searchNewer`. */
export function placeUpTo(moment: number): EventPlace {
  return { ts: moment - 1, uuid: LAST_UUID };
}

/** The place after all events before `moment`. */
export function placeBefore(moment: number): EventPlace {
  return { ts: moment, uuid: NO_UUID };
}

/** Undefined: every event of the span. Exports that were asked for without rules for reading are not looked for elsewhere. */
function conditionOf(wanted: SearchQuery): Pick<HistoryQuery, 'where' | 'chosen'> | undefined {
  const { projectId, reading, from, to, names, whose } = wanted;
  const filters = wanted.filters && wanted.filters.of.length > 0 ? wanted.filters : undefined;
  const conditions: Sql[] = [];
  if (names.length > 0) conditions.push(namesSql({ projectId }, names));
  if (filters) conditions.push(filterSql({ projectId, reading, from, until: to }, filters));
  if (whose) conditions.push(byPersons(whose));
  if (conditions.length === 0) return undefined;
  return {
    where: sql.join(conditions, sql` and `),
    chosen: reading === undefined ? undefined : { names, filters, reading, whose },
  };
}

function byPersons({ numbers, isExcept }: PersonNumbers): Sql {
  return isExcept ? sql`events.person <> all(${numbers}::int[])` : sql`events.person = any(${numbers}::int[])`;
}

async function listed(history: Pick<History, 'listed'>, ...asked: Parameters<History['listed']>) {
  try {
    return await history.listed(...asked);
  } catch (error) {
    if (sqlState(error) === '2201B')
      throw invalid('filters', 'Invalid regular expression. Check the brackets and stars.');
    throw error;
  }
}

/** Maximum characters of a value in a table cell. */
const LONGEST_VALUE = 300;

export function rowOf(event: ListedEvent, columns: readonly ChosenColumn[]): ExplorerRow {
  const country = event.properties['$geoip_country_code'];
  return {
    ts: event.ts,
    receivedAt: event.receivedAt,
    uuid: event.uuid,
    event: event.event,
    detail: event.detail,
    person: {
      uuid: event.person,
      identified: event.identified,
      label: event.label,
      distinctId: event.distinctId,
    },
    country: typeof country === 'string' ? country : null,
    session: event.session,
    marks: event.marks,
    values: columns.map((column) => cut(chosenValue(event, column))),
  };
}

/** The event's or its person's value of a column; null without one. */
export function chosenValue({ properties, personProperties }: ListedEvent, { of, name }: ChosenColumn): JsonValue {
  const all = of === 'event' ? properties : personProperties;
  return Object.hasOwn(all, name) ? (all[name] as JsonValue) : null;
}

function cut(value: JsonValue): JsonValue {
  const text =
    typeof value === 'string' ? value : typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : value;
}
