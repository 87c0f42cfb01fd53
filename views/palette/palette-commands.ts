/** Commands of the palette: screens, goals, segments, people, projects and actions; recently used ones first. */

import { useEffect, useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import { themes } from '#views/frame/Appearance.tsx';
import { liveOf, overviewOf, peopleOf, personOf, savedInsightOf } from '#views/frame/addresses.ts';
import { placesFor } from '#views/frame/places.ts';
import { type Projects, useAddress, useProjects } from '#views/frame/queries.ts';
import { recentCommands, recentFirst } from '#views/frame/recent-commands.ts';
import type { IconName } from '#views/kit/Icon.tsx';
import { signOut } from '#views/kit/SignOut.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useKnown } from '#views/known.ts';
import { useNavigation } from '#views/navigation.tsx';
import { usePreferences } from '#views/settings.ts';
import { useTrpc } from '#views/trpc.ts';
import { languages } from '#views/words/catalogues.ts';
import { dateWords } from '#views/words/dates.ts';
import { panelWords } from '#views/words/panels.ts';
import { keywordsOf, placeWords } from '#views/words/places.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { rangeCommand } from './range-command.ts';

export interface Command {
  id: string;
  group: string;
  icon: IconName;
  text: string;
  /** Further words that find it. */
  keywords?: string;
  /** Keys that do the same. */
  keys?: string;
  /** Where it leads; without one it runs. */
  href?: string;
  run?: () => void;
  /** It is not offered first the next time. */
  passing?: boolean;
}

/** The commands, and those that are offered for any input. */
export function useCommands(typed: string, showKeys: () => void): { commands: Command[]; always: Command[] } {
  const { words } = useWords();
  const { palette } = usePart(panelWords);
  const address = useAddress();
  const projects = useProjects();
  const preferences = usePreferences();
  const commands: Command[] = [
    ...usePlaces(),
    ...useSaved(),
    ...projectsOf(projects, address, palette.projects),
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      group: palette.run,
      icon: 'moon' as const,
      text: palette.theme(words.appearance.themes[theme]),
      keywords: palette.keywords.theme,
      run: () => preferences.setTheme(theme === 'system' ? null : theme),
    })),
    ...languages
      .filter((language) => language !== preferences.language)
      .map((language) => ({
        id: `language-${language}`,
        group: palette.run,
        icon: 'info' as const,
        text: palette.language(words.appearance.languages[language]),
        keywords: palette.keywords.language,
        run: () => preferences.setLanguage(language),
      })),
    {
      id: 'show-keys',
      group: palette.run,
      icon: 'menu',
      text: palette.keys,
      keywords: palette.keywords.keys,
      keys: '?',
      run: showKeys,
    },
    {
      id: 'sign-out',
      group: palette.run,
      icon: 'right',
      text: palette.signOut,
      keywords: palette.keywords.signOut,
      passing: true,
      run: signOut,
    },
  ];
  const [recent] = useState(() => recentCommands(address?.project ?? ''));
  return {
    commands: recentFirst(commands, recent, typed.trim() === '' ? palette.recent : null),
    always: [...useSearches(typed), ...usePeople(typed)],
  };
}

/** The screens, and parts of them, that the role sees. */
function usePlaces(): Command[] {
  const { palette } = usePart(panelWords);
  const names = usePart(placeWords);
  const trpc = useTrpc();
  const project = useAddress()?.project;
  const current = useProjects()?.current;
  const { data: me } = useKnown(trpc.accounts.me.queryOptions());
  const offer = { role: current?.role ?? 'viewer', isOperator: me?.operator === true };
  return placesFor(offer, { project, team: current?.team.id }).map(({ id, icon, href, key }) => ({
    id,
    group: palette.goTo,
    icon,
    text: names[id].name,
    keywords: keywordsOf(id),
    href,
    ...(key !== undefined && { keys: `G ${key}` }),
  }));
}

/** Goals and segments of the project: the Overview, asked for them. */
function useSaved(): Command[] {
  const { palette } = usePart(panelWords);
  const trpc = useTrpc();
  const project = useAddress()?.project;
  const asked = { project: project ?? '' };
  const enabled = project !== undefined;
  const { data: goals = [] } = useKnown({ ...trpc.insights.goals.list.queryOptions(asked), enabled });
  const { data: insights } = useKnown({ ...trpc.insights.saved.list.queryOptions({ ...asked, limit: 100 }), enabled });
  const { data: segments = [] } = useKnown({ ...trpc.insights.segments.list.queryOptions(asked), enabled });
  if (project === undefined) return [];
  const overview = overviewOf(project);
  return [
    ...(insights?.items ?? []).map(({ id, name }) => ({
      id: `insight-${id}`,
      group: palette.insights,
      icon: 'chart' as const,
      text: name,
      href: savedInsightOf(project, id),
    })),
    ...goals.map(({ id, name }) => ({
      id: `goal-${id}`,
      group: palette.goals,
      icon: 'check' as const,
      text: name,
      href: `${overview}?goal=${id}`,
    })),
    ...segments.map(({ id, name }) => ({
      id: `segment-${id}`,
      group: palette.segments,
      icon: 'filter' as const,
      text: name,
      href: `${overview}?segment=${id}`,
    })),
  ];
}

/** The range that was typed, of the Overview as it is asked. */
export function useRanges(typed: string): Command[] {
  const { palette } = usePart(panelWords);
  const { order } = usePart(dateWords);
  const { words, format } = useWords();
  const { place } = useNavigation();
  const address = useAddress();
  const project = useProjects()?.current;
  const time = useServerTime();
  if (address === null || !project) return [];
  const found = rangeCommand(typed, {
    now: { today: dateIn(time, project.timeZone), weekStart: project.weekStart },
    order,
    path: overviewOf(address.project),
    search: address.screen === 'overview' ? place.search : '',
    words,
    format,
  });
  return found === null ? [] : [{ id: 'range', group: palette.range, icon: 'calendar', passing: true, ...found }];
}

/** People of the project that match the typed text. */
function useSearches(typed: string): Command[] {
  const { palette } = usePart(panelWords);
  const project = useAddress()?.project;
  const role = useProjects()?.current?.role ?? 'viewer';
  const search = typed.trim();
  if (project === undefined || !isAtLeast(role, 'member') || search.length < 2) return [];
  const href = `${peopleOf(project)}?${new URLSearchParams({ search })}`;
  return [
    { id: 'find-people', group: palette.find, icon: 'people', text: palette.findPeople(search), href, passing: true },
  ];
}

const SHORTEST = 3;
const MAX_PEOPLE = 5;
const STILL_MS = 250;

/** The first of them by name, for those who may see people; fetched when typing pauses. */
function usePeople(typed: string): Command[] {
  const { palette } = usePart(panelWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const role = useProjects()?.current?.role ?? 'viewer';
  const search = useSettled(typed.trim());
  const { data } = useKnown({
    ...trpc.profiles.list.queryOptions({ project, search }),
    enabled: project !== '' && isAtLeast(role, 'member') && search.length >= SHORTEST && search === typed.trim(),
  });
  if (search !== typed.trim()) return [];
  return (data?.rows ?? []).slice(0, MAX_PEOPLE).map(({ uuid, label, email, distinctId, identified }) => {
    const name = label ?? (identified ? distinctId : words.people.anonymous(uuid.slice(-4)));
    return {
      id: `person-${uuid}`,
      group: palette.people,
      icon: 'people' as const,
      passing: true,
      text: email !== null && email !== name ? `${name}, ${email}` : name,
      href: personOf(project, uuid),
    };
  });
}

/** The text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), STILL_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function projectsOf(projects: Projects | null, address: ReturnType<typeof useAddress>, group: string): Command[] {
  if (projects === null || projects.list.length < 2) return [];
  const target = address?.screen === 'live' ? liveOf : overviewOf;
  return projects.list
    .filter((project) => project !== projects.current)
    .map(({ id, name }) => ({
      id: `project-${id}`,
      group,
      icon: 'updown',
      text: name,
      href: target(id),
    }));
}
