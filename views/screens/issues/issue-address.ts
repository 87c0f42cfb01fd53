/** What the list of issues shows, as its address has it: the range and filters of *Overview*, and its own choices. */
import { type IssueOrder, type IssueStatus, issueOrders, issueStatuses, MAX_ISSUE_SEARCH } from '#src/errors/values.ts';
import { errorsOf } from '#views/frame/addresses.ts';
import { issuesInput } from '#views/question/inputs.ts';
import { addressOf, type Question, readQuestion } from '#views/question/question.ts';

export interface IssuesQuestion {
  status: IssueStatus | 'all';
  search: string;
  /** '': all. */
  release: string;
  order: IssueOrder;
  page: number;
  /** Its range, filters, people and segment. */
  within: Question;
}

export function readIssues(search: URLSearchParams): IssuesQuestion {
  const status = search.get('state');
  const order = search.get('order');
  const page = Number(search.get('page') ?? 0);
  return {
    status: [...issueStatuses, 'all' as const].find((each) => each === status) ?? 'active',
    search: (search.get('search') ?? '').trim().slice(0, MAX_ISSUE_SEARCH),
    release: (search.get('release') ?? '').slice(0, 100),
    order: issueOrders.find((each) => each === order) ?? 'last_seen',
    page: Number.isSafeInteger(page) && page >= 0 && page <= 200 ? page : 0,
    within: readQuestion(search),
  };
}

/** Choices that are the list's own. */
export function paramsOf({ status, search, release, order, page }: Omit<IssuesQuestion, 'within'>): URLSearchParams {
  const params = new URLSearchParams();
  if (status !== 'active') params.set('state', status);
  if (search !== '') params.set('search', search);
  if (release !== '') params.set('release', release);
  if (order !== 'last_seen') params.set('order', order);
  if (page > 0) params.set('page', String(page));
  return params;
}

/** The address to which a choice of range and filters is added; it begins with the first page. */
export function pathWithin(project: string, question: IssuesQuestion): string {
  const params = paramsOf({ ...question, page: 0 }).toString();
  return params === '' ? errorsOf(project) : `${errorsOf(project)}?${params}`;
}

export function issuesAddress(project: string, question: IssuesQuestion): string {
  const params = paramsOf(question).toString();
  return addressOf(params === '' ? errorsOf(project) : `${errorsOf(project)}?${params}`, question.within);
}

/** The question as the server is asked it. */
export function inputOf(project: string, { release, search, within, ...question }: IssuesQuestion) {
  return {
    ...issuesInput(project, within),
    ...question,
    ...(search !== '' && { search }),
    ...(release !== '' && { release }),
  };
}
