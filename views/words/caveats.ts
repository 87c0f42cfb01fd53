/** What makes a number another than it seems. */
import type { Caveat } from '#src/insights/contract.ts';
import type { Part } from './part.ts';

/** `noEnds`: neither clicks nor leaving. */
const en: Record<Caveat | 'noEnds', string> = {
  visitorDays: 'Some visitors may have been counted without cookies: each day they count anew.',
  noClicks: 'The bounce rate may be too high: no clicks were recorded in this period.',
  noLeaves: 'The bounce rate may be too high: leaving a page was not recorded in this period.',
  noEnds: 'The bounce rate may be too high: neither clicks nor leaving a page were recorded in this period.',
};

const ptBR: typeof en = {
  visitorDays: 'Alguns visitantes podem ter sido contados sem cookies: a cada dia contam de novo.',
  noClicks: 'A taxa de rejeição pode estar alta demais: nenhum clique foi registrado neste período.',
  noLeaves: 'A taxa de rejeição pode estar alta demais: nenhuma saída de página foi registrada neste período.',
  noEnds:
    'A taxa de rejeição pode estar alta demais: nem cliques nem saídas de página foram registrados neste período.',
};

export const caveatWords: Part<typeof en> = { en, 'pt-BR': ptBR };
