/** Issues of a project: errors that belong together, the last seen first. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { IssueChange, IssueList } from '#src/errors/contract.ts';
import { ISSUES_PER_PAGE, issueOrders, issueStatuses } from '#src/errors/values.ts';
import { alertsOf, errorsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Pager } from '#views/kit/Pager.tsx';
import { Select } from '#views/kit/Select.tsx';
import { State } from '#views/kit/State.tsx';
import { searchForm } from '#views/kit/search-form.ts';
import { useServerTime } from '#views/kit/server-time.ts';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { useNavigate } from '#views/navigation.tsx';
import type { DateRangeProps } from '#views/question/DateRange.tsx';
import type { FilterChipsProps } from '#views/question/filters/FilterChips.tsx';
import { addressOf } from '#views/question/question.ts';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { errorRuleWords } from '#views/words/error-rules.ts';
import { issueWords } from '#views/words/issues.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { ChangeMenus } from './ChangeMenus.tsx';
import { IssueRow } from './IssueRow.tsx';
import css from './Issues.module.css';
import { type IssuesQuestion, inputOf, issuesAddress, pathWithin, readIssues } from './issue-address.ts';
import { Rules } from './Rules.tsx';
import { rulesAddress } from './rule-draft.ts';
import { useChange, useMoves } from './use-change.ts';
import { useRowKeys } from './use-row-keys.ts';

const FilterChips = lazyPart<FilterChipsProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).FilterChips,
);
const DateRange = lazyPart<DateRangeProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).DateRange,
);

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const input = inputOf(props.params['project'] ?? '', readIssues(props.search));
  const project = props.params['project'] ?? '';
  if (props.search.has('rules')) {
    return [...frameQueries(trpc, props), { options: trpc.errors.rules.queryOptions({ project }), critical: true }];
  }
  return [
    ...frameQueries(trpc, props),
    { options: trpc.errors.list.queryOptions(input), critical: true },
    { options: trpc.insights.segments.list.queryOptions({ project }), critical: true },
    ...(readIssues(props.search).within.people
      ? [{ options: trpc.insights.goals.list.queryOptions({ project }), critical: true }]
      : []),
  ];
}

export const title: ScreenModule['title'] = ({ language }) => issueWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(issueWords);
  const project = params['project'] ?? '';
  const text = search.toString();
  const question = useMemo(() => readIssues(new URLSearchParams(text)), [text]);
  const rules = usePart(errorRuleWords);
  if (search.has('rules')) {
    return (
      <Page title={rules.title} parent={{ title: own.title, href: errorsOf(project) }}>
        <Late fallback={<BarTableSkeleton rows={8} />}>
          <Rules key={text} project={project} search={search} />
        </Late>
      </Page>
    );
  }
  return (
    <Page
      title={own.title}
      actions={
        <>
          <ButtonLink small href={rulesAddress(project)}>
            {own.rules}
          </ButtonLink>
          <ButtonLink small icon="bell" href={`${alertsOf(project)}?edit=new&errors=1`}>
            {own.newAlert}
          </ButtonLink>
        </>
      }
    >
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
  const { words, format } = useWords();
  const { data } = useSuspenseQuery(useTrpc().errors.list.queryOptions(inputOf(project, question)));
  const { timeZone, weekStart } = useRoleIn(project);
  const today = dateIn(useServerTime(), timeZone);
  const { counts, issues, hasAny, totals } = data;
  const all = issueStatuses.reduce((sum, status) => sum + counts[status], 0);
  if (!hasAny) {
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
      <search className={css['bar']} aria-label={words.regions.filters}>
        <Late>
          <FilterChips withSegments ofRows path={pathWithin(project, question)} question={question.within} />
          <DateRange path={pathWithin(project, question)} question={question.within} now={{ today, weekStart }} />
        </Late>
      </search>
      <p className={css['totals']}>
        {own.totals(format.number(totals.events), format.number(totals.people), format.number(totals.sessions))}
      </p>
      <Tools project={project} question={question} releases={data.releases} />
      {issues.length === 0 ? (
        <p className="dim">{own.nothingFound}</p>
      ) : (
        <Table key={issuesAddress(project, question)} project={project} question={question} list={data} />
      )}
    </>
  );
}

/** Search, release and order. The form works without JavaScript. */
function Tools({ project, question, releases }: Asked & { releases: readonly string[] }) {
  const own = usePart(issueWords);
  const { navigate } = useNavigate();
  const { onSubmit, onChange } = searchForm((fields) =>
    navigate(issuesAddress(project, { ...readIssues(fields), within: question.within })),
  );
  return (
    <form
      key={issuesAddress(project, question)}
      method="get"
      action={errorsOf(project)}
      onSubmit={onSubmit}
      className={css['tools']}
    >
      {question.status !== 'active' && <input type="hidden" name="state" value={question.status} />}
      {[...new URLSearchParams(addressOf('', question.within).slice(1))].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
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
      <Select name="order" className="input" aria-label={own.order} defaultValue={question.order} onChange={onChange}>
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
  const { merge } = useMoves(project);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const isMaker = mayCall('errors.change', useRoleIn(project).role);
  const selected = issues.filter(({ id }) => chosen.has(id));
  const { columns } = own;
  const table = useRef<HTMLTableElement>(null);
  const toggle = (id: number) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  const changeAll = async (ids: readonly number[], made: IssueChange) => {
    if (ids.length === 0) return;
    await change(ids, made);
    setChosen(new Set());
  };
  // The issue that was seen first takes in the others.
  const mergeSelected = async () => {
    await merge(selected.toSorted((one, other) => one.firstSeen - other.firstSeen).map(({ id }) => id));
    setChosen(new Set());
  };
  const idsOf = (row: number | null) =>
    selected.length > 0 ? selected.map(({ id }) => id) : issues.flatMap(({ id }, at) => (at === row ? [id] : []));
  useRowKeys(
    table,
    'tbody th a',
    isMaker
      ? {
          toggle: (row) => issues[row] && toggle(issues[row].id),
          resolve: (row) => void changeAll(idsOf(row), { to: 'resolved' }),
          ignore: (row) => void changeAll(idsOf(row), { to: 'ignored' }),
        }
      : null,
  );
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
              merge={selected.length < 2 ? undefined : () => mergeSelected()}
              change={(made) =>
                changeAll(
                  selected.map(({ id }) => id),
                  made,
                )
              }
            />
          </>
        )}
      </div>
      <table ref={table} className={css['table']}>
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
            <IssueRow
              key={issue.id}
              project={project}
              issue={issue}
              isChosen={chosen.has(issue.id)}
              choose={isMaker ? () => toggle(issue.id) : null}
            />
          ))}
        </tbody>
      </table>
      <Pager
        page={question.page}
        perPage={ISSUES_PER_PAGE}
        shown={issues.length}
        total={total}
        hrefOf={(page) => issuesAddress(project, { ...question, page })}
      />
    </>
  );
}
