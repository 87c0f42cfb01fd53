/** The query of an insight as cards, its answer as chart and table. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { memo, useEffect, useMemo, useRef } from 'react';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { isProject } from '#views/frame/queries.ts';
import { insightAddress } from '#views/insights/address.ts';
import type { InsightQueryProps } from '#views/insights/InsightQuery.tsx';
import type { Insight } from '#views/insights/insight.ts';
import { answerOptions } from '#views/insights/use-answer.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Region } from '#views/kit/Region.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigate } from '#views/navigation.tsx';
import { datesText } from '#views/question/range-text.ts';
import { useTrpc } from '#views/trpc.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './InsightEditor.module.css';
import { useDraft } from './use-draft.ts';

const AREA = 'insight-parts';
const InsightQuery = lazyPart<InsightQueryProps>(
  AREA,
  async () => (await import('#views/areas/insight-parts.ts')).InsightQuery,
);
const InsightRange = lazyPart<InsightQueryProps>(
  AREA,
  async () => (await import('#views/areas/insight-parts.ts')).InsightRange,
);
/** Not drawn again while the query is being changed: charts and tables take longer than a key press may. */
const InsightAnswer = memo(
  lazyPart<InsightQueryProps>(AREA, async () => (await import('#views/areas/insight-parts.ts')).InsightAnswer),
);

interface EditorProps {
  reference: string;
  insight: Insight;
  /** Identifies the insight. */
  text: string;
  /** Of the screen, to which the query is added. */
  path: string;
}

export function Editor({ reference, insight, text, path }: EditorProps) {
  const own = usePart(insightWords);
  const { words, format } = useWords();
  const { navigate } = useNavigate();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project: reference }));
  const time = useServerTime();
  const { insight: draft, change } = useDraft(path, insight, text);
  useCancelling(reference, insight);
  const project = projects.find((each) => isProject(each, reference));
  const { timeZone = 'UTC', weekStart = 0 } = project ?? {};
  const today = dateIn(time, timeZone);
  const now = useMemo(() => ({ today, weekStart }), [today, weekStart]);
  if (project === undefined) {
    return (
      <State icon="search" title={words.errors.notFoundTitle}>
        {words.errors.notFoundText}
      </State>
    );
  }
  const { range } = insight.question;
  const parts = { reference, project, now, goals, path, onChange: change };
  return (
    <div className={css['editor']}>
      <Late fallback={<div className={css['query']} />}>
        <InsightQuery {...parts} insight={draft} />
      </Late>
      <div className={css['answer']}>
        {insight.isBroken && (
          <p role="status" className={css['broken']}>
            {own.broken}
          </p>
        )}
        <Late fallback={<div className={css['range']} />}>
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
