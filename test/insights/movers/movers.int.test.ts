/** Movers of stored events: each row is the overview filtered by it, and the parts sum to the whole. */
import { createInsights, type Insights } from '#src/insights/insights.ts';
import { conditionsOf } from '#src/insights/kinds/breakdown/filters/values.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import type { Movers } from '#src/insights/kinds/movers/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { useEngine } from '../engine.ts';
import { finishedEvent, sessionId } from '../histories.ts';

const engine = useEngine(useDatabase({ between: 'nothing' }));
const NOW = Date.UTC(2026, 10, 19, 12);
const range = { from: '2026-11-12', to: '2026-11-18' };
let insights: Insights;
let project: Project;
let goal: number;

const channels = ['Organic Search', 'Direct', 'Referral'];

/** Two weeks of visits; in the second one half as many more by search, and twice the purchases of phones. */
function history(): Parameters<typeof finishedEvent>[1][] {
  const all: Parameters<typeof finishedEvent>[1][] = [];
  for (let day = 0; day < 14; day++) {
    const start = Date.UTC(2026, 10, 5 + day, 9);
    const isLater = day >= 7;
    for (let visit = 0; visit < 12 + (day % 7) + (isLater ? 4 : 0); visit++) {
      const channel = channels[isLater && visit % 4 === 0 ? 0 : visit % 3] as string;
      const ts = start + visit * 600_000;
      // Some come on two days, by another channel.
      const distinctId = `person ${day - (day % 2)} ${visit % 5 === 0 ? visit : `${visit} ${day}`}`;
      const device = { type: visit % 2 === 0 ? 'Mobile' : 'Desktop' };
      const visited = {
        distinctId,
        ts,
        bot: false,
        session: sessionId(`${day} ${visit}`),
        referringDomain: '$direct',
        channel,
        country: visit % 6 === 0 ? '' : 'BR',
        device,
        path: `/${visit % 7}`,
      };
      all.push({ ...visited, uuid: uuidV7(ts), event: '$pageview' });
      if (visit % 3 !== 0 && !(isLater && visit % 2 === 0)) continue;
      const loose = { value: 10.1 + visit, currency: 'BRL' };
      all.push({ ...visited, uuid: uuidV7(ts + 1_000), ts: ts + 1_000, event: 'purchase', loose });
    }
  }
  return all;
}

beforeAll(async () => {
  engine.deps.clock.set(NOW);
  insights = createInsights(engine.deps, { columns: engine.columns, changes: { version: () => null } });
  project = await engine.projects.create({ name: 'movers', timeZone: 'UTC' });
  await engine.events.store(history().map((happened) => finishedEvent(project.id, happened)));
  const rule = { kind: 'event', event: 'purchase', filters: { match: 'all', of: [] } } as const;
  const amount = { property: 'value', currencyProperty: 'currency', currency: 'BRL' };
  goal = (await insights.goals.create(project.id, { name: 'Purchase', rule, amount } as never)).id;
});

const scope = () => ({ ...project, seesPersons: true });

function ask(input: object = {}): Promise<Movers> {
  return insights.query(kinds.movers, scope(), kinds.movers.input.parse({ range, compare: 'previous', ...input }));
}

it.each(['visitors', 'conversions', 'revenue'] as const)('decomposes %s', async (metric) => {
  const given = metric === 'visitors' ? {} : { goal };
  const movers = await ask({ metric, ...given, limit: 3 });
  const { whole } = movers;
  if (whole === null) throw new Error('nothing to compare with');
  expect(whole.change).not.toBe(0);
  expect(movers.pairs).toBe(7);
  expect(movers.dimensions.map(({ dimension }) => dimension)).toEqual([
    'channel',
    'entryPage',
    'country',
    'deviceType',
  ]);
  for (const { dimension, rows, other, overlap } of movers.dimensions) {
    const parts = [...rows, other, ...(overlap ? [overlap] : [])];
    for (const of of ['total', 'previous', 'change'] as const) {
      expect(parts.reduce((sum, part) => sum + part[of], 0)).toBeCloseTo(whole[of], 6);
    }
    expect(parts.reduce((sum, { share }) => sum + (share ?? 0), 0)).toBeCloseTo(1, 9);
    for (const row of rows.slice(0, 2)) {
      const conditions = (conditionsOf(dimension, row.value) ?? []).map(({ value, ...each }) =>
        value === null ? { ...each, operator: 'isNotSet' } : { ...each, operator: 'equals', values: [value] },
      );
      const input = { range, compare: 'previous', ...given, filters: { match: 'all', of: conditions } };
      const overview = await insights.query(kinds.overview, scope(), kinds.overview.input.parse(input));
      const figure =
        metric === 'visitors'
          ? overview.metrics.visitors
          : metric === 'conversions'
            ? overview.goal?.conversions
            : overview.goal?.revenue.find(({ currency }) => currency === 'BRL')?.sum;
      expect([row.total, row.previous]).toEqual([figure?.value ?? 0, figure?.previous ?? 0]);
    }
  }
  expect(movers.dimensions[0]?.overlap === null).toBe(metric !== 'visitors');
});

it('says nothing where there is nothing to compare with, and needs a goal for its numbers', async () => {
  expect(await ask({ range: { from: '2026-11-05', to: '2026-11-11' } })).toMatchObject({ whole: null, dimensions: [] });
  expect(await ask({ range: 'all_time' })).toMatchObject({ comparison: null, whole: null });
  await expect(ask({ metric: 'revenue' })).rejects.toMatchObject({ code: 'invalid', field: 'goal' });
  const short = await ask({ range: { from: '2026-11-17', to: '2026-11-18' }, compare: 'none' });
  expect(short.whole).toMatchObject({ pValue: null, isSignificant: null });
  expect(short.comparison).toMatchObject({ fromDate: '2026-11-15', toDate: '2026-11-16' });
  expect(short.range.to - short.range.from).toBe(2 * dayMs);
});
