/** Words of the tabs between the lists about people. */
import type { Part } from './part.ts';

const en = { label: 'Lists of people', people: 'People', cohorts: 'Cohorts' };
const ptBR: typeof en = { label: 'Listas de pessoas', people: 'Pessoas', cohorts: 'Coortes' };

export const cohortTabWords: Part<typeof en> = { en, 'pt-BR': ptBR };
