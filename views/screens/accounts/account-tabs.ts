/** The tabs of one's own account, which are addresses of two screens. */
import type { LinkTab } from '#views/kit/Tabs.tsx';
import { accountPartWords } from '#views/words/account-parts.ts';
import type { Language } from '#views/words/en.ts';

export const accountSlugs = { profile: '', signIn: 'sign-in', sessions: 'sessions' } as const;

export function accountTabs(language: Language, current: keyof typeof accountSlugs | 'keys'): LinkTab[] {
  const { tabs } = accountPartWords[language];
  const own = (['profile', 'signIn', 'sessions'] as const).map((key) => ({
    key: key as string,
    label: tabs[key],
    href: accountSlugs[key] === '' ? '/account' : `/account?show=${accountSlugs[key]}`,
    current: key === current,
  }));
  return [...own, { key: 'keys', label: tabs.keys, href: '/account/keys', current: current === 'keys' }];
}
