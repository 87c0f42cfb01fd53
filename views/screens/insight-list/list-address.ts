/** State of the list of insights in the URL. Pure. */
import type { InsightsQuery } from '#src/insights/saved/contract.ts';
import { MAX_TAG, type SavedKind, savedKinds } from '#src/insights/saved/values.ts';
import { insightsOf } from '#views/frame/addresses.ts';

const PAGE = 50;
const MAX_SEARCH = 200;

export type Shown = 'all' | 'favorites' | 'archived';

export interface ListQuestion {
  search: string;
  kind: SavedKind | null;
  owner: number | null;
  tag: string | null;
  shown: Shown;
  /** From 0. */
  page: number;
}

export const allInsights: ListQuestion = { search: '', kind: null, owner: null, tag: null, shown: 'all', page: 0 };

export function readList(search: URLSearchParams): ListQuestion {
  const owner = search.get('owner') ?? '';
  const page = search.get('page') ?? '';
  const tag = (search.get('tag') ?? '').trim();
  const shown = search.get('show');
  return {
    search: (search.get('search') ?? '').trim().slice(0, MAX_SEARCH),
    kind: savedKinds.find((kind) => kind === search.get('kind')) ?? null,
    owner: /^\d{1,9}$/.test(owner) ? Number(owner) : null,
    tag: tag === '' || tag.length > MAX_TAG ? null : tag,
    shown: shown === 'favorites' || shown === 'archived' ? shown : 'all',
    page: /^[1-9]\d?$/.test(page) ? Number(page) - 1 : 0,
  };
}

export function listAddress(project: string, { search, kind, owner, tag, shown, page }: ListQuestion): string {
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (kind !== null) params.set('kind', kind);
  if (owner !== null) params.set('owner', String(owner));
  if (tag !== null) params.set('tag', tag);
  if (shown !== 'all') params.set('show', shown);
  if (page > 0) params.set('page', String(page + 1));
  const text = params.toString();
  return text === '' ? insightsOf(project) : `${insightsOf(project)}?${text}`;
}

export function listInput(
  project: string,
  { search, kind, owner, tag, shown, page }: ListQuestion,
): InsightsQuery & { project: string } {
  return {
    project,
    offset: page * PAGE,
    limit: PAGE,
    ...(search !== '' && { search }),
    ...(kind !== null && { kind }),
    ...(owner !== null && { owner }),
    ...(tag !== null && { tag }),
    ...(shown === 'favorites' && { favorites: true }),
    ...(shown === 'archived' && { archived: true }),
  };
}

/** The pages before and after this one, and which insights it shows; null: there is no such page. */
export function pagesOf(question: ListQuestion, total: number) {
  const from = question.page * PAGE;
  const to = Math.min(from + PAGE, total);
  return {
    from: from + 1,
    to,
    previous: question.page > 0 ? { ...question, page: question.page - 1 } : null,
    next: to < total ? { ...question, page: question.page + 1 } : null,
  };
}
