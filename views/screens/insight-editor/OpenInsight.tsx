/** A saved insight in the editor. Its address has a query, or parts of the question, only while they differ from what is saved. */
import { type QueryClient, useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { SavedInsight } from '#src/insights/saved/contract.ts';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { insightsOf, savedInsightOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { useRoleIn } from '#views/frame/queries.ts';
import { insightAddress, readInsight } from '#views/insights/address.ts';
import { InsightActions } from '#views/insights/InsightActions.tsx';
import type { Insight } from '#views/insights/insight.ts';
import { savedAsShown, shownAt } from '#views/insights/saved-as-shown.ts';
import { Late } from '#views/kit/Late.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { SubscribeButton } from '#views/reports/SubscribeButton.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { PublicMark, ShareButton, shareOptions } from '#views/sharing/ShareButton.tsx';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { insightWords } from '#views/words/insights.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import { Editor } from './Editor.tsx';
import { editorQueries, insightOptions } from './editor-queries.ts';
import css from './OpenInsight.module.css';
import { SaveShown } from './SaveShown.tsx';
import { Trail } from './Trail.tsx';

function savedOptions(trpc: Trpc, { params }: Pick<ScreenProps, 'params'>) {
  const insight = Number(params['insight']);
  return trpc.insights.saved.get.queryOptions({
    project: params['project'] ?? '',
    insight: Number.isSafeInteger(insight) && insight >= 0 ? insight : 0,
  });
}

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const asked = hasQuery(props.search) ? readInsight(props.search) : null;
  return [...editorQueries(trpc, props, asked), { options: savedOptions(trpc, props), critical: true }];
}

export function followUps(trpc: Trpc, props: ScreenProps, answers: QueryClient): ScreenQuery[] {
  const saved = answers.getQueryData<SavedInsight>(savedOptions(trpc, props).queryKey);
  if (saved === undefined) return [];
  const reference = props.params['project'] ?? '';
  const asked: ScreenQuery['options'][] = [shareOptions(trpc, reference, { kind: 'insight', id: saved.id })];
  if (!hasQuery(props.search)) {
    asked.push(...insightOptions(trpc, reference, shownAt(savedAsShown(saved), props.search)));
  }
  return asked.map((options) => ({ options, critical: true }));
}

export const title: ScreenModule['title'] = ({ language }) => insightWords[language].title;

/** Whether the address has a query of its own. */
function hasQuery(search: URLSearchParams): boolean {
  return search.has('kind');
}

export function Screen(props: ScreenProps) {
  return (
    <Late fallback={<ChartSkeleton />}>
      <Open {...props} />
    </Late>
  );
}

function Open({ params, search }: ScreenProps) {
  const own = usePart(insightWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const reference = params['project'] ?? '';
  const { data: saved } = useSuspenseQuery(savedOptions(trpc, { params }));
  const { role, timeZone } = useRoleIn(reference);
  const path = savedInsightOf(reference, saved.id);
  const address = search.toString();
  const kept = useMemo(() => savedAsShown(saved), [saved]);
  const insight = useMemo(() => shownAt(kept, new URLSearchParams(address)), [address, kept]);
  useViewed(reference, saved);
  const isChanged = insightAddress('', insight) !== insightAddress('', kept);
  return (
    <Page
      title={saved.name}
      parent={{ title: own.title, href: insightsOf(reference) }}
      actions={
        <>
          <Trail />
          <SubscribeButton project={reference} subject={{ kind: 'insight', id: saved.id }} name={saved.name} />
          <Late>
            <ShareButton project={reference} of={{ kind: 'insight', id: saved.id }} name={saved.name} />
          </Late>
          <SaveShown project={reference} insight={insight} saved={saved} isChanged={isChanged} />
          {mayCall('insights.saved.create', role) && (
            <InsightActions
              project={reference}
              insight={saved}
              role={role}
              timeZone={timeZone}
              onDeleted={() => navigate(insightsOf(reference))}
            />
          )}
        </>
      }
    >
      <div className="ph-no-capture">
        <Late>
          <PublicMark project={reference} of={{ kind: 'insight', id: saved.id }} />
        </Late>
        <About saved={saved} />
        <Late fallback={<ChartSkeleton />}>
          <Editor reference={reference} insight={insight} text={textOf(address, saved, insight)} path={path} />
        </Late>
      </div>
    </Page>
  );
}

function About({ saved: { description, tags, archivedAt } }: { saved: SavedInsight }) {
  const { actions: text } = usePart(savedInsightWords);
  if (description === '' && tags.length === 0 && archivedAt === null) return null;
  return (
    <p className={css['about']}>
      {archivedAt !== null && <b>{text.isArchived} </b>}
      {description}{' '}
      {tags.map((tag) => (
        <span key={tag} className={css['tag']}>
          {tag}
        </span>
      ))}
    </p>
  );
}

/** Without a query in the address, the revision tells which one is shown. */
function textOf(address: string, { revision }: SavedInsight, { kind }: Insight): string {
  return address === '' ? `${kind} ${revision}` : address;
}

/** Notes that the reader has opened it; a failure changes nothing of what is shown. */
function useViewed(project: string, { id, revision }: SavedInsight): void {
  const { mutate } = useMutation(useTrpc().insights.saved.viewed.mutationOptions());
  useEffect(() => {
    void revision;
    mutate({ project, insight: id });
  }, [mutate, project, id, revision]);
}
