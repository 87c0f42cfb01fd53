/** A project's own rules for reading: tables, filters, goals and paths agree by them, so does the SQL that explains, and the past follows. */
import { Client } from 'pg';
import type { Filters } from '#src/columns/contract.ts';
import { filterSql } from '#src/columns/filters/filter-sql.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Notices } from '#src/events/listener.ts';
import { createLive } from '#src/events/live.ts';
import { explainMetric } from '#src/insights/explain/explain.ts';
import { selectionOf } from '#src/insights/goals/selection.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { previewReading } from '#src/insights/reading/preview.ts';
import { personValues } from '#src/insights/suggestions/queries.ts';
import type { ChannelRule } from '#src/kit/reading/channels/values.ts';
import { noReadingRules, type Reader, type ReadingRules, readerOf, rulesIn } from '#src/kit/reading/reader.ts';
import type { Project } from '#src/projects/projects.ts';
import { query, sql } from '#src/store/sql.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { anyPathRules, segments } from '#test/kit/page-spellings.ts';
import { useEngine } from './engine.ts';
import { finishedEvent, sessionId } from './histories.ts';
import type { Happened } from './reference.ts';

const NOON = Date.UTC(2026, 10, 19, 12);
const database = useDatabase();
const engine = useEngine(database);
let explainer: Client;
beforeAll(async () => {
  explainer = new Client(database.url);
  explainer.on('error', () => undefined); // the database may go first
  await explainer.connect();
});
afterAll(() => explainer.end());

const hosts = ['shop.example', 'www.shop.example', 'shop-example.translate.goog'];
const channelRules: ChannelRule[] = [
  { channel: 'Partners', when: [{ field: 'source', like: 'n*s' }] },
  {
    channel: 'Nothing_%',
    when: [
      { field: 'source', like: '' },
      { field: 'referrer', like: '$direct' },
    ],
  },
];
const rules: fc.Arbitrary<ReadingRules> = fc.record({
  pathRules: anyPathRules,
  primaryHost: fc.constantFrom('', 'shop.example'),
  otherHosts: fc.constant(['www.shop.example']),
  channelRules: fc.boolean().map((has) => (has ? channelRules : [])),
});
const views = fc.array(
  fc.record({
    path: segments.map((parts) => `/${parts.join('/')}`),
    host: fc.constantFrom(...hosts),
    source: fc.constantFrom('News', 'other', null),
  }),
  { minLength: 1, maxLength: 12 },
);

function happened({ path, host, source }: { path: string; host: string; source: string | null }, at: number): Happened {
  return {
    ...{ uuid: `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`, event: '$pageview', ts: NOON - at },
    ...{ distinctId: `person ${at}`, session: sessionId(`reading ${at}`), bot: false, path, host },
    ...{ referringDomain: '$direct', channel: 'Direct', campaign: source === null ? null : { utm_source: source } },
  };
}

/** Its person keeps what their first page was. */
function withProfile(event: FinishedEvent): FinishedEvent {
  return { ...event, person: { ...event.person, process: true } };
}

async function change(project: Project, settings: ReadingRules): Promise<Project> {
  await engine.projects.update(project.id, { settings } as never);
  return (await engine.projects.get(project.id)) as Project;
}

async function table(project: Project, dimension: 'page' | 'channel', filters?: Filters) {
  const asked = {
    range: 'last_7_days' as const,
    compare: 'none' as const,
    dimension,
    limit: 100,
    ...(filters && { filters }),
  };
  const { rows, cols } = await runBreakdown(engine.columns, project, asked, NOON + 1);
  const host = cols.indexOf('host');
  return Object.fromEntries(rows.map((row) => [`${host === -1 ? '' : row[host]}${row[0]}`, row[2]]));
}

function counted(texts: string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const text of texts) sums[text] = (sums[text] ?? 0) + 1;
  return sums;
}

/** Of the events that *Live* lists, and of who is here. */
async function livePages(project: Project): Promise<Record<string, number>> {
  engine.deps.clock.set(NOON + 1);
  const live = createLive(engine.deps, { projects: engine.projects, notices: quiet });
  const { rows, summary } = await live.snapshot(project.id);
  await live.stop();
  const listed = counted(rows.map(({ path }) => path as string));
  for (const { value, people } of summary.pages) expect([value, people]).toEqual([value, listed[value]]);
  expect(summary.pages).toHaveLength(Math.min(8, Object.keys(listed).length));
  return listed;
}

const quiet: Notices = { subscribe: () => () => undefined };

/** Views of persons by the page they saw first, as filters and the values that they offer say it. */
async function personsByFirstPage(project: Project, paths: readonly string[]) {
  const name = '$initial_pathname';
  const byEngine: Record<string, number> = {};
  const byRows: Record<string, number> = {};
  for (const path of paths) {
    const filters: Filters = { match: 'all', of: [{ about: 'person', name, operator: 'equals', values: [path] }] };
    const spans = [{ from: NOON - 1e9, until: NOON + 1, starts: [] }];
    const [found] = await engine.columns.series({ projectId: project.id, views: ['$pageview'], filters, spans });
    byEngine[path] = found?.total.views ?? 0;
    const asked = { projectId: project.id, from: 0, until: NOON + 1, reading: rulesIn(project.settings) };
    const [listed] = await query<{ count: number }>(
      engine.deps.db,
      sql`select count(*)::int as count from events where project_id = ${project.id} and ${filterSql(asked, filters)}`,
    );
    byRows[path] = listed?.count ?? 0;
  }
  const asked = { projectId: project.id, reading: rulesIn(project.settings), name, search: '' };
  const offered = await personValues(engine.deps.db, asked, 100);
  return {
    byEngine,
    byRows,
    offered: Object.fromEntries(offered.map(({ value, count }) => [value, count])),
    wanted: (reader: Reader, byPath: Record<string, number>) =>
      Object.fromEntries(paths.map((path) => [path, byPath[reader.value(name, path)] ?? 0])),
  };
}

let uuids = 0;

it('agree in tables, filters, goals, paths and SQL, also when the rules become others', async () => {
  await fc.assert(
    fc.asyncProperty(views, fc.array(rules, { minLength: 1, maxLength: 2 }), async (seen, changes) => {
      let project = await engine.projects.create({ name: 'reading', timeZone: 'UTC' });
      const history = seen.map((view) => happened(view, uuids++ % 1_000_000));
      await engine.events.store(history.map((each) => withProfile(finishedEvent(project.id, each))));
      await engine.columns.seal();
      for (const settings of [noReadingRules, ...changes]) {
        project = await change(project, settings);
        const reader = readerOf(rulesIn(project.settings));
        const read = history.map(({ path, host, ts }) => ({
          path: reader.paths.read(path as string, `https://shop.example${path}?at=${ts % 3}`),
          host: reader.value('$host', host as string),
        }));
        const several = new Set(read.map(({ host }) => host)).size > 1;
        const wanted = counted(read.map(({ path, host }) => `${several ? host : ''}${path}`));
        expect(await table(project, 'page')).toEqual(wanted);

        const { sql: statement } = await explainMetric(
          engine.columns,
          project,
          { range: 'last_7_days', of: 'page' },
          NOON + 1,
        );
        const { rows } = await explainer.query<Record<string, string>>(statement);
        expect(
          Object.fromEntries(rows.map((row) => [`${row['host'] ?? ''}${row['value']}`, Number(row['count'])])),
        ).toEqual(wanted);

        const byPath = counted(read.map(({ path }) => path));
        expect(await livePages(project)).toEqual(byPath);
        const persons = await personsByFirstPage(project, [...new Set(history.map(({ path }) => path as string))]);
        expect(persons.byEngine).toEqual(persons.byRows);
        expect(persons.offered).toEqual(byPath);
        if (!settings.pathRules.hashRoutes) expect(persons.byEngine).toEqual(persons.wanted(reader, byPath));
        for (const [index, { path }] of read.entries()) {
          for (const value of [path, history[index]?.path as string]) {
            const filters: Filters = {
              match: 'all',
              of: [{ about: 'event', name: '$pathname', operator: 'equals', values: [value] }],
            };
            // What was sent is not what is read where the route behind the hash says more.
            const most = byPath[reader.value('$pathname', value)] ?? 0;
            const [found] = await engine.columns.series({
              ...{ projectId: project.id, views: ['$pageview'], filters },
              spans: [{ from: NOON - 1e9, until: NOON + 1, starts: [] }],
            });
            expect([value, found?.total.views]).toEqual([value, most]);
            const asked = { projectId: project.id, from: 0, until: NOON + 1, reading: rulesIn(project.settings) };
            const [listed] = await query<{ count: number }>(
              engine.deps.db,
              sql`select count(*)::int as count from events where project_id = ${project.id} and ${filterSql(asked, filters)}`,
            );
            expect([value, listed?.count]).toEqual([value, most]);
            if (value.includes('*')) continue; // stands for more in a goal
            const goal = selectionOf({ rule: { kind: 'page', pages: [value] }, amount: null } as never);
            const [[done] = []] = await engine.columns.conversions(
              {
                projectId: project.id,
                views: ['$pageview'],
                filters: null,
                spans: [{ from: NOON - 1e9, until: NOON + 1, starts: [] }],
              },
              [goal],
            );
            expect([value, done?.total.count]).toEqual([value, most]);
          }
        }
        const channels = history.map(({ campaign, referringDomain }) => {
          const besides = reader.besides('$channel_type').map((name) => {
            if (name.endsWith('utm_source')) return campaign?.utm_source;
            return name.endsWith('referring_domain') ? referringDomain : undefined;
          });
          return String(reader.value('$channel_type', 'Direct', besides as never));
        });
        expect(await table(project, 'channel')).toEqual(counted(channels));
        const ofChannel = await explainMetric(
          engine.columns,
          project,
          { range: 'last_7_days', of: 'channel' },
          NOON + 1,
        );
        const found = await explainer.query<Record<string, string>>(ofChannel.sql);
        expect(Object.fromEntries(found.rows.map((row) => [row['value'], Number(row['count'])]))).toEqual(
          counted(channels),
        );
      }
      const before = await table(project, 'page');
      const preview = await previewReading(engine.columns, project.id, noReadingRules, NOON + 1);
      expect(preview.map(({ of }) => of)).toEqual(['pages', 'hosts', 'channels']);
      expect(await table(project, 'page')).toEqual(before);
      for (const { changes: listed, events } of preview) {
        expect(listed.reduce((sum, { count }) => sum + count, 0)).toBe(events);
        expect(listed.every(({ from, to }) => from !== to)).toBe(true);
      }
    }),
    { numRuns: 8 },
  );
});
