/** Words for those who have JavaScript turned off. */
import type { Part } from './part.ts';

const en = {
  changing: 'JavaScript is required to make changes. Turn it on and reload the page.',
};

const ptBR: typeof en = {
  changing: 'Esta página está em modo de leitura. Ative o JavaScript e recarregue para fazer alterações.',
};

export const needsScriptWords: Part<typeof en> = { en, 'pt-BR': ptBR };
