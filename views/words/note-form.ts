/** The form of an annotation. Apart from what the chart says, which the first page has. */
import type { Part } from './part.ts';

const en = {
  addTitle: 'New annotation',
  editTitle: 'Edit annotation',
  day: 'Date',
  time: 'Time (optional)',
  timeHint: (zone: string): string => `${zone}. Without a time, the whole day.`,
  text: 'Description',
  textHint: 'e.g. a release, campaign or outage. One line.',
  url: 'Link (optional)',
  save: 'Save',
  saving: 'Saving…',
  cancel: 'Cancel',
  delete: 'Delete',
  deleteSure: 'Delete permanently',
  deleted: 'Annotation deleted',
  missing: 'Required',
  wrongDay: 'Select a date.',
  wrongUrl: 'Enter a full URL starting with https://.',
  tooMany: 'Limit of 10,000 annotations reached.',
  failed: 'Couldn’t save the annotation. Try again.',
};

const ptBR: typeof en = {
  addTitle: 'Nova anotação',
  editTitle: 'Editar anotação',
  day: 'Data',
  time: 'Horário (opcional)',
  timeHint: (zone) => `Em ${zone}. Sem horário, vale para o dia inteiro.`,
  text: 'Descrição',
  textHint: 'Um lançamento, uma campanha, uma instabilidade. Em uma linha.',
  url: 'Link (opcional)',
  save: 'Salvar',
  saving: 'Salvando…',
  cancel: 'Cancelar',
  delete: 'Excluir',
  deleteSure: 'Excluir definitivamente',
  deleted: 'Anotação excluída',
  missing: 'Campo obrigatório.',
  wrongDay: 'Escolha uma data.',
  wrongUrl: 'URL inválida. Inclua https://.',
  tooMany: 'Limite de 10.000 anotações por projeto.',
  failed: 'Não foi possível salvar. Tente de novo.',
};

export const noteFormWords: Part<typeof en> = { en, 'pt-BR': ptBR };
