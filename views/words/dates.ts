/** Words of a period of one's own: typed, or as two dates. */
import type { Part } from './part.ts';

const en = {
  from: 'From',
  to: 'To',
  apply: 'Apply',
  typed: 'Type a period',
  typedHint: 'last 10 days, 10/11, 1/10 to 31/10',
  typedError: 'This is not a period. Type “last 10 days” or “1/10 to 31/10”.',
  backwards: 'The first day comes after the last. Exchange them.',
  incomplete: 'Both days are needed. Fill in the missing one.',
};

const ptBR: typeof en = {
  from: 'De',
  to: 'Até',
  apply: 'Aplicar',
  typed: 'Escreva um período',
  typedHint: 'últimos 10 dias, 10/11, 1/10 a 31/10',
  typedError: 'Isto não é um período. Escreva “últimos 10 dias” ou “1/10 a 31/10”.',
  backwards: 'O primeiro dia vem depois do último. Troque um pelo outro.',
  incomplete: 'São necessários os dois dias. Preencha o que falta.',
};

export const dateWords: Part<typeof en> = { en, 'pt-BR': ptBR };
