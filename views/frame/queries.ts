/** Queries of the frame: the projects, and the current visitors of the selected one. */
import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Me } from '#src/accounts/contract.ts';
import { isAtLeast } from '#src/accounts/values.ts';
import type { NowSummary } from '#src/events/contract.ts';
import { tableExtension } from '#src/kit/values.ts';
import type { ProjectSummary, Role } from '#src/projects/contract.ts';
import { reloadUnlessLeaving } from '#views/kit/SignOut.tsx';
import { useKnown } from '#views/known.ts';
import { type Navigation, useNavigation } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { isRefusal, type Trpc, useTrpc } from '#views/trpc.ts';
import { settingsOf } from './addresses.ts';

/** How often the frame's own line of figures is asked again. */
const NOW_EVERY_MS = 20_000;

/** Part of every screen's `queries`. */
export function frameQueries(trpc: Trpc, { params }: ScreenProps): ScreenQuery[] {
  const project = params['project'];
  return [
    { options: trpc.projects.list.queryOptions(), critical: true },
    { options: trpc.accounts.me.queryOptions(), critical: true },
    ...(project === undefined ? [] : [{ options: trpc.events.now.queryOptions({ project }), critical: true }]),
  ];
}

/** Queries about the selected project when the URL has none: they start after the projects are loaded. */
export function frameFollowUps(
  trpc: Trpc,
  { params }: ScreenProps,
  last: string | null,
  answers: QueryClient,
): ScreenQuery[] {
  const list = answers.getQueryData(trpc.projects.list.queryKey());
  if (params['project'] !== undefined || list === undefined) return [];
  const project = projectFor(list, { last, team: params['team'] });
  if (project === undefined) return [];
  return [{ options: trpc.events.now.queryOptions({ project: String(project.id) }), critical: true }];
}

/** Name of the screen; null in the cached shell. */
export function useScreenName(): string | null {
  return useNavigation().match?.route.name ?? null;
}

/**
 * The reference to the project that the frame is about, and the name of the screen; null without a project, and until it is known. On
 * screens of a team or an account it is the project that was looked at last.
 */
export function useAddress(): Address | null {
  return addressIn(useNavigation(), useProjectList());
}

interface Address {
  project: string;
  screen: string;
}

function addressIn(
  { match, project: last }: Pick<Navigation, 'match' | 'project'>,
  list: readonly ProjectSummary[] | undefined,
): Address | null {
  if (match === null) return null;
  const { project, team } = match.params;
  const reference = project ?? (list && projectFor(list, { last, team })?.id);
  return reference === undefined || reference === null
    ? null
    : { project: String(reference), screen: match.route.name };
}

/** Selected project on screens without one: the last opened, else the first; one of the team on a team's screen. */
export function projectFor(
  list: readonly ProjectSummary[],
  { last, team }: { last: string | null; team: string | undefined },
): ProjectSummary | undefined {
  const fitting = team === undefined ? list : list.filter((project) => String(project.team.id) === team);
  const lastOne = last === null ? undefined : fitting.find((project) => isProject(project, last));
  return lastOne ?? fitting.find(({ builtIn }) => !builtIn) ?? fitting[0];
}

/** All that the reader may see, on screens within the frame. */
function useProjectList(): ProjectSummary[] | undefined {
  const { projects } = frameOptions(useTrpc());
  const isFramed = useNavigation().match?.route.frame === 'project';
  return useKnown({ ...projects, enabled: isFramed }).data;
}

/** The person who is signed in; undefined until they are known, and in the kept shell. */
export function useMe(): Me | undefined {
  const { me } = frameOptions(useTrpc());
  const isKnown = useScreenName() !== null;
  return useKnown({ ...me, enabled: isKnown }).data;
}

function makeFrameOptions(trpc: Trpc) {
  return { projects: trpc.projects.list.queryOptions(), me: trpc.accounts.me.queryOptions() };
}

const knownOptions = new WeakMap<Trpc, ReturnType<typeof makeFrameOptions>>();

/** Made once for each client: a page needs these some fifty times. */
function frameOptions(trpc: Trpc): ReturnType<typeof makeFrameOptions> {
  const known = knownOptions.get(trpc);
  if (known !== undefined) return known;
  const made = makeFrameOptions(trpc);
  knownOptions.set(trpc, made);
  return made;
}

export interface Projects {
  list: ProjectSummary[];
  /** The one that the frame is about. */
  current: ProjectSummary | null;
}

/** The projects; null until they are known. */
export function useProjects(): Projects | null {
  const navigation = useNavigation();
  const list = useProjectList();
  if (list === undefined) return null;
  const address = addressIn(navigation, list);
  return { list, current: list.find((project) => isProject(project, address?.project)) ?? null };
}

/** The first of the settings that the reader may open: the project's, else the team's, else their own. */
export function useSettingsAddress(): string {
  const me = useMe();
  const project = useProjects()?.current;
  if (project && isAtLeast(project.role, 'admin')) return settingsOf(project.id);
  const team = project?.team.id ?? me?.teams[0]?.id;
  return team === undefined ? '/account' : `/team/${team}/members`;
}

/** True when an address's reference means this project. */
export function isProject({ id, token }: ProjectSummary, reference: string | undefined): boolean {
  return String(id) === reference || token === reference;
}

/** The reader's role in a project of the address, and its time zone; `viewer` and `UTC` for an unknown one. Waits for the projects. */
export function useRoleIn(reference: string): { role: Role; timeZone: string; weekStart: 0 | 1 } {
  const { data: projects } = useSuspenseQuery(useTrpc().projects.list.queryOptions());
  const {
    role = 'viewer',
    timeZone = 'UTC',
    weekStart = 1,
  } = projects.find((each) => isProject(each, reference)) ?? {};
  return { role, timeZone, weekStart };
}

/** How files of tables are called for the reader: `CSV` or `XLSX`. */
export function useTableFileName(): string {
  const me = useMe();
  return tableExtension(me?.tableFormat ?? 'comma').toUpperCase();
}

/** Current visitors of the selected project; null until loaded, or without a project. */
export function useNow(): NowSummary | null {
  const trpc = useTrpc();
  const project = useAddress()?.project;
  const { data, error } = useKnown({
    ...trpc.events.now.queryOptions({ project: project ?? '' }),
    enabled: project !== undefined,
    refetchInterval: NOW_EVERY_MS,
  });
  useEffect(() => {
    // Access to the project was lost: the page is reloaded.
    if (error && isRefusal(error)) reloadUnlessLeaving();
  }, [error]);
  return data ?? null;
}
