/** Words of the button that subscribes to a dashboard or an insight. */
import type { Part } from './part.ts';

const en = { subscribe: 'Subscribe' };

export const reportButtonWords: Part<typeof en> = {
  en,
  'pt-BR': { subscribe: 'Receber por e-mail' },
};
