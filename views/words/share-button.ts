/** Words of what is shared, on the dashboard or insight itself. */
import type { Part } from './part.ts';

const en = {
  share: 'Share',
  public: (n: number, views: string) => `Public · ${views} ${n === 1 ? 'view' : 'views'} in 7 days`,
  expired: 'Public link expired',
};

export const shareButtonWords: Part<typeof en> = {
  en,
  'pt-BR': {
    share: 'Compartilhar',
    public: (n, views) => `Público · ${views} ${n === 1 ? 'visualização' : 'visualizações'} em 7 dias`,
    expired: 'Link público expirado',
  },
};
