/** Words of the grid of weekdays and hours. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'Weekly heatmap',
  table: 'Visitors by weekday and hour',
  weekday: 'Weekday',
  days: ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'],
  what: 'Unique visitors per weekday and hour',
  uneven: 'Weekdays don’t occur equally often in this period.',
  zone: (zone: string) => `Hours in ${zone}`,
  explore: 'Use arrow keys to move between hours.',
  empty: 'No page views in this period.',
  hour: (day: string, from: string, to: string) => `${day}, ${from}–${to}`,
  visitors: (n: number, text: string) => counted(n, text, 'visitor', 'visitors'),
  views: (n: number, text: string) => counted(n, text, 'page view', 'page views'),
  dates: (n: number, text: string) => `over ${counted(n, text, 'day', 'days')}`,
  running: 'in progress',
  notYet: 'no data in this period',
};

const ptBR: typeof en = {
  title: 'Mapa de calor semanal',
  table: 'Visitantes por dia da semana e hora',
  weekday: 'Dia da semana',
  days: ['Domingos', 'Segundas', 'Terças', 'Quartas', 'Quintas', 'Sextas', 'Sábados'],
  what: 'Visitantes únicos por dia da semana e hora.',
  uneven: 'Os dias da semana não se repetem igualmente neste período.',
  zone: (zone) => `Horários em ${zone}.`,
  explore: 'Use as setas para mudar de hora.',
  empty: 'Nenhuma visualização neste período.',
  hour: (day, from, to) => `${day}, ${from}–${to}`,
  visitors: (n, text) => counted(n, text, 'visitante', 'visitantes'),
  views: (n, text) => counted(n, text, 'visualização', 'visualizações'),
  dates: (n, text) => `em ${counted(n, text, 'dia', 'dias')}`,
  running: 'em andamento',
  notYet: 'sem dados neste período',
};

export const hoursWords: Part<typeof en> = { en, 'pt-BR': ptBR };
