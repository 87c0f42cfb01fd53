/** What is said of the team's own traffic where numbers stand. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = (n: number, text: string): string =>
  `${counted(n, text, 'page view', 'page views')} of your own traffic left out.`;

const ptBR: typeof en = (n, text) =>
  counted(
    n,
    text,
    'página vista pela própria equipe ficou de fora.',
    'páginas vistas pela própria equipe ficaram de fora.',
  );

export const ownTraffic: Part<typeof en> = { en, 'pt-BR': ptBR };
