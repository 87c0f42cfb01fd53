/** Words for the screens of numbers while events are passed on. */
import type { Part } from './part.ts';

const en = {
  title: (host: string) => `Events go to ${host}`,
  text: 'They are passed on as they come, and nothing is stored here. The numbers are there.',
  open: (host: string) => `Open ${host}`,
};

const ptBR: typeof en = {
  title: (host) => `Os eventos vão para ${host}`,
  text: 'Eles são repassados como chegam, e nada é guardado aqui. Os números estão lá.',
  open: (host) => `Abrir ${host}`,
};

export const relayedWords: Part<typeof en> = { en, 'pt-BR': ptBR };
