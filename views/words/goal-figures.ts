/** Words of goal figures and their table on the Overview, outside of the first load. */
import type { Part } from './part.ts';

const en = {
  people: (n: number, text: string): string => (n === 1 ? '1 person' : `${text} people`),
  /** Denominators of the rate. */
  parts: {
    visitor: (some: string, all: string): string => `${some} of ${all} visitors`,
    person: (some: string, all: string): string => `${some} of ${all} people`,
    visit: (some: string, all: string): string => `${some} of ${all} visits`,
  },
  amounts: (n: number, text: string): string => (n === 1 ? 'from 1 conversion' : `from ${text} conversions`),
  label: (goal: string): string => `Goal: ${goal}`,
  tab: 'Goals',
  table: 'Goals',
  column: 'Goal',
  rateColumn: { visitor: 'Conversion rate', visit: 'Rate (visits)' },
  empty: 'Track what you want visitors to do: an event, a page view or a click. Goals also count past events.',
  before: (text: string): string => `previously ${text}`,
};

const ptBR: typeof en = {
  people: (n, text) => (n === 1 ? 'por 1 pessoa' : `por ${text} pessoas`),
  parts: {
    visitor: (some, all) => `${some} de ${all} visitantes`,
    person: (some, all) => `${some} de ${all} pessoas`,
    visit: (some, all) => `em ${some} de ${all} visitas`,
  },
  amounts: (n, text) => (n === 1 ? 'em 1 conversão' : `em ${text} conversões`),
  label: (goal) => `Meta: ${goal}`,
  tab: 'Metas',
  table: 'Metas',
  column: 'Meta',
  rateColumn: { visitor: 'Taxa', visit: 'Taxa por visita' },
  empty:
    'Meta é o que você quer que o visitante faça: um evento, uma página ou um clique. Eventos passados também contam.',
  before: (text) => `anterior: ${text}`,
};

export const goalFigureWords: Part<typeof en> = { en, 'pt-BR': ptBR };
