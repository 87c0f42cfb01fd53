/** What the bench asks of people over time: trends, funnels, retention and paths of the same data, by the engine alone. */

import * as z from 'zod/mini';
import type { Columns } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import type { InsightKind, QueryInput } from '#src/insights/define.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import type { QueryCache } from '#src/insights/query/cache.ts';
import { runQuery } from '#src/insights/query/run-query.ts';
import type { BenchQuery } from './questions-asked.ts';
import type { Data } from './questions-data.ts';

const all = new Map<string, RunnableKind>(Object.entries(kinds) as never);

type RunnableKind = InsightKind<string, QueryInput, unknown>;

const goals = { get: async () => null, use: async () => null, list: async () => [] };

/** Asks a kind, with all that its input leaves out. */
export function askerOf({ project: asked, now }: Data) {
  const project = { ...asked, seesPersons: true };
  // Nothing is shared: each asks for itself.
  const cache: QueryCache = { get: (_project, _key, compute) => compute(now, new AbortController().signal) };
  return (kind: unknown, columns: Columns, input: object): Promise<unknown> => {
    const parts = { columns, clock: { now: () => now }, cache, goals };
    return runQuery(parts, kind as never, project, z.parse((kind as RunnableKind).input, input) as never);
  };
}

export function followOf(data: Data, range: { from: string; to: string }): BenchQuery[] {
  const ask = askerOf(data);
  const one = (title: string, name: string, more: object): BenchQuery => ({
    title,
    engine: (columns: Columns, filters: Filters | undefined) =>
      ask(all.get(name), columns, { range, ...(filters && { filters }), ...more }),
    others: null,
    same: () => true,
  });
  const views = { event: '$pageview' };
  const trend = (title: string, measure: unknown, more: object = {}) =>
    one(`trend: ${title}`, 'trends', {
      compare: 'none',
      interval: 'day',
      limit: 25,
      series: [{ event: views, measure }],
      ...more,
    });
  const funnel = (title: string, more: object) =>
    one(`funnel: ${title}`, 'funnel', {
      order: 'ordered',
      conversionWindow: { count: 7, unit: 'day' },
      exclusions: [],
      per: 'persons',
      limit: 25,
      steps: [views, { event: 'produto_visto' }, { event: 'adicionou_ao_carrinho' }],
      ...more,
    });
  const retention = (title: string, more: object) =>
    one(`retention: ${title}`, 'retention', {
      period: 'week',
      startEvent: views,
      returningEvent: views,
      minCount: 1,
      rolling: false,
      limit: 25,
      ...more,
    });
  const browser = { breakdown: { about: 'event', name: '$browser' } };
  return [
    trend('views', 'events'),
    trend('persons', 'persons'),
    trend('persons by browser', 'persons', browser),
    trend('visits', 'visits'),
    trend('monthly active', 'mau'),
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
    one('paths of pages', 'paths', {
      stepType: 'pages',
      length: 5,
      groups: [],
      exclude: [],
      sessionTimeoutMinutes: 30,
      limit: 50,
      minCount: 1,
    }),
  ];
}
