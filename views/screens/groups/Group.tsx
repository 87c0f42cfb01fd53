/** One group, such as a company: what it is, what happened in it, and who belongs to it. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { GROUP_KEY, type GroupSubject, groupSubject } from '#src/columns/values.ts';
import type { TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { GroupDetail } from '#src/profiles/groups/contract.ts';
import type { PointPage } from '#src/profiles/points/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { jsonText } from '#views/event/values.ts';
import { eventsOf, groupsOf, newInsightOf, overviewOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { insightAddress } from '#views/insights/address.ts';
import { firstOwn } from '#views/insights/insight.ts';
import { PeopleRows } from '#views/insights/PeopleRows.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { DataTable } from '#views/kit/DataTable.tsx';
import { Late } from '#views/kit/Late.tsx';
import { LongText } from '#views/kit/LongText.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { addressOf, readQuestion } from '#views/question/question.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { missing } from '#views/words/format.ts';
import { groupWords } from '#views/words/groups.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './Groups.module.css';

/** Of events and people that are shown. */
const RANGE = 'last_30_days';
const MAX_EVENTS = 10;

interface GroupRef {
  project: string;
  type: number;
  key: string;
}

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

/** `key` of a group is not passed as a prop of its own: React takes that name. */
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
        <Facts group={group} timeZone={project.timeZone} />
        <div className={css['main']}>
          <Activity asked={asked} subject={subject} project={project} />
          <Onward asked={asked} subject={subject} />
          <People asked={asked} subject={subject} timeZone={project.timeZone} />
          <Events asked={asked} subject={subject} timeZone={project.timeZone} />
        </div>
      </div>
    </div>
  );
}

function Facts({ group, timeZone }: { group: GroupDetail; timeZone: string }) {
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
    </aside>
  );
}

function propertyText(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value);
}

interface PartProps {
  asked: GroupRef;
  subject: GroupSubject;
}

function Activity({ asked, subject, project }: PartProps & { project: ProjectSummary }) {
  const text = usePart(groupWords);
  const { words } = useWords();
  const range = words.range.presets[RANGE];
  const { data } = useQuery(useTrpc().insights.query.trends.queryOptions(activityQuery(asked, subject)));
  const result = data as TrendsResult | undefined;
  return (
    <section aria-label={text.activity(range)}>
      <h2>{text.activity(range)}</h2>
      {result === undefined ? (
        <BarTableSkeleton rows={4} />
      ) : (
        <SeriesChart
          name={text.activity(range)}
          look="bar"
          kind="count"
          interval={result.interval}
          timeZone={result.timeZone}
          weekStart={project.weekStart}
          starts={result.starts}
          to={result.range.to}
          series={[{ key: 'events', label: text.events, values: result.series[0]?.rows[0]?.points ?? [] }]}
          running={result.running}
          until={result.range.until}
        />
      )}
    </section>
  );
}

function Onward({ asked, subject }: PartProps) {
  const text = usePart(groupWords);
  const question = {
    ...readQuestion(new URLSearchParams()),
    range: RANGE,
    filters: filtersOf(asked, subject),
  } as const;
  return (
    <p className={css['onward']}>
      <ButtonLink
        small
        icon="chart"
        href={insightAddress(newInsightOf(asked.project), {
          kind: 'trends',
          question,
          own: firstOwn('trends', [{ event: null }]),
          display: {},
        })}
      >
        {text.asInsight}
      </ButtonLink>
      <ButtonLink small icon="filter" href={addressOf(overviewOf(asked.project), question)}>
        {text.asFilter}
      </ButtonLink>
      <ButtonLink small icon="table" href={addressOf(eventsOf(asked.project), question)}>
        {text.allEvents}
      </ButtonLink>
    </p>
  );
}

function People({ asked, subject, timeZone }: PartProps & { timeZone: string }) {
  const text = usePart(groupWords);
  const { data } = useQuery(useTrpc().profiles.behind.trends.queryOptions(peopleQuery(asked, subject)));
  const page = data as PointPage | undefined;
  return (
    <section aria-label={text.people}>
      <h2>{text.people}</h2>
      {page === undefined ? (
        <BarTableSkeleton rows={4} />
      ) : page.rows.length === 0 ? (
        <p className="dim">{text.noPeople}</p>
      ) : (
        <PeopleRows reference={asked.project} people={page.rows} timeZone={timeZone} />
      )}
    </section>
  );
}

function Events({ asked, subject, timeZone }: PartProps & { timeZone: string }) {
  const text = usePart(groupWords);
  const { format } = useWords();
  const { data } = useQuery(useTrpc().explorer.page.queryOptions(eventsQuery(asked, subject)));
  return (
    <section aria-label={text.recent}>
      <h2>{text.recent}</h2>
      {data === undefined ? (
        <BarTableSkeleton rows={4} />
      ) : data.rows.length === 0 ? (
        <p className="dim">{text.noEvents}</p>
      ) : (
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
      )}
    </section>
  );
}

function filtersOf({ key }: GroupRef, about: GroupSubject) {
  return {
    match: 'all' as const,
    of: [{ about, name: GROUP_KEY, operator: 'equals' as const, values: [key] }],
  };
}

function trendOf(asked: GroupRef, subject: GroupSubject, measure: 'events' | 'persons') {
  return {
    range: RANGE,
    filters: filtersOf(asked, subject),
    series: [{ event: { event: null }, measure }],
  } as const;
}

function activityQuery(asked: GroupRef, subject: GroupSubject) {
  const { range, filters, series } = trendOf(asked, subject, 'events');
  return { project: asked.project, range, filters, series: [...series], interval: 'day' as const };
}

function peopleQuery(asked: GroupRef, subject: GroupSubject) {
  const { range, filters, series } = trendOf(asked, subject, 'persons');
  return {
    project: asked.project,
    query: { range, filters, series: [...series] },
    point: { series: 0 },
    sort: 'events' as const,
    page: 1,
  };
}

function eventsQuery(asked: GroupRef, subject: GroupSubject) {
  return { project: asked.project, range: RANGE, filters: filtersOf(asked, subject), limit: MAX_EVENTS } as const;
}
