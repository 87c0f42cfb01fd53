/** Words of any other period: typed, or chosen in a calendar. */
import type { Part } from './part.ts';

interface DateWords {
  /** Whether the day or the month comes first in "10/11". */
  order: 'dayFirst' | 'monthFirst';
  apply: string;
  typed: string;
  typedHint: string;
  typedError: string;
  earlierMonth: string;
  laterMonth: string;
  chooseEnd: string;
  /** How a date is typed. */
  placeholder: string;
  calendar: string;
  unread: string;
  from: string;
  to: string;
}

const en: DateWords = {
  order: 'monthFirst',
  apply: 'Apply',
  typed: 'Custom period',
  typedHint: 'e.g. last week, last 3 months, 11/10, 10/1 to 10/31',
  typedError: 'Unknown period. Try “last 10 days” or “10/1 to 10/31”.',
  earlierMonth: 'Previous month',
  laterMonth: 'Next month',
  chooseEnd: 'Select the other date.',
  placeholder: 'MM/DD/YYYY',
  calendar: 'Calendar',
  unread: 'Enter a date, such as 11/30/2026.',
  from: 'From',
  to: 'To',
};

const ptBR: DateWords = {
  order: 'dayFirst',
  apply: 'Aplicar',
  typed: 'Digite um período',
  typedHint: 'semana passada, últimos 3 meses, 10/11, 1/10 a 31/10',
  typedError: 'Período inválido. Digite “últimos 10 dias” ou “1/10 a 31/10”.',
  earlierMonth: 'Mês anterior',
  laterMonth: 'Próximo mês',
  chooseEnd: 'Escolha a outra data.',
  placeholder: 'DD/MM/AAAA',
  calendar: 'Calendário',
  unread: 'Digite uma data, como 30/11/2026.',
  from: 'De',
  to: 'Até',
};

export const dateWords: Part<DateWords> = { en, 'pt-BR': ptBR };
