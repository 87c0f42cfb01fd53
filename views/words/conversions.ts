/** What the Overview says of goals. */
import type { Part } from './part.ts';

const en = {
  goal: 'Goal',
  none: 'No goal',
  choose: 'Choose a goal',
  gone: 'The goal in this link no longer exists.',
  removeGoal: 'Remove it from the link',
  manage: 'Goals of the project',
  first: 'Set up the first goal',
  conversions: 'Conversions',
  rate: { visitor: 'Conversion rate', visit: 'Conversion rate, by visit' },
  revenue: (currency: string): string => (currency === '' ? 'Revenue without currency' : `Revenue, ${currency}`),
  people: (n: number, text: string): string => (n === 1 ? 'by one person' : `by ${text} people`),
  /** Of what the rate is a share. */
  parts: {
    visitor: (some: string, all: string): string => `${some} of ${all} visitors`,
    visit: (some: string, all: string): string => `in ${some} of ${all} visits`,
  },
  amounts: (n: number, text: string): string => (n === 1 ? 'in one conversion' : `in ${text} conversions`),
  label: (goal: string): string => `Goal: ${goal}`,
  tab: 'Goals',
  table: 'Goals',
  column: 'Goal',
  peopleColumn: 'People',
  rateColumn: { visitor: 'Rate', visit: 'Of visits' },
  perLabel: 'Conversion rate',
  per: { visitor: 'By visitor', visit: 'By visit' },
  empty: 'A goal is what you want visitors to do: an event, a page, or clicks. It counts the past as well.',
  before: (text: string): string => `from ${text}`,
};

const ptBR: typeof en = {
  goal: 'Meta',
  none: 'Sem meta',
  choose: 'Escolher uma meta',
  gone: 'A meta deste link não existe mais.',
  removeGoal: 'Remover do link',
  manage: 'Metas do projeto',
  first: 'Criar a primeira meta',
  conversions: 'Conversões',
  rate: { visitor: 'Taxa de conversão', visit: 'Taxa de conversão por visita' },
  revenue: (currency) => (currency === '' ? 'Receita sem moeda' : `Receita, ${currency}`),
  people: (n, text) => (n === 1 ? 'por uma pessoa' : `por ${text} pessoas`),
  parts: {
    visitor: (some, all) => `${some} de ${all} visitantes`,
    visit: (some, all) => `em ${some} de ${all} visitas`,
  },
  amounts: (n, text) => (n === 1 ? 'em uma conversão' : `em ${text} conversões`),
  label: (goal) => `Meta: ${goal}`,
  tab: 'Metas',
  table: 'Metas',
  column: 'Meta',
  peopleColumn: 'Pessoas',
  rateColumn: { visitor: 'Taxa', visit: 'Das visitas' },
  perLabel: 'Taxa de conversão',
  per: { visitor: 'Por visitante', visit: 'Por visita' },
  empty:
    'Meta é o que você quer que os visitantes façam: um evento, uma página ou cliques. Ela conta também o passado.',
  before: (text) => `antes ${text}`,
};

export const conversionWords: Part<typeof en> = { en, 'pt-BR': ptBR };
