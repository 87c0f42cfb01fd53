/** Words of taking an id out of a person. */
import type { Part } from './part.ts';

const en = {
  take: 'Split',
  takeNamed: (id: string) => `Split ${id}`,
  title: (id: string) => `Split ${id} from this person?`,
  text: 'Creates a new person with this ID, its events, visits and properties. Both people are counted separately from now on. To undo this, merge them from your product.',
  busy: 'Splitting…',
  done: 'ID split into a new person',
  history: 'Split IDs',
  from: (id: string) => `${id} split off`,
  made: (id: string) => `${id} split from another person`,
  by: (name: string, when: string) => `by ${name}, ${when}`,
  moving: 'Moving events…',
  other: 'View other person',
  tooMany: 'This person has too many events to split an ID.',
  keepsChanging: 'Older events for this person are still arriving. Try again later.',
};

const ptBR: typeof en = {
  take: 'Separar',
  takeNamed: (id) => `Separar ${id}`,
  title: (id) => `Separar ${id} desta pessoa?`,
  text: 'O ID passa a ser outra pessoa, com seus eventos, visitas e propriedades. As métricas passam a contar duas pessoas. Para desfazer, só mesclando as duas pelo seu produto.',
  busy: 'Separando…',
  done: 'ID separado em outra pessoa',
  history: 'Separações',
  from: (id) => `${id} foi separado`,
  made: (id) => `${id} foi separado de outra pessoa`,
  by: (name, when) => `por ${name}, ${when}`,
  moving: 'Os eventos ainda estão em migração.',
  other: 'Ver a outra pessoa',
  tooMany: 'Esta pessoa tem eventos demais para separar um ID.',
  keepsChanging: 'Ainda há eventos antigos chegando. Tente de novo mais tarde.',
};

export const splitWords: Part<typeof en> = { en, 'pt-BR': ptBR };
