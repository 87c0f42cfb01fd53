/** Words for those who have JavaScript turned off. */
import type { Part } from './part.ts';

const en = {
  changing: 'You can read this page, but changing anything needs JavaScript. Turn it on and reload the page.',
};

const ptBR: typeof en = {
  changing: 'Você pode ler esta página, mas para mudar algo é preciso JavaScript. Ative-o e recarregue a página.',
};

export const needsScriptWords: Part<typeof en> = { en, 'pt-BR': ptBR };
