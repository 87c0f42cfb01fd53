/** Any question about behaviour: the query as cards, its answer as chart and table. The address is the query. */
import { useMemo } from 'react';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { insightsOf, newInsightOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { readInsight } from '#views/insights/address.ts';
import { Late } from '#views/kit/Late.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import type { Trpc } from '#views/trpc.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import { Editor } from './Editor.tsx';
import { editorQueries } from './editor-queries.ts';
import { SaveShown } from './SaveShown.tsx';
import { Trail } from './Trail.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  return editorQueries(trpc, props, readInsight(props.search));
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
      parent={{ title: own.title, href: insightsOf(reference) }}
      actions={
        <>
          <Trail />
          <Late>
            <SaveShown project={reference} insight={insight} saved={null} isChanged />
          </Late>
        </>
      }
    >
      <div className="ph-no-capture">
        <Late fallback={<ChartSkeleton />}>
          <Editor reference={reference} insight={insight} text={text} path={newInsightOf(reference)} />
        </Late>
      </div>
    </Page>
  );
}
