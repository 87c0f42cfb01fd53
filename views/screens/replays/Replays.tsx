/** Recordings of visits: which there are, and which of them are worth watching. */
import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { canWatchReplays } from '#src/replays/values.ts';
import type { ReplayList } from '#src/replays/watching/contract.ts';
import { MAX_REPLAY_SEARCH, REPLAYS_PER_PAGE, replayShows, replaySorts } from '#src/replays/watching/values.ts';
import { replaysOf, settingsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { Chip } from '#views/kit/Chip.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Pager } from '#views/kit/Pager.tsx';
import { Region } from '#views/kit/Region.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { Select } from '#views/kit/Select.tsx';
import { State } from '#views/kit/State.tsx';
import { searchForm } from '#views/kit/search-form.ts';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigate } from '#views/navigation.tsx';
import { DateRange } from '#views/question/DateRange.tsx';
import type { Today } from '#views/question/dates.ts';
import type { FilterChipsProps } from '#views/question/filters/FilterChips.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { Refused } from './Refused.tsx';
import css from './Replays.module.css';
import { ReplayTable } from './ReplayTable.tsx';
import {
  heatmapsOf,
  inputOf,
  type ReplaysQuestion,
  readReplays,
  replaysAddress,
  replaysPath,
} from './replay-address.ts';
import { clockText } from './timeline.ts';

const FilterChips = lazyPart<FilterChipsProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).FilterChips,
);

export const queries: ScreenModule['queries'] = frameQueries;

/** Asked by those who may watch. */
export function followUps(trpc: Trpc, props: ScreenProps, answers: QueryClient): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const found = answers.getQueryData(trpc.projects.list.queryKey())?.find((each) => isProject(each, project));
  if (found === undefined || !canWatchReplays(found.role, found.replay)) return [];
  return [
    {
      options: trpc.replays.list.queryOptions(inputOf(project, readReplays(props.search))),
      critical: true,
    },
    { options: trpc.insights.segments.list.queryOptions({ project }), critical: true },
  ];
}

export const title: ScreenModule['title'] = ({ language }) => replayWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(replayWords);
  const project = params['project'] ?? '';
  const text = search.toString();
  const asked = useMemo(() => readReplays(new URLSearchParams(text)), [text]);
  return (
    <Page
      title={own.title}
      actions={
        <>
          <ButtonLink small kind="quiet" href={heatmapsOf(project)}>
            {own.heatmaps}
          </ButtonLink>
          <Late>
            <SettingsLink project={project} />
          </Late>
        </>
      }
    >
      <div className="ph-no-capture">
        <Late fallback={<BarTableSkeleton rows={8} />}>
          <Content reference={project} asked={asked} />
        </Late>
      </div>
    </Page>
  );
}

function useProject(reference: string): ProjectSummary | undefined {
  const { data } = useSuspenseQuery(useTrpc().projects.list.queryOptions());
  return data.find((each) => isProject(each, reference));
}

function SettingsLink({ project }: { project: string }) {
  const own = usePart(replayWords);
  const role = useProject(project)?.role ?? 'viewer';
  if (!isAtLeast(role, 'admin')) return null;
  return (
    <ButtonLink small kind="quiet" icon="sliders" href={`${settingsOf(project)}?tab=replay`}>
      {own.settings}
    </ButtonLink>
  );
}

interface Asked {
  reference: string;
  asked: ReplaysQuestion;
}

function Content({ reference, asked }: Asked) {
  const own = usePart(replayWords);
  const { navigate } = useNavigate();
  const project = useProject(reference);
  const time = useServerTime();
  if (project === undefined) return null;
  if (!canWatchReplays(project.role, project.replay)) return <Refused />;
  const now: Today = { today: dateIn(time, project.timeZone), weekStart: project.weekStart };
  return (
    <>
      <Tools reference={reference} asked={asked} now={now} />
      <Region
        question={asked}
        of={JSON.stringify(inputOf(reference, asked))}
        label={own.list}
        counting={own.list}
        skeleton={<BarTableSkeleton rows={8} />}
        onCancel={(shown) => navigate(replaysAddress(reference, shown), { replace: true })}
      >
        {(shown) => <List reference={reference} asked={shown} project={project} />}
      </Region>
    </>
  );
}

function Tools({ reference, asked, now }: Asked & { now: Today }) {
  const own = usePart(replayWords);
  const { words } = useWords();
  const { navigate } = useNavigate();
  const path = replaysPath(reference, asked);
  const { onSubmit, onChange } = searchForm((fields) => {
    const { search, event, minSeconds, sort } = readReplays(fields);
    navigate(replaysAddress(reference, { ...asked, search, event, minSeconds, sort, page: 0 }));
  });
  return (
    <search aria-label={words.regions.filters}>
      <div className={css['bar']}>
        <Late>
          <FilterChips withSegments ofRows path={path} question={asked.question} />
        </Late>
        <span className={css['right']}>
          <DateRange path={path} question={asked.question} now={now} />
        </span>
      </div>
      <form key={path} method="get" action={replaysOf(reference)} onSubmit={onSubmit} className={css['tools']}>
        {asked.person !== '' && <input type="hidden" name="person" value={asked.person} />}
        <input
          type="search"
          name="search"
          className={classNames('input', css['search'])}
          aria-label={own.searchHint}
          placeholder={own.searchHint}
          defaultValue={asked.search}
          maxLength={MAX_REPLAY_SEARCH}
        />
        <input
          name="event"
          className={classNames('input', css['event'])}
          aria-label={own.event}
          placeholder={own.anyEvent}
          defaultValue={asked.event}
          maxLength={400}
          autoComplete="off"
        />
        <Select
          name="seconds"
          className="input"
          aria-label={own.minSeconds}
          defaultValue={asked.minSeconds}
          onChange={onChange}
        >
          {Object.entries(own.durations).map(([seconds, text]) => (
            <option key={seconds} value={seconds}>
              {text}
            </option>
          ))}
        </Select>
        <Select name="order" className="input" aria-label={own.order} defaultValue={asked.sort} onChange={onChange}>
          {replaySorts.map((sort) => (
            <option key={sort} value={sort}>
              {own.orders[sort]}
            </option>
          ))}
        </Select>
        <Button type="submit" icon="search">
          {own.find}
        </Button>
      </form>
    </search>
  );
}

function List({ reference, asked, project }: Asked & { project: ProjectSummary }) {
  const own = usePart(replayWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.replays.list.queryOptions(inputOf(reference, asked)));
  const isAdmin = isAtLeast(project.role, 'admin');
  if (!data.hasAny) {
    return (
      <State
        icon="play"
        title={project.replay.isOn ? own.none : own.off}
        actions={
          isAdmin && (
            <ButtonLink small icon="sliders" href={`${settingsOf(reference)}?tab=replay`}>
              {own.settings}
            </ButtonLink>
          )
        }
      >
        {project.replay.isOn ? own.noneText : isAdmin ? own.offText : own.offMember}
      </State>
    );
  }
  return (
    <>
      <Head reference={reference} asked={asked} list={data} />
      {data.replays.length === 0 ? (
        <State
          icon="play"
          title={own.nothingFound}
          actions={
            <ButtonLink small href={replaysOf(reference)}>
              {own.clear}
            </ButtonLink>
          }
        />
      ) : (
        <ReplayTable reference={reference} replays={data.replays} project={project} />
      )}
      <Pager
        page={asked.page}
        perPage={REPLAYS_PER_PAGE}
        shown={data.replays.length}
        total={data.total}
        hrefOf={(page) => replaysAddress(reference, { ...asked, page })}
      />
    </>
  );
}

function Head({ reference, asked, list }: Asked & { list: ReplayList }) {
  const own = usePart(replayWords);
  const { format } = useWords();
  const { total, people, medianSeconds, counts, replays } = list;
  const person = asked.person === '' ? null : (replays[0]?.person ?? null);
  return (
    <div className={css['head']}>
      <p>
        <b className="strong">{own.recordings(total, format.number(total))}</b>
        {total > 0 && <span>{own.people(people, format.number(people))}</span>}
        {medianSeconds !== null && <span>{own.median(clockText(medianSeconds * 1000))}</span>}
      </p>
      {asked.person !== '' && (
        <Chip
          name={own.ofPerson}
          operator=""
          value={person?.label ?? own.onePerson}
          removeHref={replaysAddress(reference, { ...asked, person: '', page: 0 })}
          removeLabel={own.removePerson}
        />
      )}
      <Segmented
        label={own.show}
        className={css['shows']}
        segments={replayShows.map((show) => ({
          key: show,
          label: show === 'all' ? own.shows.all : `${own.shows[show]} ${format.number(counts[show])}`,
          href: replaysAddress(reference, { ...asked, show, page: 0 }),
          current: show === asked.show,
        }))}
      />
    </div>
  );
}
