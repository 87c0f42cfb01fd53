/** Saved insights: found by name, kind, owner and tag; favorites first. Search and filters stand in the address, and work as plain forms. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import { newInsightOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { State } from '#views/kit/State.tsx';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Filters } from './Filters.tsx';
import css from './InsightList.module.css';
import { InsightTable } from './InsightTable.tsx';
import { allInsights, type ListQuestion, listAddress, listInput, pagesOf, readList } from './list-address.ts';
import { Templates } from './Templates.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.insights.saved.templates.queryOptions({ project }), critical: true },
    { options: trpc.insights.saved.list.queryOptions(listInput(project, readList(props.search))), critical: true },
  ];
}

export const title: ScreenModule['title'] = ({ language }) => savedInsightWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(savedInsightWords);
  const project = params['project'] ?? '';
  const address = search.toString();
  const question = useMemo(() => readList(new URLSearchParams(address)), [address]);
  return (
    <Page title={own.title} actions={<NewInsight project={project} />}>
      <div className="ph-no-capture">
        {/* Together: the list would move down when the templates came above it. */}
        <Late fallback={<BarTableSkeleton rows={8} />}>
          <Templates project={project} />
          <Content project={project} question={question} />
        </Late>
      </div>
    </Page>
  );
}

function NewInsight({ project }: { project: string }) {
  const own = usePart(savedInsightWords);
  return (
    <ButtonLink kind="primary" small icon="plus" href={newInsightOf(project)}>
      {own.create}
    </ButtonLink>
  );
}

interface ListProps {
  project: string;
  question: ListQuestion;
}

function Content({ project, question }: ListProps) {
  const own = usePart(savedInsightWords);
  const { navigate } = useNavigate();
  return (
    <Region
      question={question}
      of={JSON.stringify(listInput(project, question))}
      label={own.title}
      counting={own.title}
      skeleton={<BarTableSkeleton rows={8} />}
      onCancel={(shown) => navigate(listAddress(project, shown), { replace: true })}
    >
      {(shown) => <List project={project} question={shown} />}
    </Region>
  );
}

function List({ project, question }: ListProps) {
  const own = usePart(savedInsightWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.insights.saved.list.queryOptions(listInput(project, question)));
  const { role, timeZone } = useRoleIn(project);
  const isEditor = mayCall('insights.saved.create', role);
  if (data.facets.all === 0 && data.facets.archived === 0) {
    return (
      <State icon="chart" title={own.emptyTitle} actions={<NewInsight project={project} />}>
        {isEditor ? own.emptyText : own.emptyViewer}
      </State>
    );
  }
  return (
    <>
      <Filters project={project} question={question} facets={data.facets} />
      {data.total === 0 ? (
        <p className={css['none']}>
          {question.shown === 'favorites' && data.facets.favorites === 0 ? own.filters.noFavorites : own.filters.none}{' '}
          <Link href={listAddress(project, allInsights)} className="link">
            {own.filters.reset}
          </Link>
        </p>
      ) : (
        <InsightTable project={project} items={data.items} timeZone={timeZone} role={role} />
      )}
      <Ends project={project} question={question} total={data.total} />
    </>
  );
}

function Ends({ project, question, total }: ListProps & { total: number }) {
  const own = usePart(savedInsightWords);
  const { format } = useWords();
  const { from, to, previous, next } = pagesOf(question, total);
  if (total === 0) return null;
  return (
    <div className={css['ends']}>
      <span>{own.foot}</span>
      {(previous !== null || next !== null) && (
        <span>{own.pages(format.number(from), format.number(to), format.number(total))}</span>
      )}
      {previous && (
        <ButtonLink small icon="left" href={listAddress(project, previous)}>
          {own.previousPage}
        </ButtonLink>
      )}
      {next && (
        <ButtonLink small icon="right" href={listAddress(project, next)}>
          {own.nextPage}
        </ButtonLink>
      )}
    </div>
  );
}
