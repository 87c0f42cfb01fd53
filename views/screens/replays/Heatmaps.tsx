/** Heatmaps: where visitors click on a page and how far they scroll, over a recording of it. */
import { type QueryClient, useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import type { Heatmap } from '#src/replays/heatmaps/contract.ts';
import { heatmapShows, MAX_PAGE_PATTERN, PAGES_SHOWN, widthClassNames } from '#src/replays/heatmaps/values.ts';
import { canWatchReplays } from '#src/replays/values.ts';
import { replaysOf, settingsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { Select } from '#views/kit/Select.tsx';
import { State } from '#views/kit/State.tsx';
import { searchForm } from '#views/kit/search-form.ts';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigate } from '#views/navigation.tsx';
import { DateRange } from '#views/question/DateRange.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { heatmapWords } from '#views/words/heatmaps.ts';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { HeatmapStage } from './HeatmapStage.tsx';
import css from './Heatmaps.module.css';
import {
  type HeatmapQuestion,
  heatmapAddress,
  heatmapInputOf,
  heatmapPath,
  pageInputOf,
  readHeatmap,
} from './heatmap-address.ts';
import { heatmapsOf } from './replay-address.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const asked = heatmapInputOf(project, readHeatmap(props.search));
  return [...frameQueries(trpc, props), { options: trpc.replays.heatmap.queryOptions(asked), critical: true }];
}

/** Asked by those who may watch. */
export function followUps(trpc: Trpc, props: ScreenProps, answers: QueryClient): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const found = answers.getQueryData(trpc.projects.list.queryKey())?.find((each) => isProject(each, project));
  if (found === undefined || !canWatchReplays(found.role, found.replay)) return [];
  const asked = pageInputOf(project, readHeatmap(props.search));
  return [{ options: trpc.replays.heatmapRecording.queryOptions(asked), critical: false }];
}

export const title: ScreenModule['title'] = ({ language }) => heatmapWords[language].title;

interface Asked {
  reference: string;
  asked: HeatmapQuestion;
}

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(heatmapWords);
  const replays = usePart(replayWords);
  const reference = params['project'] ?? '';
  const text = search.toString();
  const asked = useMemo(() => readHeatmap(new URLSearchParams(text)), [text]);
  return (
    <Page title={own.title} parent={{ title: replays.title, href: replaysOf(reference) }}>
      <div className="ph-no-capture">
        <Late fallback={<BarTableSkeleton rows={8} />}>
          <Content reference={reference} asked={asked} />
        </Late>
      </div>
    </Page>
  );
}

function Content({ reference, asked }: Asked) {
  const own = usePart(heatmapWords);
  const { navigate } = useNavigate();
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const project = data.find((each) => isProject(each, reference));
  if (project === undefined) return null;
  return (
    <Region
      question={asked}
      of={JSON.stringify(heatmapInputOf(reference, asked))}
      label={own.title}
      counting={own.title}
      skeleton={<BarTableSkeleton rows={8} />}
      onCancel={(shown) => navigate(heatmapAddress(reference, shown), { replace: true })}
    >
      {(shown) => <Answer reference={reference} asked={shown} project={project} />}
    </Region>
  );
}

function Answer({ reference, asked, project }: Asked & { project: ProjectSummary }) {
  const own = usePart(heatmapWords);
  const trpc = useTrpc();
  const { data: map } = useSuspenseQuery(trpc.replays.heatmap.queryOptions(heatmapInputOf(reference, asked)));
  const isAdmin = isAtLeast(project.role, 'admin');
  if (map.pages.length === 0 && !map.isOn) {
    return (
      <State
        icon="play"
        title={own.off}
        actions={
          isAdmin && (
            <ButtonLink small icon="sliders" href={`${settingsOf(reference)}?tab=collection`}>
              {own.settings}
            </ButtonLink>
          )
        }
      >
        {isAdmin ? own.offText : own.offMember}
      </State>
    );
  }
  return (
    <>
      <Tools reference={reference} asked={asked} project={project} map={map} />
      <Head reference={reference} asked={asked} map={map} />
      <div className={css['body']}>
        <Shown reference={reference} asked={asked} project={project} map={map} />
        <Pages reference={reference} asked={asked} map={map} />
      </div>
    </>
  );
}

function Tools({ reference, asked, project, map }: Asked & { project: ProjectSummary; map: Heatmap }) {
  const own = usePart(heatmapWords);
  const { words } = useWords();
  const { navigate } = useNavigate();
  const time = useServerTime();
  const path = heatmapPath(reference, asked);
  const { onSubmit, onChange } = searchForm((fields) => {
    const page = (fields.get('page') ?? '').trim();
    const width = widthClassNames.find((each) => each === fields.get('width')) ?? asked.width;
    navigate(heatmapAddress(reference, { ...asked, page, width, host: fields.get('host') ?? '' }));
  });
  return (
    <search aria-label={words.regions.filters} className={css['bar']}>
      <form key={path} method="get" action={heatmapsOf(reference)} onSubmit={onSubmit} className={css['fields']}>
        {asked.show !== 'click' && <input type="hidden" name="show" value={asked.show} />}
        <input
          type="search"
          name="page"
          className={classNames('input', css['page'])}
          aria-label={own.page}
          placeholder={own.pageHint}
          defaultValue={asked.page}
          maxLength={MAX_PAGE_PATTERN}
        />
        <Select name="width" className="input" aria-label={own.width} defaultValue={asked.width} onChange={onChange}>
          {widthClassNames.map((each) => (
            <option key={each} value={each}>
              {own.widths[each]}
            </option>
          ))}
        </Select>
        {(map.hosts.length > 1 || asked.host !== '') && (
          <Select name="host" className="input" aria-label={own.host} defaultValue={asked.host} onChange={onChange}>
            <option value="">{own.anyHost}</option>
            {[...new Set([...map.hosts, asked.host])].map(
              (host) =>
                host !== '' && (
                  <option key={host} value={host}>
                    {host}
                  </option>
                ),
            )}
          </Select>
        )}
        <Button type="submit" icon="search">
          {own.find}
        </Button>
      </form>
      <span className={css['right']}>
        <DateRange
          path={path}
          question={asked.question}
          now={{ today: dateIn(time, project.timeZone), weekStart: project.weekStart }}
        />
      </span>
    </search>
  );
}

function Head({ reference, asked, map }: Asked & { map: Heatmap }) {
  const own = usePart(heatmapWords);
  const { format } = useWords();
  const { clicks, rage, dead, views } = map.totals;
  const counts = { click: clicks, rage, dead, scroll: views };
  return (
    <div className={css['head']}>
      {map.page !== null && <p className={css['name']}>{map.page}</p>}
      {asked.show === 'scroll' && <p>{own.views(views, format.number(views))}</p>}
      <Segmented
        label={own.show}
        className={css['shows']}
        segments={heatmapShows.map((show) => ({
          key: show,
          label: show === 'scroll' ? own.shows.scroll : `${own.shows[show]} ${format.number(counts[show])}`,
          href: heatmapAddress(reference, { ...asked, show }),
          current: show === asked.show,
        }))}
      />
    </div>
  );
}

/** What is drawn, or why nothing is. */
function Shown({ reference, asked, project, map }: Asked & { project: ProjectSummary; map: Heatmap }) {
  const own = usePart(heatmapWords);
  const isEmpty = asked.show === 'scroll' ? map.totals.views === 0 : map.cells.length === 0;
  if (isEmpty) {
    const isNone = map.pages.length === 0;
    return (
      <div className={css['empty']}>
        <State icon="play" title={isNone ? own.none : own.nothing}>
          {isNone ? own.noneText : own.nothingText}
        </State>
      </div>
    );
  }
  const shared = { reference, asked, project, map };
  return canWatchReplays(project.role, project.replay) ? (
    <Late fallback={<div className={css['empty']} />}>
      <Watched {...shared} />
    </Late>
  ) : (
    <HeatmapStage
      project={reference}
      map={map}
      show={asked.show}
      width={asked.width}
      recording={null}
      mayWatch={false}
      timeZone={project.timeZone}
      onSeen={nothing}
    />
  );
}

const nothing = () => undefined;

function Watched({ reference, asked, project, map }: Asked & { project: ProjectSummary; map: Heatmap }) {
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.replays.heatmapRecording.queryOptions(pageInputOf(reference, asked)));
  const { mutate } = useMutation(trpc.replays.view.mutationOptions());
  const onSeen = useCallback((session: string) => mutate({ project: reference, session }), [mutate, reference]);
  return (
    <HeatmapStage
      project={reference}
      map={map}
      show={asked.show}
      width={asked.width}
      recording={data}
      mayWatch
      timeZone={project.timeZone}
      onSeen={onSeen}
    />
  );
}

function Pages({ reference, asked, map }: Asked & { map: Heatmap }) {
  const own = usePart(heatmapWords);
  const { format } = useWords();
  const { columns } = own;
  if (map.pages.length === 0) return null;
  return (
    <div>
      <table className={css['pages']}>
        <caption>{own.pages}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.page}</th>
            {([columns.clicks, columns.rage, columns.dead] as const).map((name) => (
              <th key={name} scope="col" className={css['number']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {map.pages.map(({ page, clicks, rage, dead }) => (
            <tr key={page}>
              <th scope="row">
                <Link
                  href={heatmapAddress(reference, { ...asked, page })}
                  aria-current={page === map.page ? 'page' : undefined}
                >
                  {page}
                </Link>
              </th>
              {[clicks, rage, dead].map((count, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order
                <td key={at} className={classNames(css['number'], 'num')}>
                  {count === 0 ? <span className="dim">0</span> : format.number(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {map.pages.length === PAGES_SHOWN && <p className="dim">{own.mostClicked(format.number(PAGES_SHOWN))}</p>}
    </div>
  );
}
