/** One dashboard. Its range, comparison and filters stand in the address while they differ from those saved for everyone. */
import { type QueryClient, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { Dashboard } from '#src/dashboards/contract.ts';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { readRefresh } from '#views/dashboards/refresh.ts';
import type { TilesProps } from '#views/dashboards/Tiles.tsx';
import { tileOptions } from '#views/dashboards/tile-options.ts';
import { canBeSaved, customPath, differs, isCustom, questionOf } from '#views/dashboards/tile-question.ts';
import { dashboardOf, dashboardsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { isProject, useRoleIn } from '#views/frame/queries.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { RefreshEvery } from '#views/kit/refresh-every.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { FilterBar } from '#views/question/FilterBar.tsx';
import type { Question } from '#views/question/question.ts';
import { useRegionOf } from '#views/question/use-region.ts';
import { SubscribeButton } from '#views/reports/SubscribeButton.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { PublicMark, ShareButton, shareOptions } from '#views/sharing/ShareButton.tsx';
import { failureOf, type Trpc, useTrpc } from '#views/trpc.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import type { ArrangeTilesProps } from './ArrangeTiles.tsx';
import { DashboardActions, useDashboardRefresh } from './DashboardActions.tsx';
import css from './Dashboards.module.css';
import { dashboardIn, dashboardOptions, dashboardQueries, goalsIn } from './dashboard-options.ts';
import { ViewMenu } from './ViewMenu.tsx';

const ArrangeTiles = lazyPart<ArrangeTilesProps>(
  'dashboard-edit',
  async () => (await import('#views/areas/dashboard-edit.ts')).ArrangeTiles,
);

const Tiles = lazyPart<TilesProps>(
  'dashboard-tiles',
  async () => (await import('#views/areas/dashboard-tiles.ts')).Tiles,
);

const MINUTE_MS = 60_000;

/** In the address while tiles are arranged. */
const EDIT = 'edit';

export const queries = dashboardQueries;

export function followUps(trpc: Trpc, props: ScreenProps, answers: QueryClient): ScreenQuery[] {
  const dashboard = dashboardIn(trpc, props, answers);
  if (dashboard === undefined) return [];
  const question = questionOf(props.search, dashboard.content);
  const reference = props.params['project'] ?? '';
  return [
    ...tileOptions(trpc, reference, dashboard, { question, goals: goalsIn(trpc, props, answers) }),
    shareOptions(trpc, reference, { kind: 'dashboard', id: dashboard.id }),
  ].map((options) => ({ options, critical: true }));
}

export const title: ScreenModule['title'] = ({ language }) => dashboardWords[language].title;

export function Screen(props: ScreenProps) {
  return (
    <Late fallback={<ChartSkeleton />}>
      <Open {...props} />
    </Late>
  );
}

function Open({ params, search }: ScreenProps) {
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const reference = params['project'] ?? '';
  const { data: dashboard } = useSuspenseQuery(dashboardOptions(trpc, { params }));
  const { role } = useRoleIn(reference);
  const isEditor = mayCall('dashboards.create', role);
  const isEditing = isEditor && search.has(EDIT);
  const path = dashboardOf(reference, dashboard.id);
  const text = search.toString();
  const question = useMemo(() => questionOf(new URLSearchParams(text), dashboard.content), [text, dashboard]);
  const content = useRef<HTMLDivElement>(null);
  useViewed(reference, dashboard.id);
  return (
    <Page
      title={dashboard.name}
      parent={{ title: own.title, href: dashboardsOf(reference) }}
      actions={
        !isEditing && (
          <>
            <Refresh />
            <ViewMenu reference={reference} dashboard={dashboard.id} path={path} search={search} content={content} />
            {isEditor && (
              <ButtonLink small href={editAddress(path, search)} className="script-only">
                {own.edit}
              </ButtonLink>
            )}
            <SubscribeButton
              project={reference}
              subject={{ kind: 'dashboard', id: dashboard.id }}
              name={dashboard.name}
            />
            <Late>
              <ShareButton project={reference} of={{ kind: 'dashboard', id: dashboard.id }} name={dashboard.name} />
            </Late>
            {isEditor && (
              <Late>
                <DashboardActions project={reference} dashboard={dashboard} />
              </Late>
            )}
          </>
        )
      }
    >
      <div ref={content} className={classNames(css['whole'], 'ph-no-capture')}>
        <Late>
          <PublicMark project={reference} of={{ kind: 'dashboard', id: dashboard.id }} />
        </Late>
        {dashboard.description !== '' && <p className={css['about']}>{dashboard.description}</p>}
        <Content
          reference={reference}
          dashboard={dashboard}
          question={question}
          path={path}
          search={search}
          isEditor={isEditor}
          isEditing={isEditing}
        />
      </div>
    </Page>
  );
}

function editAddress(path: string, search: URLSearchParams): string {
  const next = new URLSearchParams(search);
  next.set(EDIT, '1');
  return `${path}?${next}`;
}

interface ContentProps {
  reference: string;
  dashboard: Dashboard;
  question: Question;
  path: string;
  search: URLSearchParams;
  isEditor: boolean;
  isEditing: boolean;
}

function Content({ reference, dashboard, question, path, search, isEditor, isEditing }: ContentProps) {
  const own = usePart(dashboardWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project: reference }));
  const time = useServerTime();
  const project = projects.find((each) => isProject(each, reference));
  const now = {
    today: dateIn(time, project?.timeZone ?? 'UTC'),
    weekStart: project?.weekStart ?? 1,
  };
  const { counting } = useRegionOf(question, path, now);
  if (project === undefined) {
    return (
      <State icon="search" title={words.errors.notFoundTitle}>
        {words.errors.notFoundText}
      </State>
    );
  }
  const parts = { reference, dashboard, question, project, goals, now, counting };
  const everyMs = readRefresh(search) * MINUTE_MS || false;
  if (isEditing) {
    return (
      <Late fallback={<ChartSkeleton />}>
        <ArrangeTiles {...parts} backHref={withoutEdit(path, search)} />
      </Late>
    );
  }
  return (
    <>
      <div className={css['filters']}>
        <FilterBar path={customPath(path, search)} question={question} now={now} />
      </div>
      {isCustom(search) && differs(question, dashboard.content) && (
        <Defaults reference={reference} dashboard={dashboard} question={question} path={path} isEditor={isEditor} />
      )}
      {dashboard.content.tiles.length === 0 ? (
        <State
          icon="dashboard"
          title={own.emptyTitle}
          actions={
            isEditor && (
              <ButtonLink kind="primary" icon="plus" href={editAddress(path, search)}>
                {own.addTile}
              </ButtonLink>
            )
          }
        >
          {isEditor ? own.emptyText : own.emptyViewer}
        </State>
      ) : (
        <RefreshEvery ms={everyMs}>
          <Late fallback={<ChartSkeleton />}>
            <Tiles {...parts} tiles={dashboard.content.tiles} />
          </Late>
        </RefreshEvery>
      )}
    </>
  );
}

function withoutEdit(path: string, search: URLSearchParams): string {
  const next = new URLSearchParams(search);
  next.delete(EDIT);
  return next.size === 0 ? path : `${path}?${next}`;
}

/** While the address asks something else than what is saved for everyone. */
function Defaults({ reference, dashboard, question, path, isEditor }: Omit<ContentProps, 'search' | 'isEditing'>) {
  const own = usePart(dashboardWords);
  const refresh = useDashboardRefresh();
  const save = useMutation(useTrpc().dashboards.update.mutationOptions());
  const { id, revision, content } = dashboard;
  const { range, compare, filters } = question;
  const failure = save.error && failureOf(save.error);
  return (
    <p className={css['defaults']}>
      {isEditor && !canBeSaved(question) && <span className="dim">{own.notSaved}</span>}
      {isEditor && canBeSaved(question) && (
        <Button
          small
          busy={save.isPending && own.saving}
          onClick={() =>
            save.mutate(
              {
                project: reference,
                dashboard: id,
                revision,
                content: { tiles: content.tiles, range, compare, ...(filters && { filters }) },
              },
              {
                onSuccess: async () => {
                  showToast(own.defaultsSaved);
                  await refresh();
                },
              },
            )
          }
        >
          {own.saveDefaults}
        </Button>
      )}
      <ButtonLink small kind="quiet" href={path}>
        {own.resetDefaults}
      </ButtonLink>
      {failure && (
        <span role="alert" className={css['failure']}>
          {failure.code === 'conflict' ? own.conflict : <Problem error={failure} />}
        </span>
      )}
    </p>
  );
}

/** Counts all tiles again. */
function Refresh() {
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);

  async function refresh(): Promise<void> {
    setIsBusy(true);
    await client.invalidateQueries({ queryKey: trpc.insights.query.pathKey() });
    setIsBusy(false);
  }

  return (
    <Button
      small
      kind="quiet"
      icon="refresh"
      iconOnly
      className="script-only wide-only"
      busy={isBusy && own.refreshing}
      onClick={() => void refresh()}
    >
      {own.refresh}
    </Button>
  );
}

/** Notes that the reader has opened it; a failure changes nothing of what is shown. */
function useViewed(project: string, dashboard: number): void {
  const { mutate } = useMutation(useTrpc().dashboards.viewed.mutationOptions());
  const [seen] = useState({ project, dashboard });
  useEffect(() => mutate(seen), [mutate, seen]);
}
