import { rangeCommand } from '#views/palette/range-command.ts';
import { readQuestion } from '#views/question/question.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { ptBR } from '#views/words/pt-br.ts';

const scene = { now: { today: '2026-11-20', weekStart: 1 }, path: '/project/1/overview' } as const;
const english = {
  ...scene,
  search: '?goal=3&interval=hour',
  order: 'monthFirst',
  words: en,
  format: formatOf(en),
} as const;
const portuguese = { ...english, order: 'dayFirst', words: ptBR, format: formatOf(ptBR) } as const;

it.each([
  ['last week', english, { from: '2026-11-09', to: '2026-11-15' }],
  ['Last 3 months', english, { from: '2026-09-01', to: '2026-11-20' }],
  ['11/2 - 11/6', english, { from: '2026-11-02', to: '2026-11-06' }],
  ['today', english, 'today'],
  ['últimos 3 meses', portuguese, { from: '2026-09-01', to: '2026-11-20' }],
  ['semana passada', portuguese, { from: '2026-11-09', to: '2026-11-15' }],
  ['2/11 a 6/11', portuguese, { from: '2026-11-02', to: '2026-11-06' }],
  ['últimos 7 dias', portuguese, 'last_7_days'],
] as const)('%j shows the Overview of that range, with its goal', (typed, asked, range) => {
  const found = rangeCommand(typed, asked);
  const question = readQuestion(new URL(found?.href ?? '', 'http://x').searchParams);
  expect([question.range, question.goal, question.interval]).toEqual([range, 3, null]);
  expect(found?.text).toMatch(/2026|nov|Nov|Hoje|Today/);
});

it.each(['', ' ', 'a', 'goals', '2fa', 'api key', 'checkout 2', 'fuso horário'])('%j is no range', (typed) => {
  expect([english, portuguese].map((asked) => rangeCommand(typed, asked))).toEqual([null, null]);
});
