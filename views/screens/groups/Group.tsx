/** One group, such as a company: what it is, what happened in it, and who belongs to it. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Role } from '#src/accounts/values.ts';
import { groupSubject } from '#src/columns/values.ts';
import type { GroupDetail } from '#src/profiles/groups/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { groupsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { DataTable } from '#views/kit/DataTable.tsx';
import { Late } from '#views/kit/Late.tsx';
import { LongText } from '#views/kit/LongText.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { missing } from '#views/words/format.ts';
import { groupWords } from '#views/words/groups.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { EraseGroup, GroupHistory, propertyText } from './GroupHistory.tsx';
import type { GroupPartsProps } from './GroupParts.tsx';
import { GroupSection } from './GroupSection.tsx';
import css from './Groups.module.css';
import {
  activityQuery,
  eventsQuery,
  type GroupPartProps,
  type GroupRef,
  insightsQuery,
  peopleQuery,
} from './group-queries.ts';

const GroupParts = lazyPart<GroupPartsProps>(
  'group-parts',
  async () => (await import('#views/areas/group-parts.ts')).GroupParts,
);

function refOf({ params }: Pick<ScreenProps, 'params'>): GroupRef {
  return { project: params['project'] ?? '', type: Number(params['type']), key: params['key'] ?? '' };
}

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const asked = refOf(props);
  const subject = groupSubject(asked.type);
  return [
    ...frameQueries(trpc, props),
    { options: trpc.profiles.groups.get.queryOptions(asked), critical: true },
    ...(subject === null
      ? []
      : [
          { options: trpc.insights.query.trends.queryOptions(activityQuery(asked, subject)), critical: false },
          { options: trpc.profiles.behind.trends.queryOptions(peopleQuery(asked, subject)), critical: false },
          { options: trpc.insights.saved.ofGroup.queryOptions(insightsQuery(asked)), critical: false },
          { options: trpc.explorer.page.queryOptions(eventsQuery(asked, subject)), critical: false },
        ]),
  ];
}

export function title(words: Words): string {
  return groupWords[words.language].title;
}

export function Screen({ params }: ScreenProps) {
  const text = usePart(groupWords);
  const { project, type, key } = refOf({ params });
  const asked = useMemo(() => ({ project, type, key }), [project, type, key]);
  const of = `${type} ${key}`;
  return (
    <Page
      title={
        <Boundary of={of} fallback={() => key}>
          <Late fallback={key}>
            <Name asked={asked} />
          </Late>
        </Boundary>
      }
      parent={{ title: text.title, href: `${groupsOf(project)}?type=${type}` }}
    >
      <Boundary of={of} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
        <Late fallback={<BarTableSkeleton rows={8} />}>
          <Content asked={asked} />
        </Late>
      </Boundary>
    </Page>
  );
}

function useGroup(asked: GroupRef): GroupDetail {
  return useSuspenseQuery(useTrpc().profiles.groups.get.queryOptions(asked)).data;
}

/** `key` of a group is not passed as a prop: React reserves that name. */
function Name({ asked }: { asked: GroupRef }) {
  const { label, key } = useGroup(asked);
  return <span className="ph-no-capture">{label ?? key}</span>;
}

function Content({ asked }: { asked: GroupRef }) {
  const trpc = useTrpc();
  const group = useGroup(asked);
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const project = projects.find((each) => isProject(each, asked.project));
  const subject = groupSubject(asked.type);
  const type = project?.groupTypes.find((each) => each.type === asked.type);
  if (project === undefined || subject === null) return null;
  return (
    <div className="ph-no-capture">
      <p className={css['sub']}>
        {type?.singular} <span className="mono">{group.key}</span>
      </p>
      <div className={css['columns']}>
        <Facts asked={asked} group={group} role={project.role} timeZone={project.timeZone} />
        <div className={css['main']}>
          {/* Together: the events would be pushed away by what comes above them. */}
          <Late fallback={<ChartSkeleton />}>
            <GroupParts asked={asked} subject={subject} project={project} />
            <Events asked={asked} subject={subject} timeZone={project.timeZone} />
          </Late>
        </div>
      </div>
    </div>
  );
}

interface FactsProps {
  asked: GroupRef;
  group: GroupDetail;
  role: Role;
  timeZone: string;
}

function Facts({ asked, group, role, timeZone }: FactsProps) {
  const text = usePart(groupWords);
  const { format } = useWords();
  const thisYear = Number(dateIn(useServerTime(), timeZone).slice(0, 4));
  const day = (at: number | null) => (at === null ? missing : format.day(dateIn(at, timeZone), thisYear));
  return (
    <aside className={css['side']} aria-label={text.facts}>
      <dl className={css['facts']}>
        {(
          [
            [text.events, format.number(group.events)],
            [text.people, format.number(group.people)],
            [text.firstSeen, day(group.firstSeen)],
            [text.lastSeen, day(group.lastSeen)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <h2>{text.properties}</h2>
      {group.properties.length === 0 ? (
        <p className="dim">{text.noProperties}</p>
      ) : (
        <dl className={css['list']}>
          {group.properties.map(({ name, value, changedAt }) => (
            <div key={name}>
              <dt className="mono">{name}</dt>
              <dd>
                <LongText label={name} text={propertyText(value)} />
                {changedAt !== null && (
                  <span className={css['changed']}>{text.changed(format.dayTime(changedAt, timeZone))}</span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {group.describedAt !== null && (
        <>
          <GroupHistory asked={asked} timeZone={timeZone} />
          <EraseGroup asked={asked} name={group.label ?? group.key} role={role} hasEvents={group.events > 0} />
        </>
      )}
    </aside>
  );
}

function Events(props: GroupPartProps & { timeZone: string }) {
  const text = usePart(groupWords);
  const { type, key } = props.asked;
  return (
    <GroupSection title={text.recent} of={`${type} ${key}`}>
      <EventRows {...props} />
    </GroupSection>
  );
}

function EventRows({ asked, subject, timeZone }: GroupPartProps & { timeZone: string }) {
  const text = usePart(groupWords);
  const { format } = useWords();
  const { data } = useSuspenseQuery(useTrpc().explorer.page.queryOptions(eventsQuery(asked, subject)));
  if (data.rows.length === 0) return <p className="dim">{text.noEvents}</p>;
  return (
    <DataTable
      caption={text.recent}
      columns={[
        { key: 'event', head: text.event },
        { key: 'person', head: text.person, wideOnly: true },
        { key: 'when', head: text.when, className: 'num' },
      ]}
      rows={data.rows.map((row) => ({
        key: row.uuid,
        cells: {
          event: <span className="clip">{row.event}</span>,
          person: <span className="clip">{row.person.label ?? row.person.distinctId}</span>,
          when: <time dateTime={new Date(row.ts).toISOString()}>{format.dayTime(row.ts, timeZone)}</time>,
        },
      }))}
    />
  );
}
