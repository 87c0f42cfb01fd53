/** A dashboard on a wall: large, dark, awake, and counted again for days. */
import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Tile } from '#src/dashboards/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { readRefresh } from '#views/dashboards/refresh.ts';
import type { UnlinkedProps } from '#views/dashboards/TileFrame.tsx';
import type { TileBoxProps, TilesProps } from '#views/dashboards/Tiles.tsx';
import { tileOptions } from '#views/dashboards/tile-options.ts';
import { questionOf } from '#views/dashboards/tile-question.ts';
import { dashboardOf } from '#views/frame/addresses.ts';
import { isProject, useNow } from '#views/frame/queries.ts';
import { classNames } from '#views/kit/class-names.ts';
import { useConnection } from '#views/kit/connection.tsx';
import { Icon, Lens, Mark } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { RefreshEvery } from '#views/kit/refresh-every.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useRegionOf } from '#views/question/use-region.ts';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { wallWords } from '#views/words/wall.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { dashboardIn, dashboardOptions, dashboardQueries, goalsIn } from './dashboard-options.ts';
import { useClock, useCountedAt, useEscape, useWakeLock } from './use-wall.ts';
import css from './Wall.module.css';

const TileBox = lazyPart<TileBoxProps>(
  'dashboard-tiles',
  async () => (await import('#views/areas/dashboard-tiles.ts')).TileBox,
);
const Unlinked = lazyPart<UnlinkedProps>(
  'dashboard-tiles',
  async () => (await import('#views/areas/dashboard-tiles.ts')).Unlinked,
);

/** What a screen has room for across a room. */
const MAX_NUMBERS = 6;
const MAX_CHARTS = 4;
/** Tiles without numbers. */
const WORDS: ReadonlySet<Tile['kind']> = new Set(['text', 'heading', 'separator']);
const MINUTE_MS = 60_000;
/** Numbers this many intervals old are said to be. */
const STALE_AFTER = 3;

export const queries = dashboardQueries;

export function followUps(trpc: Trpc, props: ScreenProps, answers: QueryClient): ScreenQuery[] {
  const dashboard = dashboardIn(trpc, props, answers);
  if (dashboard === undefined) return [];
  const content = { ...dashboard.content, tiles: shownTiles(dashboard.content.tiles).flat() };
  const question = questionOf(props.search, content);
  const reference = props.params['project'] ?? '';
  const scope = { question, goals: goalsIn(trpc, props, answers) };
  const asked = tileOptions(trpc, reference, { ...dashboard, content }, scope);
  return asked.map((options) => ({ options, critical: true }));
}

export const title: ScreenModule['title'] = ({ language }) => dashboardWords[language].title;

export function Screen(props: ScreenProps) {
  return (
    <Late fallback={<main id="content" className={css['wall']} />}>
      <Wall {...props} />
    </Late>
  );
}

/** Numbers, and the first charts and tables. */
function shownTiles(tiles: readonly Tile[]): [numbers: Tile[], charts: Tile[]] {
  const isNumber = ({ kind }: Tile) => kind === 'metric' || kind === 'goal';
  const charts = tiles.filter((tile) => !isNumber(tile) && !WORDS.has(tile.kind));
  return [tiles.filter(isNumber).slice(0, MAX_NUMBERS), charts.slice(0, MAX_CHARTS)];
}

function Wall({ params, search }: ScreenProps) {
  const own = usePart(wallWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const reference = params['project'] ?? '';
  const { data: dashboard } = useSuspenseQuery(dashboardOptions(trpc, { params }));
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project: reference }));
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  // The head shows it when it is known: it has to be on both sides, or the page would be drawn again.
  useSuspenseQuery(trpc.events.now.queryOptions({ project: reference }));
  const project = projects.find((each) => isProject(each, reference)) as ProjectSummary;
  const text = search.toString();
  const question = useMemo(() => questionOf(new URLSearchParams(text), dashboard.content), [text, dashboard]);
  const everyMs = Math.max(1, readRefresh(search)) * MINUTE_MS;
  const path = dashboardOf(reference, dashboard.id);
  const back = text === '' ? path : `${path}?${text}`;
  const clock = useClock();
  const now = { today: dateIn(clock, project.timeZone), weekStart: project.weekStart };
  const { counting } = useRegionOf(question, path, now);
  const [numbers, charts] = shownTiles(dashboard.content.tiles);
  useWakeLock();
  useEscape(useCallback(() => navigate(back), [navigate, back]));
  const parts = { reference, dashboard, question, project, goals, now, counting };
  return (
    <main id="content" className={classNames(css['wall'], 'ph-no-capture')}>
      <Head name={dashboard.name} clock={clock} timeZone={project.timeZone} />
      <RefreshEvery ms={everyMs}>
        <Unlinked>
          <WallTiles {...parts} tiles={numbers} className={css['numbers']} />
          <WallTiles {...parts} tiles={charts} className={css['charts']} />
          {numbers.length + charts.length === 0 && <p>{own.empty}</p>}
        </Unlinked>
      </RefreshEvery>
      <Foot back={back} everyMs={everyMs} timeZone={project.timeZone} clock={clock} />
    </main>
  );
}

function WallTiles({ className, tiles, ...parts }: TilesProps & { className: string | undefined }) {
  if (tiles.length === 0) return null;
  return (
    <div className={className} data-count={tiles.length}>
      {tiles.map((tile) => (
        <TileBox key={tile.id} {...parts} tiles={tiles} tile={tile} />
      ))}
    </div>
  );
}

function Head({ name, clock, timeZone }: { name: string; clock: number; timeZone: string }) {
  const { words, format } = useWords();
  const now = useNow();
  return (
    <header className={css['head']}>
      <Mark />
      <h1>{name}</h1>
      {now !== null && (
        <span className={css['people']}>
          <Lens live={now.peopleNow > 0} />
          <span>
            <b className="num">{format.number(now.peopleNow)}</b> {words.people.now}
          </span>
        </span>
      )}
      <span className={css['clock']}>
        <span>{format.weekdayDay(clock, timeZone)}</span>
        <time className="num" dateTime={new Date(clock).toISOString()}>
          {format.time(clock, timeZone)}
        </time>
      </span>
    </header>
  );
}

interface FootProps {
  back: string;
  everyMs: number;
  timeZone: string;
  clock: number;
}

function Foot({ back, everyMs, timeZone, clock }: FootProps) {
  const { format } = useWords();
  const own = usePart(wallWords);
  const { state } = useConnection();
  const at = useCountedAt();
  const isStale = at > 0 && Date.now() - at > STALE_AFTER * everyMs;
  const isLost = state !== 'online';
  return (
    <footer className={css['foot']}>
      <span role="status" className={classNames(css['connection'], isLost && css['warn'])}>
        {isLost ? <Icon name="offline" /> : <Lens />}
        {isLost ? own.reconnecting : own.connected}
      </span>
      {at > 0 && (
        <span className={classNames('num', isStale && css['warn'])}>
          {(isStale ? own.stale : own.updated)(format.clock(at, timeZone))}
        </span>
      )}
      <span className="wide-only">{format.zone(clock, timeZone)}</span>
      <Link href={back} className={css['leave']}>
        {own.leave}
      </Link>
    </footer>
  );
}
