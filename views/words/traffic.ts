/** What is said beside numbers: of bots, of the team's own traffic, and of filters that take their time. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const views = (n: number, text: string): string => counted(n, text, 'page view', 'page views');

const en = {
  bots: {
    left: (n: number, text: string) => (n === 0 ? 'Bots are left out.' : `${views(n, text)} by bots left out.`),
    included: (n: number, text: string) => (n === 0 ? 'Bots count too.' : `${views(n, text)} by bots included.`),
    include: 'Include bots',
    leave: 'Leave bots out',
  },
  internal: {
    left: (n: number, text: string) => `${views(n, text)} of your own traffic left out.`,
    included: (n: number, text: string) =>
      n === 0 ? 'Your own traffic counts too.' : `${views(n, text)} of your own traffic included.`,
    include: 'Include your own traffic',
    leave: 'Leave your own traffic out',
  },
  early: {
    some: (n: number, text: string, date: string) =>
      `${counted(n, text, 'event', 'events')} dated before ${date} excluded: the date is not plausible.`,
    more: (text: string, date: string) =>
      `More than ${text} events dated before ${date} excluded: the dates are not plausible.`,
    view: 'View events',
    delete: 'Delete in Settings',
  },
  rare: (names: string) =>
    `${names}: hardly any event has this property, so the events are read one by one, which takes longer.`,
};

const ptBR: typeof en = {
  bots: {
    left: (n, text) =>
      n === 0
        ? 'Robôs ficam de fora.'
        : counted(n, text, 'página vista por robôs ficou de fora.', 'páginas vistas por robôs ficaram de fora.'),
    included: (n, text) =>
      n === 0
        ? 'Robôs entram na conta.'
        : counted(n, text, 'página vista por robôs entra na conta.', 'páginas vistas por robôs entram na conta.'),
    include: 'Contar robôs',
    leave: 'Deixar robôs de fora',
  },
  internal: {
    left: (n, text) =>
      counted(
        n,
        text,
        'página vista pela própria equipe ficou de fora.',
        'páginas vistas pela própria equipe ficaram de fora.',
      ),
    included: (n, text) =>
      n === 0
        ? 'O acesso da própria equipe entra na conta.'
        : counted(
            n,
            text,
            'página vista pela própria equipe entra na conta.',
            'páginas vistas pela própria equipe entram na conta.',
          ),
    include: 'Contar a própria equipe',
    leave: 'Deixar a própria equipe de fora',
  },
  early: {
    some: (n, text, date) =>
      counted(
        n,
        text,
        `evento com data anterior a ${date} excluído: a data não é plausível.`,
        `eventos com data anterior a ${date} excluídos: as datas não são plausíveis.`,
      ),
    more: (text, date) => `Mais de ${text} eventos com data anterior a ${date} excluídos: as datas não são plausíveis.`,
    view: 'Ver eventos',
    delete: 'Excluir em Configurações',
  },
  rare: (names) =>
    `${names}: quase nenhum evento tem esta propriedade; por isso os eventos são lidos um a um, o que demora mais.`,
};

export const trafficWords: Part<typeof en> = { en, 'pt-BR': ptBR };
