/** Words of the frame around screens that are about no project. */
import type { Part } from './part.ts';

const en = {
  privacy: 'Privacy',
  home: 'All projects',
  account: 'Account',
  status: 'Status',
  signOut: 'Sign out',
  main: 'Account and teams',
};

const ptBR: typeof en = {
  privacy: 'Privacidade',
  home: 'Todos os projetos',
  account: 'Sua conta',
  status: 'Status',
  signOut: 'Sair',
  main: 'Conta e equipes',
};

export const plainWords: Part<typeof en> = { en, 'pt-BR': ptBR };
