/** Any question about behaviour: the query as cards, its answer as chart and table. The address is the query. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { newInsightOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { insightAddress, readInsight } from '#views/insights/address.ts';
import type { InsightAnswerProps } from '#views/insights/InsightAnswer.tsx';
import type { InsightQueryProps } from '#views/insights/InsightQuery.tsx';
import type { Insight } from '#views/insights/insight.ts';
import { answerOptions } from '#views/insights/use-answer.ts';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Region } from '#views/kit/Region.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigation } from '#views/navigation.tsx';
import { datesText } from '#views/question/range-text.ts';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './InsightEditor.module.css';
import { useDraft } from './use-draft.ts';
import { useTrail } from './use-trail.ts';

const AREA = 'insight-parts';
const InsightQuery = lazyPart<InsightQueryProps>(
  AREA,
  async () => (await import('#views/areas/insight-parts.ts')).InsightQuery,
);
const InsightRange = lazyPart<InsightQueryProps>(
  AREA,
  async () => (await import('#views/areas/insight-parts.ts')).InsightRange,
);
const InsightAnswer = lazyPart<InsightAnswerProps>(
  AREA,
  async () => (await import('#views/areas/insight-parts.ts')).InsightAnswer,
);

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const asked = [
    answerOptions(trpc, project, readInsight(props.search)),
    trpc.insights.goals.list.queryOptions({ project }),
    trpc.insights.segments.list.queryOptions({ project }),
  ];
  return [...frameQueries(trpc, props), ...asked.map((options) => ({ options, critical: true }))];
}

export const title: ScreenModule['title'] = ({ language }, { search }) =>
  insightWords[language].kinds[readInsight(search).kind];

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(insightWords);
  const reference = params['project'] ?? '';
  const text = search.toString();
  const insight = useMemo(() => readInsight(new URLSearchParams(text)), [text]);
  return (
    <Page
      title={own.kinds[insight.kind]}
      parent={{ title: own.title, href: newInsightOf(reference) }}
      actions={<Trail />}
    >
      <div className="ph-no-capture">
        <Late fallback={<ChartSkeleton />}>
          <Content reference={reference} insight={insight} text={text} />
        </Late>
      </div>
    </Page>
  );
}

/** Steps back and forth through what was asked. */
function Trail() {
  const own = usePart(insightWords);
  const { undo, redo } = useTrail();
  return (
    <span className="script-only">
      <Button small kind="quiet" disabled={undo === null} onClick={() => undo?.()}>
        <svg className={css['step']} viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5.5 3.5l-3 3 3 3M2.5 6.5h7a4 4 0 0 1 0 8h-1" />
        </svg>
        <span className="visually-hidden">{own.undo}</span>
      </Button>
      <Button small kind="quiet" disabled={redo === null} onClick={() => redo?.()}>
        <svg className={css['step']} viewBox="0 0 16 16" aria-hidden="true">
          <path d="M10.5 3.5l3 3-3 3M13.5 6.5h-7a4 4 0 0 0 0 8h1" />
        </svg>
        <span className="visually-hidden">{own.redo}</span>
      </Button>
    </span>
  );
}

interface ContentProps {
  reference: string;
  insight: Insight;
  text: string;
}

function Content({ reference, insight, text }: ContentProps) {
  const own = usePart(insightWords);
  const { words, format } = useWords();
  const { navigate } = useNavigation();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project: reference }));
  const time = useServerTime();
  const path = newInsightOf(reference);
  const { insight: draft, change } = useDraft(path, insight, text);
  useCancelling(reference, insight);
  const project = projects.find((each) => isProject(each, reference));
  if (project === undefined) {
    return (
      <State icon="search" title={words.errors.notFoundTitle}>
        {words.errors.notFoundText}
      </State>
    );
  }
  const now = { today: dateIn(time, project.timeZone), weekStart: project.weekStart };
  const { range } = insight.question;
  const parts = { reference, project, now, goals, path, onChange: change };
  return (
    <div className={css['editor']}>
      <Late>
        <InsightQuery {...parts} insight={draft} />
      </Late>
      <div className={css['answer']}>
        {insight.isBroken && (
          <p role="status" className={css['broken']}>
            {own.broken}
          </p>
        )}
        <Late>
          <InsightRange {...parts} insight={draft} />
        </Late>
        <Region
          question={insight}
          of={text}
          label={own.answer}
          counting={typeof range === 'string' ? words.range.presets[range] : datesText(range, now, format)}
          onCancel={(shown) => navigate(insightAddress(path, shown), { replace: true })}
          skeleton={<ChartSkeleton />}
        >
          {(shown) => <InsightAnswer {...parts} insight={shown} />}
        </Region>
      </div>
    </div>
  );
}

/** Ends the call for what was asked before, unless it has been answered. */
function useCancelling(reference: string, insight: Insight): void {
  const client = useQueryClient();
  const trpc = useTrpc();
  const { queryKey } = answerOptions(trpc, reference, insight);
  const text = JSON.stringify(queryKey);
  const last = useRef({ text, queryKey });
  useEffect(() => {
    const before = last.current;
    last.current = { text, queryKey: JSON.parse(text) };
    if (before.text !== text) void client.cancelQueries({ queryKey: before.queryKey, exact: true });
  }, [client, text]);
}
