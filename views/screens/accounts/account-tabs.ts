/** The tabs of the account. */
import type { LinkTab } from '#views/kit/Tabs.tsx';
import { accountPartWords } from '#views/words/account-parts.ts';
import type { Language } from '#views/words/en.ts';

export const accountSlugs = { profile: '', signIn: 'sign-in', sessions: 'sessions', reports: 'reports' } as const;

export function accountTabs(language: Language, current: keyof typeof accountSlugs): LinkTab[] {
  const { tabs } = accountPartWords[language];
  return (['profile', 'signIn', 'sessions', 'reports'] as const).map((key) => ({
    key,
    label: tabs[key],
    href: accountSlugs[key] === '' ? '/account' : `/account?show=${accountSlugs[key]}`,
    current: key === current,
  }));
}
