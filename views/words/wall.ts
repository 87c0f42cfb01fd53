/** Words of dashboards on a wall, and of how a dashboard is looked at. */
import type { Part } from './part.ts';

const en = {
  view: 'View options',
  autoRefresh: 'Auto refresh',
  every: { 0: 'Off', 1: 'Every minute', 5: 'Every 5 minutes', 15: 'Every 15 minutes' } as Record<
    0 | 1 | 5 | 15,
    string
  >,
  refresh: 'Refresh now',
  fullScreen: 'Full screen',
  wall: 'Wall screen',
  leave: 'Leave (Esc)',
  connected: 'Connected',
  reconnecting: 'Reconnecting…',
  updated: (time: string): string => `Updated ${time}`,
  stale: (time: string): string => `Not updated since ${time}`,
  empty: 'This dashboard has no numbers or charts yet.',
};

const ptBR: typeof en = {
  view: 'Opções de exibição',
  autoRefresh: 'Atualização automática',
  every: { 0: 'Desligada', 1: 'A cada minuto', 5: 'A cada 5 minutos', 15: 'A cada 15 minutos' },
  refresh: 'Atualizar agora',
  fullScreen: 'Tela cheia',
  wall: 'Modo TV',
  leave: 'Sair (Esc)',
  connected: 'Conectado',
  reconnecting: 'Reconectando…',
  updated: (time) => `Atualizado às ${time}`,
  stale: (time) => `Sem atualização desde ${time}`,
  empty: 'Este painel ainda não tem números nem gráficos.',
};

export const wallWords: Part<typeof en> = { en, 'pt-BR': ptBR };
