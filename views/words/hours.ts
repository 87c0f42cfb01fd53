/** Words of the grid of weekdays and hours. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'When',
  table: 'Visitors by weekday and hour',
  weekday: 'Weekday',
  days: ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'],
  what: 'Visitors of each hour of the week: whoever comes back at the same hour in another week counts once.',
  uneven: 'Not every weekday is in this period equally often.',
  zone: (zone: string) => `Hours in ${zone}.`,
  explore: 'Arrow keys go from hour to hour.',
  empty: 'No page views in this period.',
  hour: (day: string, from: string, to: string) => `${day}, ${from}–${to}`,
  visitors: (n: number, text: string) => counted(n, text, 'visitor', 'visitors'),
  views: (n: number, text: string) => counted(n, text, 'page view', 'page views'),
  dates: (n: number, text: string) => `on ${counted(n, text, 'day', 'days')}`,
  running: 'not over yet',
  notYet: 'not counted in this period',
};

const ptBR: typeof en = {
  title: 'Quando',
  table: 'Visitantes por dia da semana e hora',
  weekday: 'Dia da semana',
  days: ['Domingos', 'Segundas', 'Terças', 'Quartas', 'Quintas', 'Sextas', 'Sábados'],
  what: 'Visitantes de cada hora da semana: quem volta na mesma hora em outra semana conta uma vez.',
  uneven: 'Nem todos os dias da semana aparecem o mesmo número de vezes neste período.',
  zone: (zone) => `Horas em ${zone}.`,
  explore: 'As setas vão de hora em hora.',
  empty: 'Nenhuma página vista neste período.',
  hour: (day, from, to) => `${day}, ${from}–${to}`,
  visitors: (n, text) => counted(n, text, 'visitante', 'visitantes'),
  views: (n, text) => counted(n, text, 'página vista', 'páginas vistas'),
  dates: (n, text) => `em ${counted(n, text, 'dia', 'dias')}`,
  running: 'ainda em curso',
  notYet: 'não contada neste período',
};

export const hoursWords: Part<typeof en> = { en, 'pt-BR': ptBR };
