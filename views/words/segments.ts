/** Words of segments: filters with a name. */
import type { Part } from './part.ts';

const en = {
  label: 'Segment',
  choose: 'Segments',
  none: 'Everybody',
  own: 'Only yours',
  shared: 'Of the team',
  empty: 'No segments yet. Set filters, then save them here under a name.',
  save: 'Save filters as segment',
  name: 'Name',
  forTeam: 'For the whole team',
  saveIt: 'Save segment',
  saving: 'Saving…',
  cancel: 'Cancel',
  emptyFiltered: 'No segments yet. Save the filters here under a name.',
  rename: 'Rename',
  remove: 'Delete',
  removeSure: (name: string) => `Delete “${name}”? Links with it will show everybody.`,
  gone: 'The segment of this link does not exist any more, or is not shared with you.',
  showEverybody: 'Take it out of the link',
  taken: 'There is a segment of this name already.',
  saved: 'Segment saved',
  removed: 'Segment deleted',
};

const ptBR: typeof en = {
  label: 'Segmento',
  choose: 'Segmentos',
  none: 'Todo mundo',
  own: 'Só seus',
  shared: 'Da equipe',
  empty: 'Ainda não há segmentos. Defina filtros e salve-os aqui com um nome.',
  save: 'Salvar filtros como segmento',
  name: 'Nome',
  forTeam: 'Para toda a equipe',
  saveIt: 'Salvar segmento',
  saving: 'Salvando…',
  cancel: 'Cancelar',
  emptyFiltered: 'Ainda não há segmentos. Salve os filtros aqui com um nome.',
  rename: 'Renomear',
  remove: 'Excluir',
  removeSure: (name) => `Excluir “${name}”? Links com ele vão mostrar todo mundo.`,
  gone: 'O segmento deste link não existe mais ou não foi compartilhado com você.',
  showEverybody: 'Tirar do link',
  taken: 'Já existe um segmento com este nome.',
  saved: 'Segmento salvo',
  removed: 'Segmento excluído',
};

export const segmentWords: Part<typeof en> = { en, 'pt-BR': ptBR };
