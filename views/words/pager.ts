/** Links to the pages of a list. */
import type { Part } from './part.ts';

const en = {
  previous: 'Previous',
  next: 'Next',
  shown: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
};
const ptBR: typeof en = {
  previous: 'Anterior',
  next: 'Próxima',
  shown: (from, to, total) => `${from}–${to} de ${total}`,
};

export const pagerWords: Part<typeof en> = { en, 'pt-BR': ptBR };
