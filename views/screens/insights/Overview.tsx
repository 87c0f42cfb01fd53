/** Overview: numbers over a period, their course, and what they are made of. The first screen of a project. */

import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import type { BreakdownOrder } from '#src/insights/contract.ts';
import { overviewMetrics } from '#src/insights/kinds/overview/values.ts';
import type { VitalsOrder } from '#src/insights/kinds/vitals/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { ExplainScreen } from '#views/explain/ExplainScreen.tsx';
import { liveOf, overviewOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject, useNow, useProjects } from '#views/frame/queries.ts';
import { InstallPlace } from '#views/install/InstallPlace.tsx';
import { Lens } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { MetricsSkeleton } from '#views/kit/Metric.tsx';
import { Region } from '#views/kit/Region.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import type { Today } from '#views/question/dates.ts';
import { FilterBar } from '#views/question/FilterBar.tsx';
import {
  ALL_ROWS,
  annotationsInput,
  breakdownInput,
  detailsInput,
  explainInput,
  FEW_ROWS,
  goalsInput,
  heatmapInput,
  issuesInput,
  moversInput,
  orderOf,
  overviewInput,
  rateOf,
  vitalsInput,
} from '#views/question/inputs.ts';
import { addressOf, cardNames, type Question, readQuestion } from '#views/question/question.ts';
import { useRegionOf } from '#views/question/use-region.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import type { BreakdownDetailsProps } from './BreakdownDetails.tsx';
import type { CardsProps } from './Cards.tsx';
import { ChartPlace } from './ChartPlace.tsx';
import { Figures } from './Figures.tsx';
import type { MoversPlaceProps } from './MoversPlace.tsx';
import css from './Overview.module.css';

const Cards = lazyPart<CardsProps>(
  'overview-cards',
  async () => (await import('#views/areas/overview-cards.ts')).Cards,
);
const MoversPlace = lazyPart<MoversPlaceProps>(
  'overview-cards',
  async () => (await import('#views/areas/overview-cards.ts')).MoversPlace,
);
const BreakdownDetails = lazyPart<BreakdownDetailsProps>(
  'overview-cards',
  async () => (await import('#views/areas/overview-cards.ts')).BreakdownDetails,
);

/** Explanation of current visitors; the same URL value as on *Live*. */
const NOW = 'now';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const question = readQuestion(props.search);
  const explain = explainInput(project, question);
  const asked =
    question.details === null
      ? [
          trpc.insights.query.overview.queryOptions(overviewInput(project, question)),
          trpc.insights.annotations.list.queryOptions(annotationsInput(project, question)),
          trpc.errors.releases.queryOptions(annotationsInput(project, question)),
          ...cardNames.map((card) => {
            const table = question.tabs[card];
            return table === 'goal'
              ? trpc.insights.query.goals.queryOptions(goalsInput(project, question))
              : trpc.insights.query.breakdown.queryOptions({
                  ...breakdownInput(project, question, table, FEW_ROWS),
                  ...rateOf(question),
                });
          }),
          trpc.insights.query.heatmap.queryOptions(heatmapInput(project, question)),
          trpc.insights.query.vitals.queryOptions(vitalsInput(project, question)),
          ...(question.movers ? [trpc.insights.query.movers.queryOptions(moversInput(project, question))] : []),
        ]
      : question.details === 'vitals'
        ? [trpc.insights.query.vitals.queryOptions(vitalsInput(project, question, ALL_ROWS))]
        : [trpc.insights.query.breakdown.queryOptions(detailsInput(project, question, question.details))];
  const explained = explain ? [trpc.insights.explain.queryOptions(explain)] : [];
  const present = question.explain === NOW ? [trpc.insights.explainNow.queryOptions({ project })] : [];
  const segments = trpc.insights.segments.list.queryOptions({ project });
  return [
    ...frameQueries(trpc, props),
    ...[...asked, ...explained, ...present, segments, trpc.insights.goals.list.queryOptions({ project })].map(
      (options) => ({
        options,
        critical: true,
      }),
    ),
  ];
}

/** That of errors, for members; the install card's, for projects that have not received anything yet; and the rows of a long table in the order that is asked for. */
export function followUps(trpc: Trpc, { params, search }: ScreenProps, answers: QueryClient): ScreenQuery[] {
  const reference = params['project'] ?? '';
  const projects = answers.getQueryData(trpc.projects.list.queryKey());
  const project = projects?.find((each) => isProject(each, reference));
  const question = readQuestion(search);
  if (question.details === 'vitals') {
    const input = vitalsInput(reference, question, ALL_ROWS);
    const order = orderOf<VitalsOrder>(question);
    return order !== null && isLong(answers.getQueryData(trpc.insights.query.vitals.queryKey(input)))
      ? [{ options: trpc.insights.query.vitals.queryOptions({ ...input, order }), critical: true }]
      : [];
  }
  if (question.details !== null) {
    const input = detailsInput(reference, question, question.details);
    const order = orderOf<BreakdownOrder>(question);
    return order !== null && isLong(answers.getQueryData(trpc.insights.query.breakdown.queryKey(input)))
      ? [{ options: trpc.insights.query.breakdown.queryOptions({ ...input, order }), critical: true }]
      : [];
  }
  if (project === undefined || !isAtLeast(project.role, 'member')) return [];
  const errors = { options: trpc.errors.overview.queryOptions(issuesInput(reference, question)), critical: false };
  if (project.hasOutsideEvents) return [errors];
  return [errors, { options: trpc.collect.install.queryOptions({ project: reference }), critical: true }];
}

function isLong(table: { found: number } | undefined): boolean {
  return table !== undefined && table.found > ALL_ROWS;
}

export function title(words: Words, { search }: ScreenProps): string {
  const { details } = readQuestion(search);
  return details === null ? words.nav.overview : words.tables[details];
}

export function Screen({ params, search }: ScreenProps) {
  const { words } = useWords();
  const reference = params['project'] ?? '';
  const text = search.toString();
  const question = useMemo(() => readQuestion(new URLSearchParams(text)), [text]);
  const { details } = question;
  const path = overviewOf(reference);
  return (
    <Page
      title={details === null ? words.nav.overview : words.tables[details]}
      parent={
        details === null
          ? undefined
          : {
              title: words.nav.overview,
              href: addressOf(path, { ...question, details: null, sort: 'count', reversed: false, find: '' }),
            }
      }
      actions={<PeopleNow reference={reference} question={question} path={path} />}
    >
      <Late fallback={<FiguresSkeleton question={question} />}>
        <Content reference={reference} question={question} path={path} />
      </Late>
    </Page>
  );
}

function PeopleNow({ reference, question, path }: ContentProps) {
  const { words, format } = useWords();
  const now = useNow();
  const role = useProjects()?.current?.role;
  if (now === null) return null;
  const inside = (
    <>
      <Lens live={now.peopleNow > 0} />
      <span>
        <b className="strong num">{format.number(now.peopleNow)}</b> <span className="dim">{words.people.now}</span>
      </span>
    </>
  );
  // Viewers see how many are here, not who.
  const isViewer = role !== undefined && !isAtLeast(role, 'member');
  const isOpen = question.explain === NOW;
  const href = isViewer ? addressOf(path, { ...question, explain: isOpen ? null : NOW }) : liveOf(reference);
  return (
    <Link href={href} className={css['people']} ahead={!isViewer} aria-expanded={isViewer ? isOpen : undefined}>
      {inside}
    </Link>
  );
}

interface ContentProps {
  reference: string;
  question: Question;
  path: string;
}

function Content({ reference, question, path }: ContentProps) {
  const { words } = useWords();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const project = projects.find((each) => isProject(each, reference));
  const time = useServerTime();
  if (project === undefined) {
    return (
      <State icon="search" title={words.errors.notFoundTitle}>
        {words.errors.notFoundText}
      </State>
    );
  }
  const now: Today = { today: dateIn(time, project.timeZone), weekStart: project.weekStart };
  const parts = { reference, question, path, project, now };
  return (
    <>
      {question.explain === NOW && (
        <ExplainScreen
          asked={{ screen: 'live', project: reference }}
          only={NOW}
          isOpen
          href={addressOf(path, { ...question, explain: null })}
          timeZone={project.timeZone}
        />
      )}
      {question.details === null ? <Summary key={project.id} {...parts} /> : <Details {...parts} />}
    </>
  );
}

interface PartProps extends ContentProps {
  project: ProjectSummary;
  now: Today;
}

function Summary({ reference, question, path, project, now }: PartProps) {
  const { words } = useWords();
  const region = useRegionOf(question, path, now);
  return (
    <div className="ph-no-capture">
      {isAtLeast(project.role, 'member') && (
        <InstallPlace project={project} reference={reference} question={question} path={path} />
      )}
      <FilterBar path={path} question={question} now={now} />
      <Region {...region} label={words.regions.overview} skeleton={<FiguresSkeleton question={question} />}>
        {(shown) => <Figures reference={reference} path={path} question={shown} project={project} now={now} />}
      </Region>
      <MoversPlace reference={reference} path={path} question={question} />
      <Cards reference={reference} path={path} region={region} />
    </div>
  );
}

function Details({ reference, question, path, now }: PartProps) {
  const region = useRegionOf(question, path, now);
  return (
    <div className="ph-no-capture">
      <FilterBar path={path} question={question} now={now} />
      <BreakdownDetails reference={reference} path={path} region={region} />
    </div>
  );
}

function FiguresSkeleton({ question }: { question: Question }) {
  const { words } = useWords();
  return (
    <>
      <MetricsSkeleton labels={overviewMetrics.map((metric) => words.metrics[metric])} />
      <ChartPlace view={question.view} />
    </>
  );
}
