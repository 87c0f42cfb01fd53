/** Caveats of numbers. */
import type { Caveat } from '#src/insights/contract.ts';
import type { Part } from './part.ts';

/** `noEnds`: neither clicks nor leaving. */
const en: Record<Caveat | 'noEnds', string> = {
  visitorDays: 'May include cookieless visitors, who count as new each day.',
  noClicks: 'Bounce rate may be too high: no autocaptured interactions in this period.',
  noLeaves: 'Bounce rate may be too high: no page leave events ($pageleave) in this period.',
  noEnds: 'Bounce rate may be too high: no autocaptured interactions or page leave events ($pageleave) in this period.',
};

const ptBR: typeof en = {
  visitorDays: 'Parte dos visitantes é contada sem cookies: cada dia conta como um novo visitante.',
  noClicks: 'A taxa de rejeição pode estar inflada: nenhum clique foi registrado no período.',
  noLeaves: 'A taxa de rejeição pode estar inflada: nenhuma saída de página foi registrada no período.',
  noEnds: 'A taxa de rejeição pode estar inflada: não há cliques nem saídas de página registrados no período.',
};

export const caveatWords: Part<typeof en> = { en, 'pt-BR': ptBR };
