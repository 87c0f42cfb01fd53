/** A screen of the settings that is about a team. */

import type { ReactNode } from 'react';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { SettingsPage, type SettingsTab } from './SettingsPage.tsx';

export interface TeamPageProps {
  team: number;
  tab: SettingsTab;
  actions?: ReactNode;
  children: ReactNode;
}

export function TeamPage({ team, ...page }: TeamPageProps) {
  const trpc = useTrpc();
  const { data: me } = useKnown(trpc.accounts.me.queryOptions());
  return <SettingsPage {...page} of={me?.teams.find(({ id }) => id === team)?.name} />;
}
