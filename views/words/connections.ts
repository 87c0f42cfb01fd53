/** Words of the accounts of other services that sign in to an account. */
import type { Part } from './part.ts';

const en = {
  title: 'Connected accounts',
  text: 'Sign in with an account from another service.',
  none: 'No connected accounts',
  connect: (name: string) => `Connect ${name}`,
  leaving: (name: string) => `Redirecting to ${name}…`,
  since: (when: string) => `connected ${when}`,
  remove: 'Disconnect',
  removeNamed: (name: string) => `Disconnect ${name}`,
  removing: 'Disconnecting…',
  removeTitle: (name: string) => `Disconnect ${name}?`,
  removeText: 'You can no longer sign in with it. Your password and email links still work.',
  removed: 'Disconnected',
};

const ptBR: typeof en = {
  title: 'Contas conectadas',
  text: 'Contas de outros serviços que você usa para entrar.',
  none: 'Nenhuma conta conectada.',
  connect: (name) => `Conectar ${name}`,
  leaving: (name) => `Abrindo ${name}…`,
  since: (when) => `Conectada ${when}`,
  remove: 'Desconectar',
  removeNamed: (name) => `Desconectar ${name}`,
  removing: 'Desconectando…',
  removeTitle: (name) => `Desconectar ${name}?`,
  removeText: 'Você não poderá mais entrar com essa conta. A senha e o link por e-mail continuam funcionando.',
  removed: 'Conta desconectada',
};

export const connectionsWords: Part<typeof en> = { en, 'pt-BR': ptBR };
