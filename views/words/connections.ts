/** Words of the accounts of other services that sign in to one's own. */
import type { Part } from './part.ts';

const en = {
  title: 'Other services',
  text: 'Accounts elsewhere that let you in here.',
  none: 'None is connected.',
  connect: (name: string) => `Connect ${name}`,
  leaving: (name: string) => `Going to ${name}…`,
  since: (when: string) => `Connected ${when}`,
  remove: 'Disconnect',
  removeNamed: (name: string) => `Disconnect ${name}`,
  removing: 'Disconnecting…',
  removeTitle: (name: string) => `Disconnect ${name}?`,
  removeText: 'That account will not let you in any more. Your password and links by e-mail still do.',
  removed: 'Disconnected',
};

const ptBR: typeof en = {
  title: 'Outros serviços',
  text: 'Contas em outros lugares com as quais você entra aqui.',
  none: 'Nenhuma está conectada.',
  connect: (name) => `Conectar ${name}`,
  leaving: (name) => `Abrindo ${name}…`,
  since: (when) => `Conectada ${when}`,
  remove: 'Desconectar',
  removeNamed: (name) => `Desconectar ${name}`,
  removing: 'Desconectando…',
  removeTitle: (name) => `Desconectar ${name}?`,
  removeText: 'Você não poderá mais entrar com essa conta. A senha e os links por e-mail continuam valendo.',
  removed: 'Desconectada',
};

export const connectionsWords: Part<typeof en> = { en, 'pt-BR': ptBR };
