/** State of the list of definitions in the URL. Pure. */
import type { DefinitionKind, DefinitionSort, DefinitionsInput } from '#src/explorer/contract.ts';
import { definitionSorts, MAX_DEFINITION_PAGES, MAX_SEARCH_LENGTH } from '#src/explorer/values.ts';
import { definitionsOf } from '#views/frame/addresses.ts';

export interface DefinitionsQuery {
  kind: DefinitionKind;
  sort: DefinitionSort;
  /** Words of name or description; empty: all. */
  search: string;
  /** From 1 on. */
  page: number;
  /** The name that is being described. */
  open: string | null;
}

export function readAsked(search: URLSearchParams): DefinitionsQuery {
  return {
    kind: search.get('kind') === 'property' ? 'property' : 'event',
    sort: definitionSorts.find((each) => each === search.get('sort')) ?? 'events',
    search: (search.get('search') ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
    page: pageOf(search.get('page')),
    open: search.get('open'),
  };
}

function pageOf(text: string | null): number {
  const page = /^\d{1,4}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(page, 1), MAX_DEFINITION_PAGES);
}

export function askedAddress(project: string, asked: DefinitionsQuery): string {
  const search = paramsOf(asked);
  if (asked.page !== 1) search.set('page', String(asked.page));
  if (asked.open !== null) search.set('open', asked.open);
  const text = search.toString();
  return text === '' ? definitionsOf(project) : `${definitionsOf(project)}?${text}`;
}

/** Without the page and what is open: what the search form carries along. */
export function paramsOf({ kind, sort, search }: Pick<DefinitionsQuery, 'kind' | 'sort' | 'search'>): URLSearchParams {
  const params = new URLSearchParams();
  if (kind !== 'event') params.set('kind', kind);
  if (sort !== 'events') params.set('sort', sort);
  if (search !== '') params.set('search', search);
  return params;
}

export function definitionsInput(project: string, { kind, sort, search, page }: DefinitionsQuery): DefinitionsInput {
  return {
    project,
    kind,
    ...(sort !== 'events' && { sort }),
    ...(search !== '' && { search }),
    ...(page !== 1 && { page }),
  };
}
