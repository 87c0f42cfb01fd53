/** Words of the one page that is answered while the screens are being started again. */
import type { Part } from './part.ts';

const en = {
  title: 'Restarting',
  text: 'The app will be back in a moment. Incoming events are still stored.',
  again: 'Try again',
};

const ptBR: typeof en = {
  title: 'A página está reiniciando',
  text: 'Leva só um instante. Os eventos recebidos enquanto isso são armazenados.',
  again: 'Tentar de novo',
};

export const unavailableWords: Part<typeof en> = { en, 'pt-BR': ptBR };
