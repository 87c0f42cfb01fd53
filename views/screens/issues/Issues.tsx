/** Issues of a project: errors that belong together, the last seen first. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { IssueList, IssueSummary } from '#src/errors/contract.ts';
import { ISSUES_PER_PAGE, issueOrders, issueStatuses } from '#src/errors/values.ts';
import { errorsOf, issueOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Select } from '#views/kit/Select.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { useNavigation } from '#views/navigation.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { issueWords } from '#views/words/issues.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Badge, stateOf } from './Badge.tsx';
import { ChangeMenus } from './ChangeMenus.tsx';
import { DayBars } from './DayBars.tsx';
import css from './Issues.module.css';
import { type IssuesQuestion, inputOf, issuesAddress, paramsOf, readIssues } from './issue-address.ts';
import { nameOf } from './name.ts';
import { useChange } from './use-change.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const input = inputOf(props.params['project'] ?? '', readIssues(props.search));
  return [...frameQueries(trpc, props), { options: trpc.errors.list.queryOptions(input), critical: true }];
}

export const title: ScreenModule['title'] = ({ language }) => issueWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(issueWords);
  const project = params['project'] ?? '';
  const question = readIssues(search);
  return (
    <Page title={own.title}>
      <div className="ph-no-capture">
        <Late fallback={<BarTableSkeleton rows={8} />}>
          <Content project={project} question={question} />
        </Late>
      </div>
    </Page>
  );
}

interface Asked {
  project: string;
  question: IssuesQuestion;
}

function Content({ project, question }: Asked) {
  const own = usePart(issueWords);
  const { format } = useWords();
  const { data } = useSuspenseQuery(useTrpc().errors.list.queryOptions(inputOf(project, question)));
  const { counts, issues } = data;
  const all = issueStatuses.reduce((sum, status) => sum + counts[status], 0);
  if (all === 0) {
    return (
      <State icon="error" title={own.none}>
        {own.noneText}
      </State>
    );
  }
  const tabs = [...issueStatuses, 'all' as const].map((status) => ({
    key: status,
    label: (
      <>
        {own.tabs[status]} <span className="dim">{format.number(status === 'all' ? all : counts[status])}</span>
      </>
    ),
    href: issuesAddress(project, { ...question, status, page: 0 }),
    current: status === question.status,
  }));
  return (
    <>
      <LinkTabs label={own.states} tabs={tabs} />
      <Tools project={project} question={question} releases={data.releases} />
      {issues.length === 0 ? (
        <p className="dim">{own.nothingFound}</p>
      ) : (
        <Table key={paramsOf(question).toString()} project={project} question={question} list={data} />
      )}
    </>
  );
}

/** Search, release and order. The form works without JavaScript. */
function Tools({ project, question, releases }: Asked & { releases: readonly string[] }) {
  const own = usePart(issueWords);
  const { navigate } = useNavigation();
  const ask = (form: HTMLFormElement) => {
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form)) params.append(name, String(value));
    navigate(issuesAddress(project, readIssues(params)));
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask(event.currentTarget);
  };
  const onChange = ({ target }: { target: HTMLSelectElement }) => target.form && ask(target.form);
  return (
    <form
      key={paramsOf(question).toString()}
      method="get"
      action={errorsOf(project)}
      onSubmit={onSubmit}
      className={css['tools']}
    >
      {question.status !== 'active' && <input type="hidden" name="state" value={question.status} />}
      <input
        type="search"
        name="search"
        className={classNames('input', css['search'])}
        aria-label={own.searchHint}
        placeholder={own.searchHint}
        defaultValue={question.search}
        maxLength={200}
      />
      <Select
        name="release"
        className="input"
        aria-label={own.release}
        defaultValue={question.release}
        onChange={onChange}
      >
        <option value="">{own.anyRelease}</option>
        {[...new Set([...releases, question.release])]
          .filter((release) => release !== '')
          .map((release) => (
            <option key={release} value={release}>
              {release}
            </option>
          ))}
      </Select>
      <Select name="sort" className="input" aria-label={own.order} defaultValue={question.order} onChange={onChange}>
        {issueOrders.map((order) => (
          <option key={order} value={order}>
            {own.orders[order]}
          </option>
        ))}
      </Select>
      <Button type="submit" icon="search">
        {own.find}
      </Button>
    </form>
  );
}

function Table({ project, question, list: { issues, total, releases } }: Asked & { list: IssueList }) {
  const own = usePart(issueWords);
  const { format } = useWords();
  const { change } = useChange(project);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const isMaker = mayCall('errors.change', useRoleIn(project).role);
  const selected = issues.filter(({ id }) => chosen.has(id));
  const { columns } = own;
  return (
    <>
      <div className={css['line']}>
        {selected.length === 0 ? (
          <p className="dim">{own.note}</p>
        ) : (
          <>
            <p role="status">{own.selected(selected.length, format.number(selected.length))}</p>
            <ChangeMenus
              status={question.status === 'all' ? null : question.status}
              release={releases[0] ?? null}
              change={async (made) => {
                await change(
                  selected.map(({ id }) => id),
                  made,
                );
                setChosen(new Set());
              }}
            />
          </>
        )}
      </div>
      <table className={css['table']}>
        <caption className="visually-hidden">{own.list}</caption>
        <thead>
          <tr>
            {isMaker && (
              <td className={css['check']}>
                <input
                  type="checkbox"
                  className="script-only"
                  aria-label={own.selectAll}
                  checked={selected.length === issues.length}
                  onChange={({ target }) => setChosen(new Set(target.checked ? issues.map(({ id }) => id) : []))}
                />
              </td>
            )}
            <th scope="col">{columns.issue}</th>
            <th scope="col" className="wide-only">
              {columns.days}
            </th>
            <th scope="col" className={css['number']}>
              {columns.events}
            </th>
            <th scope="col" className={classNames(css['number'], 'wide-only')}>
              {columns.people}
            </th>
            <th scope="col" className="wide-only">
              {columns.state}
            </th>
            <th scope="col" className="wide-only">
              {columns.assignee}
            </th>
            <th scope="col" className={classNames(css['number'], 'wide-only')}>
              {columns.lastSeen}
            </th>
          </tr>
        </thead>
        <tbody>
          {issues.map((issue) => (
            <Row
              key={issue.id}
              project={project}
              issue={issue}
              isChosen={chosen.has(issue.id)}
              choose={
                isMaker
                  ? (isOn) =>
                      setChosen(new Set(isOn ? [...chosen, issue.id] : [...chosen].filter((id) => id !== issue.id)))
                  : null
              }
            />
          ))}
        </tbody>
      </table>
      <Pages project={project} question={question} total={total} shown={issues.length} />
    </>
  );
}

interface RowProps {
  project: string;
  issue: IssueSummary;
  isChosen: boolean;
  /** Null: may not change it. */
  choose: ((isOn: boolean) => void) | null;
}

function Row({ project, issue, isChosen, choose }: RowProps) {
  const own = usePart(issueWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  const name = nameOf(issue);
  const isHot = ['new', 'regressed'].includes(stateOf(issue, now));
  return (
    <tr>
      {choose && (
        <td className={css['check']}>
          <input
            type="checkbox"
            className="script-only"
            aria-label={own.select(name)}
            checked={isChosen}
            onChange={({ target }) => choose(target.checked)}
          />
        </td>
      )}
      <th scope="row">
        <Link href={issueOf(project, issue.id)} className={css['name']}>
          {name}
        </Link>
        <span className={classNames(css['below'], 'mono')}>{issue.culprit}</span>
        <span className={css['below']}>
          {issue.unhandled && <span className={css['badge']}>{own.unhandled}</span>}{' '}
          {issue.lastRelease !== null && <span>{issue.lastRelease}</span>}
          <span className={css['narrow']}>
            {' '}
            <Badge issue={issue} /> {ago(issue.lastSeen, now, timeZone, words)}
          </span>
        </span>
      </th>
      <td className="wide-only">
        <DayBars days={issue.days} isHot={isHot} />
      </td>
      <td className={classNames(css['number'], 'num', css['strong'])}>{format.number(issue.events)}</td>
      <td className={classNames(css['number'], 'num wide-only')}>{format.number(issue.people)}</td>
      <td className="wide-only">
        <Badge issue={issue} />
      </td>
      <td className="wide-only">
        {issue.assignee === null ? (
          <span className="dim">{own.nobody}</span>
        ) : (
          <>
            <Avatar name={issue.assignee.name} />
            <span className="visually-hidden">{issue.assignee.name ?? own.someone}</span>
          </>
        )}
      </td>
      <td className={classNames(css['number'], 'num wide-only')}>
        <time dateTime={new Date(issue.lastSeen).toISOString()}>{ago(issue.lastSeen, now, timeZone, words)}</time>
      </td>
    </tr>
  );
}

function Pages({ project, question, total, shown }: Asked & { total: number; shown: number }) {
  const own = usePart(issueWords);
  const { format } = useWords();
  if (total <= ISSUES_PER_PAGE) return null;
  const first = question.page * ISSUES_PER_PAGE + 1;
  const last = first + shown - 1;
  const at = (page: number) => issuesAddress(project, { ...question, page });
  return (
    <div className={css['pages']}>
      <span className="dim">{own.page(format.number(first), format.number(last), format.number(total))}</span>
      {question.page > 0 && (
        <ButtonLink small href={at(question.page - 1)}>
          {own.previousPage}
        </ButtonLink>
      )}
      {last < total && (
        <ButtonLink small href={at(question.page + 1)}>
          {own.nextPage}
        </ButtonLink>
      )}
    </div>
  );
}
