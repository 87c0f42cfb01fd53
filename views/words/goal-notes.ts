/** What is said beside the numbers of a chosen goal. */
import type { Part } from './part.ts';

const en = {
  filtered:
    'Filters on events hold for the event of the goal, too. For those who saw a page and reached it on another, take “People who…”.',
};

const ptBR: typeof en = {
  filtered:
    'Filtros de eventos valem também para o evento da meta. Para quem viu uma página e a alcançou em outra, use “Pessoas que…”.',
};

export const goalNoteWords: Part<typeof en> = { en, 'pt-BR': ptBR };
