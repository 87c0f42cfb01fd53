/** Links to recordings, on screens about people and events. */
import type { Part } from './part.ts';

const en = { watch: 'Watch replay', watchPerson: 'Watch replays' };

const ptBR: typeof en = { watch: 'Assistir ao replay', watchPerson: 'Assistir aos replays' };

export const watchWords: Part<typeof en> = { en, 'pt-BR': ptBR };
