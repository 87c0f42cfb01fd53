/** A screen of the settings: of the project, its team, the reader's account and the installation. Tabs lead to those that the reader may open. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Late } from '#views/kit/Late.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import type { PlaceId } from '#views/words/places.ts';
import { settingsTabWords } from '#views/words/settings-tabs.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Page } from './Page.tsx';
import { placesFor } from './places.ts';
import { useProjects, useSettingsAddress } from './queries.ts';
import css from './SettingsPage.module.css';

/** In their order. */
const tabs = [
  'settings',
  'collection',
  'reading',
  'retention',
  'replay-settings',
  'members',
  'team',
  'keys',
  'mail',
  'links',
  'activity',
  'install',
  'account',
  'status',
] as const satisfies readonly PlaceId[];

export type SettingsTab = (typeof tabs)[number];

export interface SettingsPageProps {
  tab: SettingsTab;
  /** Beside the title: what it is of. */
  of?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function SettingsPage({ tab, of, actions, children }: SettingsPageProps) {
  const { words } = useWords();
  const text = usePart(settingsTabWords);
  const settings = useSettingsAddress();
  // The first of them has the name of all.
  const isFirst = tab === 'settings';
  return (
    <Page
      title={
        <>
          {isFirst ? words.nav.settings : text.tabs[tab]}
          {of !== undefined && <span className={`${css['of']} ph-no-capture`}> {of}</span>}
        </>
      }
      parent={isFirst ? undefined : { title: words.nav.settings, href: settings }}
      actions={actions}
    >
      <div className={css['tabs']}>
        <Late>
          <Tabs current={tab} />
        </Late>
      </div>
      <NeedsScript />
      {children}
    </Page>
  );
}

/** Waits for who the reader is, so that no tab comes later than the others. */
function Tabs({ current }: { current: SettingsTab }) {
  const text = usePart(settingsTabWords);
  const trpc = useTrpc();
  const { match } = useNavigation();
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  useSuspenseQuery(trpc.projects.list.queryOptions());
  const project = useProjects()?.current;
  const asked = Number(match?.params['team'] ?? project?.team.id);
  const team = me.teams.find(({ id }) => id === asked) ?? me.teams[0];
  const offer = { role: project?.role ?? team?.role ?? 'viewer', isOperator: me.operator };
  const offered = placesFor(offer, { project: project ? String(project.id) : undefined, team: team?.id });
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => showCurrent(row.current), []);
  return (
    <div ref={row}>
      <LinkTabs
        label={text.label}
        tabs={tabs.flatMap((key) => {
          const href = offered.find(({ id }) => id === key)?.href;
          return href === undefined ? [] : [{ key, label: text.tabs[key], href, current: key === current }];
        })}
      />
    </div>
  );
}

/** Scrolls the chosen tab to the center when the row overflows. */
function showCurrent(row: HTMLElement | null): void {
  const [list, tab] = [row?.querySelector('nav'), row?.querySelector('[aria-current]')];
  if (!list || !tab) return;
  const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}
