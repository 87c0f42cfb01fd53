/** Tabs of feature flags. */
import type { Part } from './part.ts';

const en = { label: 'Flags and experiments', flags: 'Flags', experiments: 'Experiments', earlyAccess: 'Early access' };
const ptBR: typeof en = {
  label: 'Flags e experimentos',
  flags: 'Flags',
  experiments: 'Experimentos',
  earlyAccess: 'Acesso antecipado',
};

export const experimentTabWords: Part<typeof en> = { en, 'pt-BR': ptBR };
