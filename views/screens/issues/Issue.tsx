/** One issue: where it was thrown, what happened before, who met it, and what was done about it. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/values.ts';
import type { Issue } from '#src/errors/contract.ts';
import { errorsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { keyOf, readKey } from '#views/kit/event-key.ts';
import { issueName } from '#views/kit/issue-name.ts';
import { Late } from '#views/kit/Late.tsx';
import { Select } from '#views/kit/Select.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { issueWords } from '#views/words/issues.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { Badge } from './Badge.tsx';
import { ChangeMenus } from './ChangeMenus.tsx';
import css from './Issue.module.css';
import { IssueSide } from './IssueSide.tsx';
import list from './Issues.module.css';
import { Breadcrumbs, Occurrences } from './Occurrences.tsx';
import { Stack } from './Stack.tsx';
import { useChange } from './use-change.ts';

function issueOptions(trpc: Trpc, { params }: Pick<ScreenProps, 'params'>) {
  return trpc.errors.get.queryOptions(refOf(params));
}

function occurrenceOptions(trpc: Trpc, { params, search }: ScreenProps) {
  const at = readKey(search.get('at'));
  return trpc.errors.occurrence.queryOptions({ ...refOf(params), ...(at && { at }) });
}

function refOf(params: ScreenProps['params']) {
  const issue = Number(params['issue']);
  const isNumber = Number.isSafeInteger(issue) && issue >= 0 && issue <= 2_147_483_647;
  return { project: params['project'] ?? '', issue: isNumber ? issue : 0 };
}

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  return [
    ...frameQueries(trpc, props),
    { options: issueOptions(trpc, props), critical: true },
    { options: occurrenceOptions(trpc, props), critical: true },
  ];
}

export const title: ScreenModule['title'] = ({ language }) => issueWords[language].title;

export function Screen(props: ScreenProps) {
  return (
    <Late fallback={<BarTableSkeleton rows={8} />}>
      <Open {...props} />
    </Late>
  );
}

function Open(props: ScreenProps) {
  const { params, search } = props;
  const own = usePart(issueWords);
  const trpc = useTrpc();
  const project = params['project'] ?? '';
  const { data: issue } = useSuspenseQuery(issueOptions(trpc, props));
  const { change } = useChange(project);
  const isMaker = mayCall('errors.change', useRoleIn(project).role);
  const name = issueName(issue);
  return (
    <Page
      title={<span className="ph-no-capture">{name}</span>}
      parent={{ title: own.title, href: errorsOf(project) }}
      actions={
        isMaker && (
          <ChangeMenus status={issue.status} release={issue.lastRelease} change={(made) => change([issue.id], made)} />
        )
      }
    >
      <div className="ph-no-capture">
        <Head project={project} issue={issue} name={name} isMaker={isMaker} />
        <div className={css['columns']}>
          <div className={css['main']}>
            <Late fallback={<BarTableSkeleton rows={4} />}>
              <Occurrence {...props} isAll={search.get('frames') === 'all'} />
            </Late>
            <Occurrences project={project} issue={issue} chosen={search.get('at')} />
          </div>
          <IssueSide project={project} issue={issue} isMaker={isMaker} />
        </div>
      </div>
    </Page>
  );
}

function Head({ project, issue, name, isMaker }: { project: string; issue: Issue; name: string; isMaker: boolean }) {
  const own = usePart(issueWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  const { change } = useChange(project);
  const seen = ago(issue.firstSeen, now, timeZone, words);
  const date = (ms: number) => format.day(dateIn(ms, timeZone), Number(dateIn(now, timeZone).slice(0, 4)));
  const { ignoredEventsLeft: left, ignoredPeopleLeft: peopleLeft } = issue;
  return (
    <div className={css['head']}>
      <h2 className={css['title']}>{name}</h2>
      {issue.message.includes('\n') && <p className={css['message']}>{issue.message}</p>}
      <p className={css['facts']}>
        <Badge issue={issue} /> {issue.unhandled && <span className={list['badge']}>{own.unhandled}</span>}{' '}
        {issue.firstRelease === null ? own.firstSeen(seen) : own.firstSeenIn(seen, issue.firstRelease)}
        {'. '}
        {issue.ignoredUntil !== null && own.ignoredUntil(date(issue.ignoredUntil))}
        {left !== null && own.ignoredEventsLeft(left, format.number(left))}
        {peopleLeft !== null && own.ignoredPeopleLeft(peopleLeft, format.number(peopleLeft))}
        {issue.status === 'resolved' && issue.resolvedRelease !== null && own.resolvedNext(issue.resolvedRelease)}
      </p>
      {isMaker && (
        <div className={css['assignee']}>
          <Select
            className="input"
            aria-label={own.assignee}
            value={issue.assignee?.id ?? ''}
            onChange={({ target }) =>
              change([issue.id], { to: 'assigned', assignee: target.value === '' ? null : Number(target.value) })
            }
          >
            <option value="">{own.nobody}</option>
            {issue.members.map((member) => (
              <option key={member.id} value={member.id}>
                {member.name}
              </option>
            ))}
          </Select>
        </div>
      )}
    </div>
  );
}

function Occurrence({ isAll, ...props }: ScreenProps & { isAll: boolean }) {
  const { data } = useSuspenseQuery(occurrenceOptions(useTrpc(), props));
  const project = props.params['project'] ?? '';
  return (
    <>
      <Stack key={keyOf(data)} exceptions={data.exceptions} isAll={isAll} search={props.search} />
      <Breadcrumbs project={project} occurrence={data} />
    </>
  );
}
