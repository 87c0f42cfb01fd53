/** Links to recordings and issues, on screens about people and events. */
import type { Part } from './part.ts';

const en = { watch: 'Watch replay', watchPerson: 'Watch replays', issue: 'Open issue' };

const ptBR: typeof en = { watch: 'Assistir ao replay', watchPerson: 'Assistir aos replays', issue: 'Abrir problema' };

export const watchWords: Part<typeof en> = { en, 'pt-BR': ptBR };
