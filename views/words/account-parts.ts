/** Words of what the account shares with other screens: its tabs, the question before something is undone, failures of forms. */
import type { Part } from './part.ts';

const en = {
  title: 'Account',
  tabs: { profile: 'Profile', signIn: 'Sign-in & security', sessions: 'Sessions', reports: 'Reports' },
  cancel: 'Cancel',
  wait: (seconds: string) => `Too many attempts. Try again in ${seconds} s.`,
};

const ptBR: typeof en = {
  title: 'Sua conta',
  tabs: { profile: 'Perfil', signIn: 'Login', sessions: 'Sessões', reports: 'Relatórios' },
  cancel: 'Cancelar',
  wait: (seconds) => `Muitas tentativas. Tente de novo em ${seconds} s.`,
};

export const accountPartWords: Part<typeof en> = { en, 'pt-BR': ptBR };
