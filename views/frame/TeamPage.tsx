/** The frame of a team's screens: its name, and the tabs that whoever looks may open. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import { Plain } from '#views/frame/Plain.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { useTrpc } from '#views/trpc.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart } from '#views/words/words.tsx';
import css from './TeamPage.module.css';

const tabs = [
  { key: 'members', screen: 'members', least: 'viewer' },
  { key: 'general', screen: 'settings', least: 'viewer' },
  { key: 'mail', screen: 'mail', least: 'admin' },
  { key: 'activity', screen: 'activity', least: 'admin' },
] as const;

export interface TeamPageProps {
  team: number;
  tab: (typeof tabs)[number]['key'];
  actions?: ReactNode;
  children: ReactNode;
}

export function TeamPage({ team, tab, actions, children }: TeamPageProps) {
  const text = usePart(teamWords);
  const trpc = useTrpc();
  const { data: me } = useQuery(trpc.accounts.me.queryOptions());
  const own = me?.teams.find(({ id }) => id === team);
  const role = own?.role ?? 'viewer';
  return (
    <Plain
      title={
        <>
          {text[tab]} <span className={`${css['team']} ph-no-capture`}>{own?.name}</span>
        </>
      }
      actions={actions}
      tabs={
        <div className={css['tabs']}>
          <LinkTabs
            label={text.tabs}
            tabs={tabs
              .filter(({ least }) => isAtLeast(role, least))
              .map(({ key, screen }) => ({
                key,
                label: text[key],
                href: `/team/${team}/${screen}`,
                current: key === tab,
              }))}
          />
        </div>
      }
    >
      <NeedsScript />
      {children}
    </Plain>
  );
}
