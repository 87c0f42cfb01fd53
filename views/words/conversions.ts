/** Words of goals on the Overview. */
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
  /** Conversions of the period. */
  withoutAmount: (some: string, all: string): string => `${some} of ${all} conversions had no readable amount.`,
  quoted: (value: string): string => `“${value}”`,
  samples: (values: string): string => `Sent instead: ${values}`,
  notSet: 'not set',
  showEvents: 'Show events',
  perLabel: 'Conversion rate',
  per: { visitor: 'Per visitor', visit: 'Per visit' },
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
  quoted: (value) => `“${value}”`,
  samples: (values) => `Enviado no lugar: ${values}`,
  notSet: 'não definido',
  showEvents: 'Ver eventos',
  perLabel: 'Taxa de conversão',
  per: { visitor: 'Por visitante', visit: 'Por visita' },
};

export const conversionWords: Part<typeof en> = { en, 'pt-BR': ptBR };
