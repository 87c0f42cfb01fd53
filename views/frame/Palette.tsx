/**
 * The command palette: go to a screen or a project, or do something, by typing a few letters. A combobox: the field keeps the
 * focus, arrows move through the list.
 */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { Dialog } from '#views/kit/Dialog.tsx';
import { Icon, type IconName } from '#views/kit/Icon.tsx';
import { headingClass, optionClass } from '#views/kit/Popover.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { signOut } from '#views/post.ts';
import { usePreferences } from '#views/settings.ts';
import { useTrpc } from '#views/trpc.ts';
import { languages } from '#views/words/catalogues.ts';
import { panelWords } from '#views/words/panels.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { themes } from './Appearance.tsx';
import { eventsOf, ingestionOf, installOf, liveOf, overviewOf, settingsOf } from './addresses.ts';
import { findCommands } from './find-commands.ts';
import type { PanelProps } from './LazyPanels.tsx';
import css from './Palette.module.css';
import { type Projects, useAddress, useProjects } from './queries.ts';

export interface Command {
  id: string;
  group: string;
  icon: IconName;
  text: string;
  /** Keys that do the same. */
  keys?: string;
  /** Where it leads; without one it runs. */
  href?: string;
  run?: () => void;
}

export function Palette({ onClose, onOpen }: PanelProps) {
  const { format } = useWords();
  const { palette } = usePart(panelWords);
  const { navigate } = useNavigation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const commands = useCommands(() => onOpen('keys'));
  const found = findCommands(commands, typed);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const current = found[Math.min(chosen, found.length - 1)];

  function take(command: Command | undefined, newTab: boolean): void {
    if (command === undefined) return;
    if (command.href === undefined) {
      onClose();
      command.run?.();
    } else if (newTab) {
      window.open(command.href, '_blank', 'noopener');
    } else {
      onClose();
      navigate(command.href);
    }
  }

  function move(to: number): void {
    const next = (to + found.length) % Math.max(found.length, 1);
    setChosen(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const at = Math.min(chosen, found.length - 1);
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') take(current, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog label={palette.label} className={classNames(css['palette'], 'ph-no-capture')} onClose={onClose}>
      <div className={css['field']}>
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current && `${id}-${current.id}`}
          aria-label={palette.label}
          placeholder={palette.hint}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={palette.label} className={css['list']}>
        {found.length === 0 && <p className={css['none']}>{palette.none}</p>}
        {grouped(found).map(({ group, items }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div key={group} role="group" aria-label={group}>
            <p className={headingClass} aria-hidden="true">
              {group}
            </p>
            {items.map((command) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={command.id}
                id={`${id}-${command.id}`}
                role="option"
                aria-selected={command === current}
                className={classNames(css['option'], optionClass(command === current))}
                onPointerMove={() => setChosen(found.indexOf(command))}
                onClick={(event) => take(command, event.ctrlKey || event.metaKey)}
              >
                <Icon name={command.icon} />
                <span className="clip">{command.text}</span>
                {command.keys && <kbd className={`${css['key']} kbd`}>{command.keys}</kbd>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={css['foot']} aria-hidden="true">
        <span>↑↓ {palette.move}</span>
        <span>Enter {palette.open}</span>
        <span className="wide-only">Ctrl Enter {palette.newTab}</span>
        <span>Esc {palette.close}</span>
      </p>
      <p role="status" className="visually-hidden">
        {typed === '' ? '' : palette.results(found.length, format.number(found.length))}
      </p>
    </Dialog>
  );
}

function useCommands(showKeys: () => void): Command[] {
  const { words } = useWords();
  const { palette } = usePart(panelWords);
  const address = useAddress();
  const projects = useProjects();
  const preferences = usePreferences();
  return [
    ...useScreens(),
    ...projectsOf(projects, address, palette.projects),
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      group: palette.run,
      icon: 'moon' as const,
      text: palette.theme(words.appearance.themes[theme]),
      run: () => preferences.setTheme(theme === 'system' ? null : theme),
    })),
    ...languages
      .filter((language) => language !== preferences.language)
      .map((language) => ({
        id: `language-${language}`,
        group: palette.run,
        icon: 'info' as const,
        text: palette.language(words.appearance.languages[language]),
        run: () => preferences.setLanguage(language),
      })),
    { id: 'keys', group: palette.run, icon: 'menu', text: palette.keys, keys: '?', run: showKeys },
    { id: 'sign-out', group: palette.run, icon: 'right', text: palette.signOut, run: () => void signOut() },
  ];
}

/** Where whoever asks may go: what their role does not see is not offered. */
function useScreens(): Command[] {
  const { words } = useWords();
  const { palette } = usePart(panelWords);
  const trpc = useTrpc();
  const project = useAddress()?.project;
  const current = useProjects()?.current;
  const { data: me } = useQuery(trpc.accounts.me.queryOptions());
  const { nav } = words;
  const group = palette.goTo;
  const role = current?.role ?? 'viewer';
  const seesPeople = role !== 'viewer';
  const changes = seesPeople && role !== 'member';
  const screens: (Command | false)[] = [
    { id: 'home', group, icon: 'table', text: palette.home, href: '/' },
    { id: 'account', group, icon: 'lock', text: palette.account, href: '/account' },
    me?.operator === true && { id: 'status', group, icon: 'info', text: palette.status, href: '/status' },
  ];
  if (project !== undefined) {
    const privacy = `/project/${project}/privacy`;
    screens.unshift(
      { id: 'overview', group, icon: 'overview', text: nav.overview, keys: 'G O', href: overviewOf(project) },
      seesPeople && { id: 'live', group, icon: 'live', text: nav.live, keys: 'G L', href: liveOf(project) },
      seesPeople && { id: 'events', group, icon: 'table', text: nav.events, href: eventsOf(project) },
      seesPeople && {
        id: 'ingestion',
        group,
        icon: 'intake',
        text: nav.ingestion,
        keys: 'G I',
        href: ingestionOf(project),
      },
      changes && { id: 'settings', group, icon: 'filter', text: nav.settings, href: settingsOf(project) },
      seesPeople && { id: 'privacy', group, icon: 'lock', text: palette.privacy, href: privacy },
      seesPeople && { id: 'install', group, icon: 'copy', text: palette.install, href: installOf(project) },
      current != null && {
        id: 'members',
        group,
        icon: 'menu',
        text: palette.members,
        href: `/team/${current.team.id}/members`,
      },
    );
  }
  return screens.filter((screen) => screen !== false);
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

function grouped(commands: Command[]): { group: string; items: Command[] }[] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([group, items]) => ({ group, items }));
}
