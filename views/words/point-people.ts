/** Words of the people behind a number of an insight. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  dropped: (n: string, name: string): string => `Dropped off after step ${n}: ${name}`,
  reached: (n: string, name: string): string => `Completed step ${n}: ${name}`,
  /** Beside the number, which is larger. */
  people: (n: number): string => (n === 1 ? 'person' : 'people'),
  search: 'Search people',
  searchHint: 'Name, email or ID',
  sort: 'Sort by',
  sorts: { seen: 'Last seen', events: 'Events', visits: 'Visits', revenue: 'Revenue' },
  list: 'People',
  person: 'Person',
  events: 'Events',
  visits: (n: number, text: string): string => counted(n, text, 'visit', 'visits'),
  revenue: 'Revenue',
  lastSeen: 'Last seen',
  none: 'No people found',
  shown: (shown: string, all: string): string => `${shown} of ${all}`,
  more: 'Load more',
  asCohort: 'Save as cohort',
  cohortHint: 'A static cohort of the people listed now, without the search.',
  name: 'Name',
  missing: 'Enter a name.',
  nameTaken: 'A cohort has, or had, this name. Choose another one.',
  save: 'Save cohort',
  saving: 'Saving…',
  cancel: 'Cancel',
  saved: 'Cohort saved:',
};

const ptBR: typeof en = {
  dropped: (n, name) => `Abandonaram depois da etapa ${n}: ${name}`,
  reached: (n, name) => `Concluíram a etapa ${n}: ${name}`,
  people: (n) => (n === 1 ? 'pessoa' : 'pessoas'),
  search: 'Buscar pessoas',
  searchHint: 'Nome, e-mail ou ID',
  sort: 'Ordenar por',
  sorts: { seen: 'Última atividade', events: 'Eventos', visits: 'Visitas', revenue: 'Receita' },
  list: 'Pessoas',
  person: 'Pessoa',
  events: 'Eventos',
  visits: (n, text) => counted(n, text, 'visita', 'visitas'),
  revenue: 'Receita',
  lastSeen: 'Última atividade',
  none: 'Nenhuma pessoa encontrada',
  shown: (shown, all) => `${shown} de ${all}`,
  more: 'Carregar mais',
  asCohort: 'Salvar como coorte',
  cohortHint: 'Uma coorte estática com as pessoas listadas agora, sem a busca.',
  name: 'Nome',
  missing: 'Digite um nome.',
  nameTaken: 'Uma coorte tem ou teve este nome. Escolha outro.',
  save: 'Salvar coorte',
  saving: 'Salvando…',
  cancel: 'Cancelar',
  saved: 'Coorte salva:',
};

export const pointPeopleWords: Part<typeof en> = { en, 'pt-BR': ptBR };
