/** Words of the rules of errors. */
import type { GroupingResult, RuleField, RuleOperator } from '#src/errors/rules/values.ts';
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'Error rules',
  grouping: 'Grouping',
  groupingText:
    'The first rule that matches decides the issue of an error, before its stack does. Errors that are grouped already stay.',
  suppression: 'Suppression',
  suppressionText: 'Errors that match are not sent by posthog-js, and not grouped when other clients send them.',
  none: 'No rules yet',
  add: 'Add rule',
  edit: 'Edit',
  editNamed: (name: string) => `Edit ${name}`,
  remove: 'Delete',
  removeNamed: (name: string) => `Delete ${name}`,
  save: 'Save rule',
  saving: 'Saving…',
  cancel: 'Cancel',
  saved: 'Rules saved',
  failed: 'Not saved. Try again.',
  name: 'Name',
  match: 'Match',
  matches: { all: 'All conditions', any: 'Any condition' },
  and: 'and',
  or: 'or',
  conditions: 'Conditions',
  field: 'Field',
  operator: 'Operator',
  value: 'Value',
  addCondition: 'Add condition',
  removeCondition: 'Remove condition',
  fields: {
    type: 'Type',
    message: 'Message',
    file: 'File',
    function: 'Function',
    release: 'Release',
  } satisfies Record<RuleField, string> as Record<RuleField, string>,
  operators: {
    equals: 'equals',
    notEquals: 'does not equal',
    contains: 'contains',
    notContains: 'does not contain',
  } satisfies Record<RuleOperator, string> as Record<RuleOperator, string>,
  by: 'Group into',
  results: {
    one: 'One issue',
    type: 'One issue per type',
    message: 'One issue per type and message',
  } satisfies Record<GroupingResult, string> as Record<GroupingResult, string>,
  preview: 'Preview',
  previewWait: 'Complete the conditions to see what matches.',
  previewNone: (looked: number, text: string) =>
    `None of the ${counted(looked, text, 'issue', 'newest issues')} matches.`,
  previewMatches: (n: number, text: string, events: string) =>
    `Matches ${counted(n, text, 'issue', 'issues')} with ${events} occurrences in 14 days.`,
  previewBecomes: (n: number, text: string) => `Would be ${counted(n, text, 'issue', 'issues')}.`,
  missing: 'Required.',
};

const ptBR: typeof en = {
  title: 'Regras de erros',
  grouping: 'Agrupamento',
  groupingText:
    'A primeira regra que corresponde decide o problema de um erro, antes do stack trace. Erros já agrupados ficam como estão.',
  suppression: 'Supressão',
  suppressionText:
    'Erros que correspondem não são enviados pelo posthog-js, nem agrupados quando vêm de outros clientes.',
  none: 'Nenhuma regra ainda',
  add: 'Adicionar regra',
  edit: 'Editar',
  editNamed: (name) => `Editar ${name}`,
  remove: 'Excluir',
  removeNamed: (name) => `Excluir ${name}`,
  save: 'Salvar regra',
  saving: 'Salvando…',
  cancel: 'Cancelar',
  saved: 'Regras salvas',
  failed: 'Não foi salvo. Tente de novo.',
  name: 'Nome',
  match: 'Correspondência',
  matches: { all: 'Todas as condições', any: 'Qualquer condição' },
  and: 'e',
  or: 'ou',
  conditions: 'Condições',
  field: 'Campo',
  operator: 'Operador',
  value: 'Valor',
  addCondition: 'Adicionar condição',
  removeCondition: 'Remover condição',
  fields: { type: 'Tipo', message: 'Mensagem', file: 'Arquivo', function: 'Função', release: 'Versão' },
  operators: {
    equals: 'é igual a',
    notEquals: 'é diferente de',
    contains: 'contém',
    notContains: 'não contém',
  },
  by: 'Agrupar em',
  results: { one: 'Um problema', type: 'Um problema por tipo', message: 'Um problema por tipo e mensagem' },
  preview: 'Prévia',
  previewWait: 'Complete as condições para ver o que corresponde.',
  previewNone: (looked, text) =>
    looked === 1 ? 'O único problema não corresponde.' : `Nenhum dos ${text} problemas mais recentes corresponde.`,
  previewMatches: (n, text, events) =>
    `Corresponde a ${counted(n, text, 'problema', 'problemas')}, com ${events} ocorrências em 14 dias.`,
  previewBecomes: (n, text) => `Seria ${counted(n, text, 'problema', 'problemas')}.`,
  missing: 'Obrigatório.',
};

export const errorRuleWords: Part<typeof en> = { en, 'pt-BR': ptBR };
