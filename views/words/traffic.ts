/** Notes beside numbers: bots, internal traffic, and slow filters. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  bots: {
    left: (n: number, text: string) =>
      n === 0 ? 'Bots excluded ·' : counted(n, text, 'bot view excluded ·', 'bot views excluded ·'),
    included: (n: number, text: string) =>
      n === 0 ? 'Bots included ·' : counted(n, text, 'bot view included ·', 'bot views included ·'),
    include: 'Include',
    leave: 'Exclude',
    /** Accessible name, where the visible word is ambiguous. */
    includeName: 'Include bots',
    leaveName: 'Exclude bots',
  },
  internal: {
    left: (n: number, text: string) => counted(n, text, 'internal view excluded ·', 'internal views excluded ·'),
    included: (n: number, text: string) =>
      n === 0
        ? 'Internal traffic included ·'
        : counted(n, text, 'internal view included ·', 'internal views included ·'),
    include: 'Include',
    leave: 'Exclude',
    includeName: 'Include internal traffic',
    leaveName: 'Exclude internal traffic',
  },
  early: {
    some: (n: number, text: string, date: string) =>
      `${counted(n, text, 'event', 'events')} dated before ${date} excluded: the date is not plausible.`,
    more: (text: string, date: string) =>
      `More than ${text} events dated before ${date} excluded: the dates are not plausible.`,
    view: 'View events',
    delete: 'Delete in Settings',
  },
};

const ptBR: typeof en = {
  bots: {
    left: (n, text) =>
      n === 0
        ? 'Bots excluídos das métricas ·'
        : counted(
            n,
            text,
            'visualização de bots excluída das métricas ·',
            'visualizações de bots excluídas das métricas ·',
          ),
    included: (n, text) =>
      n === 0
        ? 'Bots incluídos ·'
        : counted(n, text, 'visualização de bots incluída ·', 'visualizações de bots incluídas ·'),
    include: 'Incluir',
    leave: 'Excluir',
    includeName: 'Incluir bots',
    leaveName: 'Excluir bots',
  },
  internal: {
    left: (n, text) =>
      counted(
        n,
        text,
        'visualização de tráfego interno excluída das métricas ·',
        'visualizações de tráfego interno excluídas das métricas ·',
      ),
    included: (n, text) =>
      n === 0
        ? 'Tráfego interno incluído ·'
        : counted(
            n,
            text,
            'visualização de tráfego interno incluída ·',
            'visualizações de tráfego interno incluídas ·',
          ),
    include: 'Incluir',
    leave: 'Excluir',
    includeName: 'Incluir tráfego interno',
    leaveName: 'Excluir tráfego interno',
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
};

export const trafficWords: Part<typeof en> = { en, 'pt-BR': ptBR };
