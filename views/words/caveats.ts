/** What makes a number another than it seems. */
import type { Caveat } from '#src/insights/contract.ts';
import type { Part } from './part.ts';

const en: Record<Caveat, string> = {
  visitorDays: 'Some visitors may have been counted without cookies: each day they count anew.',
};

const ptBR: typeof en = {
  visitorDays: 'Alguns visitantes podem ter sido contados sem cookies: a cada dia contam de novo.',
};

export const caveatWords: Part<typeof en> = { en, 'pt-BR': ptBR };
