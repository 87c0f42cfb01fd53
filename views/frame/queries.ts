/** What the frame around every screen asks for: the projects, and what the current one receives right now. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { NowSummary } from '#src/events/contract.ts';
import { tableExtension } from '#src/kit/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { reloadUnlessLeaving } from '#views/kit/SignOut.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { matchPath } from '#views/routing.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { isRefusal, type Trpc, useTrpc } from '#views/trpc.ts';

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

/** The reference to the project in the address, and the name of the screen; null outside projects. */
export function useAddress(): { project: string; screen: string } | null {
  const { place, routes } = useNavigation();
  const match = matchPath(routes, place.path);
  const project = match?.params['project'];
  return match === null || project === undefined ? null : { project, screen: match.route.name };
}

export interface Projects {
  list: ProjectSummary[];
  /** The one in the address. */
  current: ProjectSummary | null;
}

/** The projects; null until they are known. */
export function useProjects(): Projects | null {
  const trpc = useTrpc();
  const address = useAddress();
  const { data } = useQuery({ ...trpc.projects.list.queryOptions(), enabled: address !== null });
  if (data === undefined) return null;
  return { list: data, current: data.find((project) => isProject(project, address?.project)) ?? null };
}

/** True when an address's reference means this project. */
export function isProject({ id, token }: ProjectSummary, reference: string | undefined): boolean {
  return String(id) === reference || token === reference;
}

/** How files of tables are called for the reader: `CSV` or `XLSX`. */
export function useTableFileName(): string {
  const { data: me } = useQuery(useTrpc().accounts.me.queryOptions());
  return tableExtension(me?.tableFormat ?? 'comma').toUpperCase();
}

/** What the current project receives now; null until it is known, or outside projects. */
export function useNow(): NowSummary | null {
  const trpc = useTrpc();
  const project = useAddress()?.project;
  const { data, error } = useQuery({
    ...trpc.events.now.queryOptions({ project: project ?? '' }),
    enabled: project !== undefined,
    refetchInterval: NOW_EVERY_MS,
  });
  useEffect(() => {
    // Nothing of the project is ours any more: what is on the screen goes, and the server says what there is.
    if (error && isRefusal(error)) reloadUnlessLeaving();
  }, [error]);
  return data ?? null;
}
