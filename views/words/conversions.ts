/** What the Overview says of goals. */
import { UNKNOWN_CURRENCY } from '#src/kit/numbers/values.ts';
import type { Part } from './part.ts';

const en = {
  goal: 'Goal',
  none: 'No goal',
  choose: 'Select goal',
  gone: 'The goal in this link no longer exists.',
  removeGoal: 'Remove from link',
  manage: 'Manage goals',
  first: 'Create your first goal',
  conversions: 'Conversions',
  rate: { visitor: 'Conversion rate', visit: 'Conversion rate (visits)' },
  revenue: (currency: string): string =>
    currency === ''
      ? 'Revenue (no currency)'
      : `Revenue (${currency === UNKNOWN_CURRENCY ? 'unknown currency' : currency})`,
  /** Of the conversions in the period. */
  withoutAmount: (some: string, all: string): string => `${some} of ${all} conversions had no readable amount.`,
  /** Values as they were sent, between quotation marks. */
  samples: (values: string): string => `Sent instead: ${values}`,
  notSet: 'not set',
  showEvents: 'Show events',
  people: (n: number, text: string): string => (n === 1 ? '1 person' : `${text} people`),
  /** Of what the rate is a share. */
  parts: {
    visitor: (some: string, all: string): string => `${some} of ${all} visitors`,
    visit: (some: string, all: string): string => `${some} of ${all} visits`,
  },
  amounts: (n: number, text: string): string => (n === 1 ? 'from 1 conversion' : `from ${text} conversions`),
  label: (goal: string): string => `Goal: ${goal}`,
  tab: 'Goals',
  table: 'Goals',
  column: 'Goal',
  peopleColumn: 'People',
  rateColumn: { visitor: 'Conversion rate', visit: 'Conversion rate (visits)' },
  perLabel: 'Conversion rate',
  per: { visitor: 'Per visitor', visit: 'Per visit' },
  empty: 'Track what you want visitors to do: an event, a page view or a click. Goals also count past events.',
  before: (text: string): string => `previously ${text}`,
};

const ptBR: typeof en = {
  goal: 'Meta',
  none: 'Sem meta',
  choose: 'Escolher meta',
  gone: 'A meta deste link não existe mais.',
  removeGoal: 'Remover do link',
  manage: 'Gerenciar metas',
  first: 'Criar primeira meta',
  conversions: 'Conversões',
  rate: { visitor: 'Taxa de conversão', visit: 'Taxa de conversão por visita' },
  revenue: (currency) =>
    currency === ''
      ? 'Receita (sem moeda)'
      : `Receita (${currency === UNKNOWN_CURRENCY ? 'moeda desconhecida' : currency})`,
  withoutAmount: (some, all) => `${some} de ${all} conversões sem valor legível.`,
  samples: (values) => `Enviado no lugar: ${values}`,
  notSet: 'não definido',
  showEvents: 'Ver eventos',
  people: (n, text) => (n === 1 ? 'por 1 pessoa' : `por ${text} pessoas`),
  parts: {
    visitor: (some, all) => `${some} de ${all} visitantes`,
    visit: (some, all) => `em ${some} de ${all} visitas`,
  },
  amounts: (n, text) => (n === 1 ? 'em 1 conversão' : `em ${text} conversões`),
  label: (goal) => `Meta: ${goal}`,
  tab: 'Metas',
  table: 'Metas',
  column: 'Meta',
  peopleColumn: 'Pessoas',
  rateColumn: { visitor: 'Taxa', visit: 'Taxa por visita' },
  perLabel: 'Taxa de conversão',
  per: { visitor: 'Por visitante', visit: 'Por visita' },
  empty:
    'Meta é o que você quer que o visitante faça: um evento, uma página ou um clique. Eventos passados também contam.',
  before: (text) => `anterior: ${text}`,
};

export const conversionWords: Part<typeof en> = { en, 'pt-BR': ptBR };
