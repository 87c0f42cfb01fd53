/** What the Overview says of goals. */
import type { Part } from './part.ts';

const en = {
  goal: 'Goal',
  none: 'No goal',
  choose: 'Choose a goal',
  manage: 'Goals of the project',
  first: 'Set up the first goal',
  conversions: 'Conversions',
  rate: 'Conversion rate',
  revenue: (currency: string): string => (currency === '' ? 'Revenue without currency' : `Revenue, ${currency}`),
  people: (n: number, text: string): string => (n === 1 ? 'by one person' : `by ${text} people`),
  visitors: (some: string, all: string): string => `${some} of ${all} visitors`,
  amounts: (n: number, text: string): string => (n === 1 ? 'in one conversion' : `in ${text} conversions`),
  label: (goal: string): string => `Goal: ${goal}`,
  tab: 'Goals',
  table: 'Goals',
  column: 'Goal',
  peopleColumn: 'People',
  rateColumn: 'Rate',
  empty: 'A goal is what you want visitors to do: an event, a page, or clicks. It counts the past as well.',
  before: (text: string): string => `from ${text}`,
};

const ptBR: typeof en = {
  goal: 'Meta',
  none: 'Sem meta',
  choose: 'Escolher uma meta',
  manage: 'Metas do projeto',
  first: 'Criar a primeira meta',
  conversions: 'Conversões',
  rate: 'Taxa de conversão',
  revenue: (currency) => (currency === '' ? 'Receita sem moeda' : `Receita, ${currency}`),
  people: (n, text) => (n === 1 ? 'por uma pessoa' : `por ${text} pessoas`),
  visitors: (some, all) => `${some} de ${all} visitantes`,
  amounts: (n, text) => (n === 1 ? 'em uma conversão' : `em ${text} conversões`),
  label: (goal) => `Meta: ${goal}`,
  tab: 'Metas',
  table: 'Metas',
  column: 'Meta',
  peopleColumn: 'Pessoas',
  rateColumn: 'Taxa',
  empty:
    'Meta é o que você quer que os visitantes façam: um evento, uma página ou cliques. Ela conta também o passado.',
  before: (text) => `antes ${text}`,
};

export const conversionWords: Part<typeof en> = { en, 'pt-BR': ptBR };
