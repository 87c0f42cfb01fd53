/** Words of taking an id out of a person. */
import type { Part } from './part.ts';

const en = {
  take: 'Take out',
  takeNamed: (id: string) => `Take out ${id}`,
  title: (id: string) => `Take ${id} out of this person?`,
  text: 'The id becomes a person of its own, with its events and visits, and with what they said. Every number counts two people from then on. There is no way back but to merge the two again from your product.',
  busy: 'Taking out…',
  done: 'The id is a person of its own now',
  history: 'Taken out',
  from: (id: string) => `${id} was taken out`,
  made: (id: string) => `${id} was taken out of another person`,
  by: (name: string, when: string) => `by ${name}, ${when}`,
  moving: 'Its events are still being moved.',
  other: 'To the other person',
  tooMany: 'This person has too many events for an id to be taken out.',
  keepsChanging: 'Events of this person keep coming in for times long past. Try again later.',
};

const ptBR: typeof en = {
  take: 'Separar',
  takeNamed: (id) => `Separar ${id}`,
  title: (id) => `Separar ${id} desta pessoa?`,
  text: 'O id vira outra pessoa, com os eventos e visitas dele e com o que eles disseram. A partir daí, cada número conta duas pessoas. Para voltar atrás, só unindo as duas de novo pelo seu produto.',
  busy: 'Separando…',
  done: 'O id agora é outra pessoa',
  history: 'Separações',
  from: (id) => `${id} foi separado`,
  made: (id) => `${id} foi separado de outra pessoa`,
  by: (name, when) => `por ${name}, ${when}`,
  moving: 'Os eventos dele ainda estão sendo movidos.',
  other: 'Ver a outra pessoa',
  tooMany: 'Esta pessoa tem eventos demais para separar um id.',
  keepsChanging: 'Ainda chegam eventos antigos desta pessoa. Tente de novo mais tarde.',
};

export const splitWords: Part<typeof en> = { en, 'pt-BR': ptBR };
