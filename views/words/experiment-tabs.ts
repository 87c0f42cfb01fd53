/** Tabs of feature flags. */
import type { Part } from './part.ts';

const en = { label: 'Flags and experiments', flags: 'Flags', experiments: 'Experiments' };
const ptBR: typeof en = { label: 'Flags e experimentos', flags: 'Flags', experiments: 'Experimentos' };

export const experimentTabWords: Part<typeof en> = { en, 'pt-BR': ptBR };
