/** The tabs of one's own account, which are addresses of two screens. */
import type { LinkTab } from '#views/kit/Tabs.tsx';
import { accountWords } from '#views/words/account.ts';
import type { Language } from '#views/words/en.ts';
import { keysWords } from '#views/words/keys.ts';

export const accountSlugs = { profile: '', signIn: 'sign-in', sessions: 'sessions' } as const;

export function accountTabs(language: Language, current: keyof typeof accountSlugs | 'keys'): LinkTab[] {
  const { tabs } = accountWords[language];
  const own = (['profile', 'signIn', 'sessions'] as const).map((key) => ({
    key: key as string,
    label: tabs[key],
    href: accountSlugs[key] === '' ? '/account' : `/account?show=${accountSlugs[key]}`,
    current: key === current,
  }));
  return [...own, { key: 'keys', label: keysWords[language].tab, href: '/account/keys', current: current === 'keys' }];
}
