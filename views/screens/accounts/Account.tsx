/** One's own account: who one is, how one signs in, where one is signed in. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Boundary } from '#views/boundary.tsx';
import { frameQueries } from '#views/frame/queries.ts';
import { SettingsPage } from '#views/frame/SettingsPage.tsx';
import { Late } from '#views/kit/Late.tsx';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';
import { accountWords } from '#views/words/account.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AccountCodes } from './AccountCodes.tsx';
import { AccountConnections } from './AccountConnections.tsx';
import { AccountPasskeys } from './AccountPasskeys.tsx';
import { AccountPassword } from './AccountPassword.tsx';
import { AccountProfile } from './AccountProfile.tsx';
import { AccountReports } from './AccountReports.tsx';
import { AccountSessions } from './AccountSessions.tsx';
import css from './AccountTabs.module.css';
import { accountSlugs, accountTabs } from './account-tabs.ts';

const tabs = ['profile', 'signIn', 'sessions', 'reports'] as const;
type Tab = (typeof tabs)[number];

export const queries: ScreenModule['queries'] = (trpc, props) => [
  ...frameQueries(trpc, props),
  { options: trpc.accounts.own.get.queryOptions(), critical: true },
  ...(props.search.get('show') === accountSlugs.signIn
    ? [{ options: trpc.accounts.connections.queryOptions(), critical: false }]
    : []),
  ...(props.search.get('show') === accountSlugs.reports
    ? [{ options: trpc.reports.own.queryOptions(), critical: true }]
    : []),
];

export const title: ScreenModule['title'] = ({ language }) => accountWords[language].title;

export function Screen({ search }: ScreenProps) {
  const text = usePart(accountWords);
  const { language } = useWords();
  const tab = tabs.find((each) => accountSlugs[each] === (search.get('show') ?? '')) ?? 'profile';
  return (
    <SettingsPage tab="account">
      <div className={css['tabs']}>
        <LinkTabs label={text.title} tabs={accountTabs(language, tab)} />
      </div>
      <div className="ph-no-capture">
        <Late>
          <Content tab={tab} />
        </Late>
      </div>
    </SettingsPage>
  );
}

function Content({ tab }: { tab: Tab }) {
  const trpc = useTrpc();
  const { data: account } = useSuspenseQuery(trpc.accounts.own.get.queryOptions());
  if (tab === 'profile') return <AccountProfile account={account} />;
  if (tab === 'sessions') return <AccountSessions account={account} />;
  if (tab === 'reports') return <AccountReports timeZone={account.timeZone} />;
  return (
    <>
      <AccountPassword account={account} />
      <AccountCodes account={account} />
      <AccountPasskeys account={account} />
      <Boundary of="connections" fallback={() => null}>
        <Late>
          <AccountConnections timeZone={account.timeZone} />
        </Late>
      </Boundary>
    </>
  );
}
