/** Words of a period of one's own: typed, or as two dates. */
import type { Part } from './part.ts';

const en = {
  from: 'From',
  to: 'To',
  apply: 'Apply',
  typed: 'Custom period',
  typedHint: 'e.g. last 10 days, 10/11, 1/10 to 31/10',
  typedError: 'Unknown period. Try “last 10 days” or “1/10 to 31/10”.',
  backwards: 'Start date is after the end date. Swap them.',
  incomplete: 'Enter a start and an end date.',
};

const ptBR: typeof en = {
  from: 'De',
  to: 'Até',
  apply: 'Aplicar',
  typed: 'Digite um período',
  typedHint: 'últimos 10 dias, 10/11, 1/10 a 31/10',
  typedError: 'Período inválido. Digite “últimos 10 dias” ou “1/10 a 31/10”.',
  backwards: 'A data inicial é posterior à final. Inverta as datas.',
  incomplete: 'Preencha as duas datas.',
};

export const dateWords: Part<typeof en> = { en, 'pt-BR': ptBR };
