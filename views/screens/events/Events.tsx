/** Events: everything that was received, row by row, over any range. Filters and columns stand in the address; a row opens in place. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { readKey } from '#views/kit/event-key.ts';
import { Late } from '#views/kit/Late.tsx';
import { Region } from '#views/kit/Region.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigate } from '#views/navigation.tsx';
import type { Today } from '#views/question/dates.ts';
import { type ExplorerState, exploredAddress, readExplored } from '#views/question/explorer-address.ts';
import { readQuestion } from '#views/question/question.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { eventsWords } from '#views/words/events.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { EventsBar } from './EventsBar.tsx';
import { EventsTable } from './EventsTable.tsx';
import { EventTabs } from './EventTabs.tsx';
import { exploredInput, pageInput } from './explorer-inputs.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const explored = readExplored(props.search, readQuestion(props.search));
  const open = readKey(explored.open);
  return [
    ...frameQueries(trpc, props),
    { options: trpc.explorer.page.queryOptions(pageInput(project, explored)), critical: true },
    { options: trpc.insights.segments.list.queryOptions({ project }), critical: true },
    ...(explored.question.people
      ? [{ options: trpc.insights.goals.list.queryOptions({ project }), critical: true }]
      : []),
    { options: trpc.explorer.names.queryOptions({ project }), critical: false },
    { options: trpc.explorer.count.queryOptions(exploredInput(project, explored)), critical: false },
    ...explainQueries(
      props.search,
      explanationOf(trpc, { screen: 'list', project, input: exploredInput(project, explored) }),
    ),
    ...(open ? [{ options: trpc.events.detail.queryOptions({ project, ...open }), critical: true }] : []),
  ];
}

export function title(words: Words): string {
  return words.nav.events;
}

export function Screen({ params, search }: ScreenProps) {
  const { words } = useWords();
  const project = params['project'] ?? '';
  const text = search.toString();
  const explored = useMemo(() => {
    const read = new URLSearchParams(text);
    return readExplored(read, readQuestion(read));
  }, [text]);
  return (
    <Page title={words.nav.events}>
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <Content reference={project} explored={explored} />
      </Late>
    </Page>
  );
}

function Content({ reference, explored }: { reference: string; explored: ExplorerState }) {
  const { words } = useWords();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const project = projects.find((each) => isProject(each, reference));
  if (project === undefined) {
    return (
      <State icon="search" title={words.errors.notFoundTitle}>
        {words.errors.notFoundText}
      </State>
    );
  }
  return <Explorer reference={reference} explored={explored} project={project} />;
}

interface ExplorerProps {
  reference: string;
  explored: ExplorerState;
  project: ProjectSummary;
}

function Explorer({ reference, explored, project }: ExplorerProps) {
  const text = usePart(eventsWords);
  const { navigate } = useNavigate();
  const time = useServerTime();
  const now: Today = { today: dateIn(time, project.timeZone), weekStart: project.weekStart };
  return (
    <div className="ph-no-capture">
      <EventTabs project={reference} current="list" />
      <EventsBar reference={reference} explored={explored} now={now} />
      <Region
        question={explored}
        of={JSON.stringify(pageInput(reference, explored))}
        label={text.title}
        counting={text.countingEvents}
        skeleton={<BarTableSkeleton rows={8} />}
        onCancel={(shown) => navigate(exploredAddress(reference, shown), { replace: true })}
      >
        {(shown) => <EventsTable reference={reference} explored={shown} timeZone={project.timeZone} />}
      </Region>
    </div>
  );
}
