/** What the bench asks of people over time: trends, funnels, retention and paths of the same data, by the engine alone. */
import type { Columns } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { createFollow, type Follow } from '#src/insights/follow/follow.ts';
import type { Answers } from '#src/insights/query/cache.ts';
import type { Asked } from './questions-asked.ts';
import type { Data } from './questions-data.ts';

/** Nothing is shared: each asks for itself. */
const answers: Answers = { answer: (_project, _key, compute) => compute() };

export function followOf({ project: asked, now }: Data, range: { from: string; to: string }): Asked[] {
  const project = { ...asked, seesPersons: true };
  const one = (title: string, ask: (follow: Follow, asked: object) => Promise<unknown>): Asked => ({
    title,
    engine: (columns: Columns, filters: Filters | undefined) => {
      const follow = createFollow({ columns, clock: { now: () => now }, answers, goals: { use: async () => null } });
      return ask(follow, { range, ...(filters && { filters }) });
    },
    others: null,
    same: () => true,
  });
  const views = { event: '$pageview' };
  const trend = (title: string, measure: unknown, more: object = {}) =>
    one(`trend: ${title}`, (follow, asked) =>
      follow.trends(project, {
        ...{ ...asked, compare: 'none', interval: 'day', most: 25, series: [{ of: views, measure }] },
        ...more,
      } as never),
    );
  const funnel = (title: string, more: object) =>
    one(`funnel: ${title}`, (follow, asked) =>
      follow.funnel(project, {
        ...{ ...asked, order: 'ordered', window: { count: 7, unit: 'day' }, exclusions: [], per: 'persons', most: 25 },
        steps: [views, { event: 'produto_visto' }, { event: 'adicionou_ao_carrinho' }],
        ...more,
      } as never),
    );
  const retention = (title: string, more: object) =>
    one(`retention: ${title}`, (follow, asked) =>
      follow.retention(project, {
        ...{ ...asked, period: 'week', start: views, back: views, least: 1, rolling: false, most: 25 },
        ...more,
      } as never),
    );
  const browser = { breakdown: { about: 'event', name: '$browser' } };
  return [
    trend('views', 'events'),
    trend('persons', 'persons'),
    trend('persons by browser', 'persons', browser),
    trend('visits', 'visits'),
    trend('monthly active', 'monthlyActive'),
    trend('views of each', { eventsPerPerson: 'p90' }),
    trend('of whom viewed 10 times', 'persons', {
      people: { match: 'all', of: [{ did: views, times: 10, within: range }] },
    }),
    funnel('three steps', {}),
    funnel('three steps by browser', browser),
    funnel('three steps, strict', { order: 'strict' }),
    funnel('three steps, any order', { order: 'any' }),
    retention('weeks, first', { kind: 'firstMatching' }),
    retention('weeks, recurring', { kind: 'recurring' }),
    one('paths of pages', (follow, asked) =>
      follow.paths(project, {
        ...{ ...asked, of: 'pages', length: 5, groups: [], exclude: [], pauseMinutes: 30, most: 50, least: 1 },
      } as never),
    ),
  ];
}
