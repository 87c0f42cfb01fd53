/** Words of the list that opens at the project's name. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  search: 'Search projects',
  found: (n: number, text: string) => counted(n, text, 'project', 'projects'),
  none: 'No matching projects',
  all: 'All projects',
  make: 'New project',
  makeIn: (team: string) => `New project in ${team}`,
};

const ptBR: typeof en = {
  search: 'Buscar projeto',
  found: (n, text) => counted(n, text, 'projeto', 'projetos'),
  none: 'Nenhum projeto encontrado.',
  all: 'Todos os projetos',
  make: 'Novo projeto',
  makeIn: (team) => `Novo projeto em ${team}`,
};

export const switcherWords: Part<typeof en> = { en, 'pt-BR': ptBR };
