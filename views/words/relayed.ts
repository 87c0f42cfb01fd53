/** Words for the screens of numbers while events are passed on. */
import type { Part } from './part.ts';

const en = {
  title: (host: string) => `Events are relayed to ${host}`,
  text: 'Nothing is stored on this server. View your data there.',
  open: (host: string) => `Open ${host}`,
};

const ptBR: typeof en = {
  title: (host) => `Eventos encaminhados para ${host}`,
  text: 'Os eventos são encaminhados sem alteração e nada é armazenado aqui. Veja as métricas lá.',
  open: (host) => `Abrir ${host}`,
};

export const relayedWords: Part<typeof en> = { en, 'pt-BR': ptBR };
