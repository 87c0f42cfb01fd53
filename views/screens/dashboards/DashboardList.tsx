/** Dashboards of a project: favorites first, then those that were viewed last. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { DashboardSummary } from '#src/dashboards/contract.ts';
import { SAMPLE_ACCOUNT } from '#src/insights/saved/values.ts';
import { searchable } from '#src/kit/search/values.ts';
import type { FirstDashboardProps } from '#views/dashboards/FirstDashboard.tsx';
import { dashboardOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button } from '#views/kit/Button.tsx';
import { FavoriteButton } from '#views/kit/FavoriteButton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { Tags } from '#views/kit/Tags.tsx';
import { useFailureToast } from '#views/kit/use-failure-toast.ts';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { DashboardActions } from './DashboardActions.tsx';
import css from './Dashboards.module.css';
import type { NewDashboardProps } from './NewDashboard.tsx';

const NewDashboard = lazyPart<NewDashboardProps>(
  'dashboard-edit',
  async () => (await import('#views/areas/dashboard-edit.ts')).NewDashboard,
);

const FirstDashboard = lazyPart<FirstDashboardProps>(
  'dashboard-edit',
  async () => (await import('#views/areas/dashboard-edit.ts')).FirstDashboard,
);

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [...frameQueries(trpc, props), { options: trpc.dashboards.list.queryOptions({ project }), critical: true }];
}

export const title: ScreenModule['title'] = ({ language }) => dashboardWords[language].title;

export function Screen({ params }: ScreenProps) {
  const own = usePart(dashboardWords);
  const project = params['project'] ?? '';
  return (
    <Page
      title={own.title}
      actions={
        <Late>
          <CreateButton project={project} />
        </Late>
      }
    >
      <div className="ph-no-capture">
        <Late fallback={<BarTableSkeleton rows={6} />}>
          <List project={project} />
        </Late>
      </div>
    </Page>
  );
}

function CreateButton({ project }: { project: string }) {
  const own = usePart(dashboardWords);
  const [isOpen, setIsOpen] = useState(false);
  if (!mayCall('dashboards.create', useRoleIn(project).role)) return null;
  return (
    <>
      <Button kind="primary" small icon="plus" className="script-only" onClick={() => setIsOpen(true)}>
        {own.create}
      </Button>
      {isOpen && (
        <Late>
          <NewDashboard project={project} onClose={() => setIsOpen(false)} />
        </Late>
      )}
    </>
  );
}

function List({ project }: { project: string }) {
  const own = usePart(dashboardWords);
  const { data } = useSuspenseQuery(useTrpc().dashboards.list.queryOptions({ project }));
  const { role } = useRoleIn(project);
  const isEditor = mayCall('dashboards.create', role);
  const [typed, setTyped] = useState('');
  const words = searchable(typed).split(/\s+/).filter(Boolean);
  const found = data.filter((item) => words.every((word) => textOf(item).includes(word)));
  if (data.length === 0) {
    return (
      <State icon="dashboard" title={own.none}>
        {own.noneText} {!isEditor && own.noneViewer}
        {isEditor && (
          <Late>
            <span className={css['first']}>
              <FirstDashboard project={project} />
            </span>
          </Late>
        )}
      </State>
    );
  }
  return (
    <>
      <input
        type="search"
        className={`input script-only ${css['find']}`}
        aria-label={own.find}
        placeholder={own.find}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {found.length === 0 ? <p className="dim">{own.noMatch}</p> : <Table project={project} items={found} />}
    </>
  );
}

function textOf({ name, description, tags, owner }: DashboardSummary): string {
  return searchable([name, description, ...tags, owner.name ?? ''].join('\n'));
}

function Table({ project, items }: { project: string; items: readonly DashboardSummary[] }) {
  const { title, columns } = usePart(dashboardWords);
  const isEditor = mayCall('dashboards.create', useRoleIn(project).role);
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{columns.favorite}</span>
          </th>
          <th scope="col">{columns.dashboard}</th>
          <th scope="col" className={css['count']}>
            {columns.tiles}
          </th>
          <th scope="col" className="wide-only">
            {columns.tags}
          </th>
          <th scope="col" className="wide-only">
            {columns.owner}
          </th>
          <th scope="col" className="wide-only">
            {columns.viewed}
          </th>
          {isEditor && (
            <th scope="col">
              <span className="visually-hidden">{columns.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={item.id} project={project} item={item} isEditor={isEditor} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  project: string;
  item: DashboardSummary;
  isEditor: boolean;
}

function Row({ project, item, isEditor }: RowProps) {
  const own = usePart(dashboardWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  const owner = item.owner.name ?? (item.owner.id === SAMPLE_ACCOUNT ? own.sampleData : own.formerMember);
  return (
    <tr>
      <td className={css['star']}>
        <Favorite project={project} item={item} />
      </td>
      <th scope="row">
        <Link href={dashboardOf(project, item.id)} className={css['name']}>
          {item.name}
        </Link>
        {item.description !== '' && <span className={css['note']}>{item.description}</span>}
      </th>
      <td className={`${css['count']} num`}>{format.number(item.tiles)}</td>
      <td className="wide-only">
        <Tags tags={item.tags} />
      </td>
      <td className="wide-only">{owner}</td>
      <td className="wide-only dim" suppressHydrationWarning>
        {item.viewedAt === null ? own.never : ago(item.viewedAt, now, timeZone, words)}
      </td>
      {isEditor && (
        <td className={css['count']}>
          <Late>
            <DashboardActions project={project} dashboard={item} />
          </Late>
        </td>
      )}
    </tr>
  );
}

/** Of the reader alone. */
function Favorite({ project, item: { id, name, ...item } }: Pick<RowProps, 'project' | 'item'>) {
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const mark = useMutation(trpc.dashboards.favorite.mutationOptions());
  const onError = useFailureToast();
  const favorite = mark.isPending ? mark.variables.favorite : item.favorite;
  return (
    <FavoriteButton
      label={own.favorite(name)}
      favorite={favorite}
      onToggle={() =>
        mark.mutate(
          { project, dashboard: id, favorite: !favorite },
          {
            onSuccess: () => client.invalidateQueries({ queryKey: trpc.dashboards.list.queryKey({ project }) }),
            onError,
          },
        )
      }
    />
  );
}
