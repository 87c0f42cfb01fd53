/** What the bench asks: each procedure of the Overview, with filters of every sort, and the same for PostgreSQL and DuckDB. */
import type { Columns } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { type BreakdownDimension, breakdownDimensions } from '#src/insights/contract.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { runHeatmap } from '#src/insights/kinds/heatmap/run.ts';
import { runOverview } from '#src/insights/kinds/overview/run.ts';
import { vitalNames } from '#src/insights/kinds/vitals/contract.ts';
import { runVitals } from '#src/insights/kinds/vitals/run.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { followOf } from './follow-asked.ts';
import type { Data } from './questions-data.ts';
import * as plain from './questions-sql.ts';

/** A filter that defeats the cache: with another `salt` it matches the same events under a new key. */
export interface Filter {
  title: string;
  filters(salt: string): Filters | undefined;
  kept: plain.Kept | null;
}

export interface BenchQuery {
  title: string;
  engine(columns: Columns, filters: Filters | undefined): Promise<unknown>;
  /** Null: only the engine is asked. */
  others: { sql: Sql[]; duckdb: string[] } | null;
  /** What all must say. */
  same(answer: never, rows: Record<string, unknown>[][]): boolean;
}

const DAY_MS = 86_400_000;

export function filtersOf({ project }: Data): Filter[] {
  const one = (
    title: string,
    condition: (salt: string) => Omit<FilterCondition, 'name'> & { name: string },
    kept: plain.Kept,
  ) => ({
    title,
    kept,
    filters: (salt: string): Filters => ({ match: 'all', of: [condition(salt)] }),
  });
  const group = (kind: number, test: Sql): Sql =>
    sql`(select number from property_groups g where g.project_id = ${project.id} and kind = ${kind}::smallint and ${test})`;
  const visits = (test: Sql): Sql =>
    sql`session_id in (select v.id from sessions v where v.project_id = ${project.id} and ${test})`;
  return [
    { title: '', filters: () => undefined, kept: null },
    one(
      'browser is Safari (group)',
      (salt) => ({ about: 'event', name: '$browser', operator: 'equals', values: ['Safari', salt] }),
      {
        postgres: sql`device in ${group(2, sql`properties ->> '$browser' = 'Safari'`)}`,
        duckdb: "browser = 'Safari'",
      },
    ),
    one(
      'experiment is A (other property)',
      (salt) => ({ about: 'event', name: 'experiment', operator: 'equals', values: ['A', salt] }),
      {
        postgres: sql`e.properties ->> 'experiment' = 'A'`,
        duckdb: "experiment = 'A'",
      },
    ),
    one(
      'path contains "produtos"',
      (salt) => ({ about: 'event', name: '$pathname', operator: 'contains', values: ['produtos', salt] }),
      {
        postgres: sql`page in ${group(1, sql`lower(properties ->> '$pathname') like '%produtos%'`)}`,
        duckdb: "path ilike '%produtos%'",
      },
    ),
    one(
      'path matches ^/produtos/.*-250g',
      (salt) => ({ about: 'event', name: '$pathname', operator: 'regex', values: [`^/produtos/.*-250g|${salt}`] }),
      {
        postgres: sql`page in ${group(1, sql`properties ->> '$pathname' ~ '^/produtos/.*-250g'`)}`,
        duckdb: "regexp_matches(path, '^/produtos/.*-250g')",
      },
    ),
    one(
      'person: plan is pro',
      (salt) => ({ about: 'person', name: 'plan', operator: 'equals', values: ['pro', salt] }),
      {
        postgres: sql`exists (select from persons w where w.project_id = ${project.id} and not w.merged and w.properties ->> 'plan' = 'pro'
        and w.number = coalesce((select m.new_person from person_overrides m where m.project_id = ${project.id} and m.old_person = e.person), e.person))`,
        duckdb: "person in (select number from persons where plan = 'pro')",
      },
    ),
    one(
      'visit: channel is Direct',
      (salt) => ({ about: 'session', name: 'channel', operator: 'equals', values: ['Direct', salt] }),
      {
        postgres: visits(sql`v.source in ${group(3, sql`properties ->> '$channel_type' = 'Direct'`)}`),
        duckdb: "session_id in (select id from sessions where channel = 'Direct')",
      },
    ),
    one(
      'visit: entry page contains "produtos"',
      (salt) => ({ about: 'session', name: 'entryPath', operator: 'contains', values: ['produtos', salt] }),
      {
        postgres: visits(sql`v.entry_page in ${group(1, sql`lower(properties ->> '$pathname') like '%produtos%'`)}`),
        duckdb: "session_id in (select id from sessions where entry_path ilike '%produtos%')",
      },
    ),
    one(
      'visit: longer than 60 s',
      (salt) => ({
        about: 'session',
        name: 'seconds',
        operator: 'gt',
        values: [60 + 1e-9 * Number(salt.replace(/\D/g, ''))],
      }),
      {
        postgres: visits(sql`v.last_ts - v.first_ts > interval '60 s'`),
        duckdb: "session_id in (select id from sessions where last_ts - first_ts > interval '60 seconds')",
      },
    ),
  ];
}

/** Those of which plain SQL and DuckDB are asked as well, where the contract knows them. */
/** Dimensions whose tables DuckDB makes, too. */
export const known: Record<string, plain.By> = {
  page: { of: 'events', column: 'page', duckdb: 'path', kind: 1, property: '$pathname' },
  entryPage: { of: 'sessions', column: 'entry_page', duckdb: 'entry_path', kind: 1, property: '$pathname' },
  exitPage: { of: 'sessions', column: 'exit_page', duckdb: 'exit_path', kind: 1, property: '$pathname' },
  channel: { of: 'sessions', column: 'source', duckdb: 'channel', kind: 3, property: '$channel_type' },
  referringDomain: {
    of: 'sessions',
    column: 'source',
    duckdb: 'domain',
    kind: 3,
    property: '$session_entry_referring_domain',
  },
  utmSource: { of: 'sessions', column: 'source', duckdb: 'utm_source', kind: 3, property: '$session_entry_utm_source' },
  utmCampaign: {
    of: 'sessions',
    column: 'source',
    duckdb: 'utm_campaign',
    kind: 3,
    property: '$session_entry_utm_campaign',
  },
  utmMedium: { of: 'sessions', column: 'source', duckdb: 'utm_medium', kind: 3, property: '$session_entry_utm_medium' },
  utmTerm: { of: 'sessions', column: 'source', duckdb: 'utm_term', kind: 3, property: '$session_entry_utm_term' },
  utmContent: {
    of: 'sessions',
    column: 'source',
    duckdb: 'utm_content',
    kind: 3,
    property: '$session_entry_utm_content',
  },
  country: { of: 'sessions', column: 'geo', duckdb: 'country', kind: 4, property: '$geoip_country_code' },
  language: { of: 'sessions', column: 'device', duckdb: 'language', kind: 2, property: '$browser_language' },
  timeZone: { of: 'sessions', column: 'device', duckdb: 'time_zone', kind: 2, property: '$timezone' },
  deviceType: { of: 'sessions', column: 'device', duckdb: 'device_type', kind: 2, property: '$device_type' },
  browser: { of: 'sessions', column: 'device', duckdb: 'browser', kind: 2, property: '$browser' },
  os: { of: 'sessions', column: 'device', duckdb: 'os', kind: 2, property: '$os' },
  viewportWidth: {
    ...{ of: 'sessions', column: 'device', duckdb: 'screen', kind: 2 },
    ...{ property: '$viewport_width', value: plain.widthOf(sql`p`) },
  },
  outbound: {
    ...{ of: 'events', column: 'elements', duckdb: 'outbound', kind: 6 },
    ...{ property: '$external_click_url', names: ['$autocapture'] },
  },
};

/** What the Overview shows before anybody has chosen another card's tab: those of these that the contract knows. */
const firstTabs = ['page', 'channel', 'country', 'deviceType', 'event'];

/** The procedures for days that are over. @param withAll every dimension, not only what the screen begins with */
export function questionsOf(data: Data, days: number, kept: plain.Kept | null, withAll: boolean): BenchQuery[] {
  const dimensions = breakdownDimensions.filter((dimension) => withAll || firstTabs.includes(dimension));
  return [
    overviewOf(data, days, kept),
    ...dimensions.map((dimension) => tableOf(data, days, dimension, kept)),
    hoursOf(data, days, kept),
    vitalsOf(data, days, kept),
    ...followOf(data, spansOf(data, days).range),
  ];
}

function hoursOf(data: Data, days: number, kept: plain.Kept | null): BenchQuery {
  const { project, now } = data;
  const { range, span } = spansOf(data, days);
  return {
    title: 'weekdays by hours',
    engine: (columns, filters) => runHeatmap(columns, project, { range, ...(filters && { filters }) }, now),
    others: {
      sql: [plain.hoursSql(project.id, span, project.timeZone, kept)],
      duckdb: [plain.duckHoursSql(span, project.timeZone, kept)],
    },
    same: ({ visitors, views }: Awaited<ReturnType<typeof runHeatmap>>, [cells]) =>
      JSON.stringify(visitors.flatMap((day, at) => day.map((count, hour) => [count, views[at]?.[hour]]))) ===
      JSON.stringify(
        Array.from({ length: 7 * 24 }, (_, cell) => {
          const found = cells?.find((each) => each['cell'] === cell);
          return [found?.['visitors'] ?? 0, found?.['views'] ?? 0];
        }),
      ),
  };
}

function vitalsOf(data: Data, days: number, kept: plain.Kept | null): BenchQuery {
  const { project, now } = data;
  const { range, span } = spansOf(data, days);
  return {
    title: 'web vitals',
    engine: (columns, filters) =>
      runVitals(columns, project, { range, vital: 'LCP', percentile: 75, limit: 8, ...(filters && { filters }) }, now),
    others: { sql: [plain.vitalsSql(project.id, span, kept)], duckdb: [plain.duckVitalsSql(span, kept)] },
    same({ vitals, pages }: Awaited<ReturnType<typeof runVitals>>, [rows = []]) {
      // Where numbers between two others come from is left to each.
      const isSame = (row: Record<string, unknown> | undefined, name: string, p75: number | null, samples: number) =>
        row?.[`${name}_count`] === samples && Math.abs(Number(row[`${name}_p75`]) - Number(p75)) < 1e-6;
      const [all, ...shown] = rows;
      return (
        vitalNames.every((name) => isSame(all, name, vitals[name].value, vitals[name].samples)) &&
        pages.length === shown.length &&
        pages.every(
          ({ page, value, samples }, at) => page === shown[at]?.['value'] && isSame(shown[at], 'LCP', value, samples),
        )
      );
    },
  };
}

/** Days of the shop's time zone, all of them over. */
export function spansOf(
  { now }: Data,
  days: number,
): { range: { from: string; to: string }; span: plain.Span; before: plain.Span } {
  const offset = 3 * 3_600_000;
  const until = Math.floor((now - offset) / DAY_MS) * DAY_MS + offset;
  const from = until - days * DAY_MS;
  const date = (ms: number) => new Date(ms - offset).toISOString().slice(0, 10);
  return {
    range: { from: date(from), to: date(until - 1) },
    span: { from, until },
    before: { from: from - days * DAY_MS, until: from },
  };
}

function overviewOf(data: Data, days: number, kept: plain.Kept | null): BenchQuery {
  const { project, now } = data;
  const { range, span, before } = spansOf(data, days);
  const spans = [span, before];
  return {
    title: 'overview and the period before',
    engine: (columns, filters) =>
      runOverview(columns, project, { range, compare: 'previous', ...(filters && { filters }) }, now),
    others: {
      sql: spans.flatMap((each) => [plain.viewsSql(project.id, each, kept), plain.visitsSql(project.id, each, kept)]),
      duckdb: spans.flatMap((each) => [plain.duckViewsSql(each, kept), plain.duckVisitsSql(each, kept)]),
    },
    same({ metrics }: Awaited<ReturnType<typeof runOverview>>, [views, visits]) {
      const [{ visitors, views: count }, { visits: visited, bounced, seconds }] = [views?.[0] ?? {}, visits?.[0] ?? {}];
      const { bounceRate, visitDuration } = metrics;
      return (
        metrics.visitors.value === visitors &&
        metrics.views.value === count &&
        metrics.visits.value === visited &&
        bounceRate.parts?.numerator === bounced &&
        Math.abs((visitDuration.parts?.numerator ?? 0) - Number(seconds)) < 1
      );
    },
  };
}

function tableOf(data: Data, days: number, dimension: BreakdownDimension, kept: plain.Kept | null): BenchQuery {
  const { project, now } = data;
  const { range, span, before } = spansOf(data, days);
  const spans = [span, before];
  const by = known[dimension];
  const isByName = dimension === 'event';
  return {
    title: dimension,
    engine: (columns, filters) =>
      runBreakdown(
        columns,
        project,
        { range, compare: 'previous', dimension, limit: 8, ...(filters && { filters }) },
        now,
      ),
    others: isByName
      ? {
          sql: spans.map((each) => plain.namesSql(project.id, each, kept)),
          duckdb: spans.map((each) => plain.duckNamesSql(each, kept)),
        }
      : by
        ? {
            sql: spans.map((each) => plain.tableSql(project.id, each, by, kept)),
            duckdb: spans.map((each) => plain.duckTableSql(each, by, kept)),
          }
        : null,
    same: ({ rows }: Awaited<ReturnType<typeof runBreakdown>>, [table]) =>
      JSON.stringify(rows.map(([, visitors, count]) => [visitors, count])) ===
      JSON.stringify(table?.map(({ visitors, count }) => [visitors, count])),
  };
}
