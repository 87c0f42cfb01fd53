/** Words of segments: filters with a name. */
import type { Part } from './part.ts';

const en = {
  label: 'Segment',
  choose: 'Segments',
  none: 'All visitors',
  own: 'Personal',
  shared: 'Team',
  empty: 'No segments yet. Add filters, then save them as a segment.',
  save: 'Save as segment',
  name: 'Name',
  forTeam: 'Share with team',
  saveIt: 'Save segment',
  saving: 'Saving…',
  cancel: 'Cancel',
  emptyFiltered: 'No segments yet. Save the current filters as a segment.',
  rename: 'Rename',
  remove: 'Delete',
  removeSure: (name: string) => `Delete “${name}”? Links that use it will show all visitors.`,
  gone: 'This link’s segment was deleted or isn’t shared with you. Showing all visitors.',
  showEverybody: 'Remove from link',
  taken: 'A segment with this name already exists.',
  saved: 'Segment saved',
  removed: 'Segment deleted',
};

const ptBR: typeof en = {
  label: 'Segmento',
  choose: 'Segmentos',
  none: 'Todas as pessoas',
  own: 'Meus',
  shared: 'Da equipe',
  empty: 'Nenhum segmento ainda. Adicione filtros e salve-os aqui.',
  save: 'Salvar filtros como segmento',
  name: 'Nome',
  forTeam: 'Compartilhar com a equipe',
  saveIt: 'Salvar segmento',
  saving: 'Salvando…',
  cancel: 'Cancelar',
  emptyFiltered: 'Nenhum segmento ainda. Salve os filtros atuais aqui.',
  rename: 'Renomear',
  remove: 'Excluir',
  removeSure: (name) => `Excluir “${name}”? Links com este segmento vão mostrar todas as pessoas.`,
  gone: 'O segmento deste link foi excluído ou não foi compartilhado com você. Mostrando todas as pessoas.',
  showEverybody: 'Remover do link',
  taken: 'Já existe um segmento com este nome.',
  saved: 'Segmento salvo',
  removed: 'Segmento excluído',
};

export const segmentWords: Part<typeof en> = { en, 'pt-BR': ptBR };
