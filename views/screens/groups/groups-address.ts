/** State of the list of groups in the URL. Pure. */
import { MAX_GROUP_TYPES } from '#src/columns/values.ts';
import type { GroupSort, GroupsInput } from '#src/profiles/groups/contract.ts';
import { groupSorts, MAX_GROUP_COLUMNS } from '#src/profiles/groups/values.ts';
import { MAX_TEXT_LENGTH } from '#src/profiles/values.ts';
import { groupsOf } from '#views/frame/addresses.ts';

export interface GroupsQuestion {
  /** Number of the type; null: the first that there is. */
  type: number | null;
  search: string;
  sort: GroupSort;
  columns: string[];
  /** From 1. */
  page: number;
}

export function readGroups(search: URLSearchParams): GroupsQuestion {
  const type = Number(search.get('type') ?? Number.NaN);
  const page = Number(search.get('page') ?? 1);
  const columns = search.getAll('column').map((name) => name.trim());
  return {
    type: Number.isInteger(type) && type >= 0 && type < MAX_GROUP_TYPES ? type : null,
    search: (search.get('search') ?? '').trim().slice(0, MAX_TEXT_LENGTH),
    sort: groupSorts.find((each) => each === search.get('sort')) ?? 'seen',
    columns: [...new Set(columns.filter((name) => name !== '' && name.length <= MAX_TEXT_LENGTH))].slice(
      0,
      MAX_GROUP_COLUMNS,
    ),
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  };
}

/** Without the page: what forms and files carry along. */
export function paramsOf({ type, search, sort, columns }: Omit<GroupsQuestion, 'page'>): URLSearchParams {
  const params = new URLSearchParams();
  if (type !== null) params.set('type', String(type));
  if (search !== '') params.set('search', search);
  if (sort !== 'seen') params.set('sort', sort);
  for (const column of columns) params.append('column', column);
  return params;
}

export function groupsAddress(project: string, question: GroupsQuestion): string {
  const params = paramsOf(question);
  if (question.page > 1) params.set('page', String(question.page));
  const text = params.toString();
  return text === '' ? groupsOf(project) : `${groupsOf(project)}?${text}`;
}

/** The same list as a file. */
export function groupsFileAddress(project: string, question: GroupsQuestion): string {
  return `${groupsOf(project)}/export?${paramsOf(question)}`;
}

export function groupsInput(project: string, type: number, question: GroupsQuestion): GroupsInput {
  const { search, sort, columns, page } = question;
  return { project, type, sort, columns, page, ...(search !== '' && { search }) };
}
