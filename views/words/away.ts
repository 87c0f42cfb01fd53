/** Words of the one page that is answered while the screens are being started again. */
import type { Part } from './part.ts';

const en = {
  title: 'The screens are starting again',
  text: 'This takes a moment. Events that arrive meanwhile are stored.',
  again: 'Try again',
};

const ptBR: typeof en = {
  title: 'As telas estão reiniciando',
  text: 'Isso leva um instante. Os eventos que chegam enquanto isso são guardados.',
  again: 'Tentar de novo',
};

export const awayWords: Part<typeof en> = { en, 'pt-BR': ptBR };
