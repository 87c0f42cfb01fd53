/** Notes on the chart of the Overview. */
import type { Part } from './part.ts';

const en = {
  title: 'Annotations',
  one: 'Annotation',
  add: 'Add annotation',
  edit: 'Edit',
  editNamed: (text: string): string => `Edit annotation “${text}”`,
  more: 'Learn more',
  all: (text: string): string => `All ${text} annotations`,
  release: (version: string): string => `Release ${version}`,
  around: 'Before and after',
  aroundNamed: (text: string): string => `Before and after “${text}”`,
  aroundTitle: 'Before and after an annotation',
};

const ptBR: typeof en = {
  title: 'Anotações',
  one: 'Anotação',
  add: 'Adicionar anotação',
  edit: 'Editar',
  editNamed: (text) => `Editar a anotação “${text}”`,
  more: 'Saiba mais',
  all: (text) => `Ver todas as ${text} anotações`,
  release: (version) => `Versão ${version}`,
  around: 'Antes e depois',
  aroundNamed: (text) => `Antes e depois de “${text}”`,
  aroundTitle: 'Antes e depois de uma anotação',
};

export const noteWords: Part<typeof en> = { en, 'pt-BR': ptBR };
