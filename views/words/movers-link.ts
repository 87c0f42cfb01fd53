/** Words of the link on Overview to what changed. */
import type { Part } from './part.ts';

const en = { title: 'What changed?' };

const ptBR: typeof en = { title: 'O que mudou?' };

export const moversLinkWords: Part<typeof en> = { en, 'pt-BR': ptBR };
