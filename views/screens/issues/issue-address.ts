/** What the list of issues shows, as its address has it. */
import { type IssueOrder, type IssueStatus, issueOrders, issueStatuses, MAX_ISSUE_SEARCH } from '#src/errors/values.ts';
import { errorsOf } from '#views/frame/addresses.ts';

export interface IssuesQuestion {
  status: IssueStatus | 'all';
  search: string;
  /** '': all. */
  release: string;
  order: IssueOrder;
  page: number;
}

export function readIssues(search: URLSearchParams): IssuesQuestion {
  const status = search.get('state');
  const order = search.get('sort');
  const page = Number(search.get('page') ?? 0);
  return {
    status: [...issueStatuses, 'all' as const].find((each) => each === status) ?? 'active',
    search: (search.get('search') ?? '').trim().slice(0, MAX_ISSUE_SEARCH),
    release: (search.get('release') ?? '').slice(0, 100),
    order: issueOrders.find((each) => each === order) ?? 'last_seen',
    page: Number.isSafeInteger(page) && page >= 0 && page <= 200 ? page : 0,
  };
}

export function paramsOf({ status, search, release, order, page }: IssuesQuestion): URLSearchParams {
  const params = new URLSearchParams();
  if (status !== 'active') params.set('state', status);
  if (search !== '') params.set('search', search);
  if (release !== '') params.set('release', release);
  if (order !== 'last_seen') params.set('sort', order);
  if (page > 0) params.set('page', String(page));
  return params;
}

export function issuesAddress(project: string, question: IssuesQuestion): string {
  const params = paramsOf(question).toString();
  return params === '' ? errorsOf(project) : `${errorsOf(project)}?${params}`;
}

/** The question as the server is asked it. */
export function inputOf(project: string, { release, search, ...question }: IssuesQuestion) {
  return {
    project,
    ...question,
    ...(search !== '' && { search }),
    ...(release !== '' && { release }),
  };
}
