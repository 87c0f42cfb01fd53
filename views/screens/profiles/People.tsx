/** People: who is known, found by what is known of them. Search, filter, order and page stand in the address, and work as plain forms. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { Page } from '#views/frame/Page.tsx';
import { PeopleTabs } from '#views/frame/PeopleTabs.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Region } from '#views/kit/Region.tsx';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { peopleWords } from '#views/words/people.ts';
import { usePart } from '#views/words/words.tsx';
import { PeopleTable } from './PeopleTable.tsx';
import { PeopleTools } from './PeopleTools.tsx';
import { type PeopleQuestion, peopleAddress, peopleInput, readPeople } from './people-address.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const input = peopleInput(project, readPeople(props.search));
  return [
    ...frameQueries(trpc, props),
    { options: trpc.profiles.list.queryOptions(input), critical: true },
    { options: trpc.insights.cohorts.list.queryOptions({ project }), critical: false },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'people', project, input })),
  ];
}

export function title(words: Words): string {
  return words.nav.people;
}

export function Screen({ params, search }: ScreenProps) {
  const text = usePart(peopleWords);
  const project = params['project'] ?? '';
  const address = search.toString();
  const question = useMemo(() => readPeople(new URLSearchParams(address)), [address]);
  return (
    <Page title={text.title}>
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <Content project={project} question={question} />
      </Late>
    </Page>
  );
}

function Content({ project, question }: { project: string; question: PeopleQuestion }) {
  const text = usePart(peopleWords);
  const { navigate } = useNavigate();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  return (
    <div className="ph-no-capture">
      <PeopleTabs project={project} current="people" />
      <PeopleTools project={project} question={question} />
      <Region
        question={question}
        of={JSON.stringify(peopleInput(project, question))}
        label={text.title}
        counting={text.title}
        skeleton={<BarTableSkeleton rows={8} />}
        onCancel={(shown) => navigate(peopleAddress(project, shown), { replace: true })}
      >
        {(shown) => <PeopleTable project={project} question={shown} timeZone={timeZone} />}
      </Region>
    </div>
  );
}
