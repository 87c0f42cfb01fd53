/**
 * State of the explorer in the URL, besides the range and filters shared with the Overview: event
 * names, columns, page cursor, and the open event. Pure.
 */
import type { ChosenColumn, EventPlace } from '#src/explorer/contract.ts';
import { MAX_COLUMNS, MAX_NAMES } from '#src/explorer/values.ts';
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import { eventsOf } from '#views/frame/addresses.ts';
import { keyOf, readKey } from '#views/kit/event-key.ts';
import { addressOf, type Question } from './question.ts';

export interface ExplorerState {
  question: Question;
  /** Only events of these names; none: of all. */
  names: string[];
  columns: string[];
  /** The last event of the page before. */
  after: EventPlace | null;
  /** The first event of the page after, instead. */
  before: EventPlace | null;
  /** Key of the event that is open. */
  open: string | null;
}

/** Columns that are no properties; those begin with `event.` or `person.`. */
export const ownColumns = ['event', 'detail', 'person', 'country', 'id', 'received', 'session', 'marks'] as const;
export type OwnColumn = (typeof ownColumns)[number];

export const usualColumns: readonly string[] = ['event', 'detail', 'person', 'country'];

export function readExplored(search: URLSearchParams, question: Question): ExplorerState {
  const after = readKey(search.get('after'));
  const columns = [...new Set(search.getAll('column'))].filter(isColumn).slice(0, MAX_COLUMNS);
  return {
    question,
    names: [...new Set(search.getAll('name'))]
      .filter((name) => name !== '' && name.length <= MAX_STORED_NAME_LENGTH)
      .slice(0, MAX_NAMES),
    columns: columns.length === 0 ? [...usualColumns] : columns,
    after,
    before: after === null ? readKey(search.get('before')) : null,
    open: readKey(search.get('event')) === null ? null : search.get('event'),
  };
}

/** Base URL of the query: names and columns are kept on changes, the page and the open event are not. */
export function pathOf(project: string, { names, columns }: Pick<ExplorerState, 'names' | 'columns'>): string {
  return withQuery(eventsOf(project), queryOf(names, columns));
}

/** URL of the whole state. */
export function exploredAddress(
  project: string,
  { question, names, columns, after, before, open }: ExplorerState,
): string {
  const search = queryOf(names, columns);
  if (after !== null) search.set('after', keyOf(after));
  else if (before !== null) search.set('before', keyOf(before));
  if (open !== null) search.set('event', open);
  return addressOf(withQuery(eventsOf(project), search), question);
}

/** The property that a column shows; null for those that every row has. */
export function propertyOf(column: string): ChosenColumn | null {
  const [, of, name] = /^(event|person)\.(.+)$/s.exec(column) ?? [];
  return name === undefined ? null : { of: of as ChosenColumn['of'], name };
}

export function columnOf({ of, name }: ChosenColumn): string {
  return `${of}.${name}`;
}

function isColumn(text: string): boolean {
  const property = propertyOf(text);
  return property === null ? ownColumns.some((each) => each === text) : property.name.length <= MAX_STORED_NAME_LENGTH;
}

function queryOf(names: readonly string[], columns: readonly string[]): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of names) search.append('name', name);
  if (columns.join('\n') !== usualColumns.join('\n')) for (const column of columns) search.append('column', column);
  return search;
}

function withQuery(path: string, search: URLSearchParams): string {
  const text = search.toString().replace(/%(2F|3A|24|2C)/g, decodeURIComponent);
  return text === '' ? path : `${path}?${text}`;
}
