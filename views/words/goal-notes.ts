/** Notes beside a goal's numbers. */
import type { Part } from './part.ts';

const en = {
  filtered:
    'Event filters also apply to the goal event. To include people who viewed one page and converted on another, use “People who…”.',
};

const ptBR: typeof en = {
  filtered:
    'Filtros de evento também se aplicam ao evento da meta. Para quem viu uma página e converteu em outra, use “Pessoas que…”.',
};

export const goalNoteWords: Part<typeof en> = { en, 'pt-BR': ptBR };
