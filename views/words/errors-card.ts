/** The card of errors on Overview. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'Errors',
  none: 'No errors in this range.',
  fresh: (n: number, text: string) => counted(n, text, 'new issue', 'new issues'),
  release: (version: string, when: string) => `Release ${version}, first seen on ${when}`,
  freshIn: (n: number, text: string) => `${counted(n, text, 'new issue', 'new issues')} in it`,
  all: 'All errors',
  people: 'People',
  events: 'Occurrences',
  issue: 'Issue',
};

const ptBR: typeof en = {
  title: 'Erros',
  none: 'Nenhum erro neste período.',
  fresh: (n, text) => counted(n, text, 'problema novo', 'problemas novos'),
  release: (version, when) => `Versão ${version}, vista pela primeira vez em ${when}`,
  freshIn: (n, text) => `${counted(n, text, 'problema novo', 'problemas novos')} nela`,
  all: 'Todos os erros',
  people: 'Pessoas',
  events: 'Ocorrências',
  issue: 'Problema',
};

export const errorsCardWords: Part<typeof en> = { en, 'pt-BR': ptBR };
