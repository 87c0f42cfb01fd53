/** What happened in a group, where it leads on, and its people. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import type { PointPage } from '#src/profiles/points/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { eventsOf, newInsightOf, overviewOf } from '#views/frame/addresses.ts';
import { insightAddress } from '#views/insights/address.ts';
import { firstOwn } from '#views/insights/insight.ts';
import { PeopleRows } from '#views/insights/PeopleRows.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { addressOf, readQuestion } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { groupWords } from '#views/words/groups.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { GroupInsights } from './GroupInsights.tsx';
import { GroupSection } from './GroupSection.tsx';
import css from './Groups.module.css';
import { activityQuery, filtersOf, type GroupPartProps, peopleQuery, RANGE } from './group-queries.ts';

export interface GroupPartsProps extends GroupPartProps {
  project: ProjectSummary;
}

export function GroupParts({ asked, subject, project }: GroupPartsProps) {
  return (
    <>
      <Activity asked={asked} subject={subject} project={project} />
      <Onward asked={asked} subject={subject} />
      <GroupInsights asked={asked} subject={subject} />
      <People asked={asked} subject={subject} timeZone={project.timeZone} />
    </>
  );
}

function Activity(props: GroupPartsProps) {
  const text = usePart(groupWords);
  const { words } = useWords();
  const title = text.activity(words.range.presets[RANGE]);
  return (
    <GroupSection title={title} of={`${props.asked.type} ${props.asked.key}`} skeleton={<ChartSkeleton />}>
      <ActivityChart {...props} title={title} />
    </GroupSection>
  );
}

function ActivityChart({ asked, subject, project, title }: GroupPartsProps & { title: string }) {
  const text = usePart(groupWords);
  const { data } = useSuspenseQuery(useTrpc().insights.query.trends.queryOptions(activityQuery(asked, subject)));
  const result = data as TrendsResult;
  return (
    <SeriesChart
      name={title}
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
  );
}

function Onward({ asked, subject }: GroupPartProps) {
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

function People(props: GroupPartProps & { timeZone: string }) {
  const text = usePart(groupWords);
  return (
    <GroupSection title={text.people} of={`${props.asked.type} ${props.asked.key}`}>
      <PeopleList {...props} />
    </GroupSection>
  );
}

function PeopleList({ asked, subject, timeZone }: GroupPartProps & { timeZone: string }) {
  const text = usePart(groupWords);
  const { data } = useSuspenseQuery(useTrpc().profiles.behind.trends.queryOptions(peopleQuery(asked, subject)));
  const { rows } = data as PointPage;
  if (rows.length === 0) return <p className="dim">{text.noPeople}</p>;
  return <PeopleRows reference={asked.project} people={rows} timeZone={timeZone} />;
}
