/** Queries of every kind, generated for a project of which only the names of its events are known: the same list for the same names. */
import type { BreakdownDimension } from '#src/insights/contract.ts';
import type { AnyKind } from '#src/insights/kinds/all-kinds.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';

import { sql } from '#src/store/sql.ts';
import { known } from './questions-asked.ts';
import * as plain from './questions-sql.ts';

export interface GeneratedQuery {
  /** Where its times are added up. */
  group: string;
  /** What it asks, in a few words. */
  name: string;
  kind: AnyKind;
  input: unknown;
  /** The same in DuckDB; null: it is not asked. */
  duckdb: ((span: plain.Span) => string[]) | null;
}

const ranges = ['last_7_days', 'last_30_days', 'last_90_days'] as const;

/** Conditions, and what they are in DuckDB. */
const conditions = [
  null,
  [{ about: 'event', name: '$browser', operator: 'equals', values: ['Safari'] }, "browser = 'Safari'"],
  [{ about: 'event', name: '$pathname', operator: 'contains', values: ['a'] }, "path ilike '%a%'"],
  [
    { about: 'session', name: 'channel', operator: 'equals', values: ['Direct'] },
    "session_id in (select id from sessions where channel = 'Direct')",
  ],
  [
    { about: 'session', name: 'seconds', operator: 'gt', values: [60] },
    "session_id in (select id from sessions where last_ts - first_ts > interval '60 seconds')",
  ],
  [
    { about: 'person', name: 'plan', operator: 'isSet', values: [] },
    'person in (select number from persons where plan is not null)',
  ],
] as const;

const breakdowns = [
  { about: 'event', name: '$browser' },
  { about: 'event', name: '$pathname' },
  { about: 'session', name: 'source' },
  { about: 'person', name: 'plan' },
  { about: 'name' },
] as const;

const dimensions = [
  ...(['page', 'entryPage', 'exitPage', 'source', 'channel', 'country'] as const),
  ...(['browser', 'os', 'deviceType', 'utmCampaign', 'event', 'outbound'] as const),
];

/** @param names of the project's events, the commonest first */
export function generateQueries(names: readonly string[]): GeneratedQuery[] {
  const found: GeneratedQuery[] = [];
  const add = (
    name: string,
    kind: unknown,
    input: object,
    duckdb: ((span: plain.Span, kept: plain.Kept | null) => string[]) | null = null,
  ) => {
    // Each of the lists in turn, so that combinations differ.
    const range = ranges[found.length % ranges.length];
    const [condition, ofDuckdb] = conditions[(found.length + Math.floor(found.length / 6)) % conditions.length] ?? [
      null,
      '',
    ];
    const filters = condition && { match: 'all', of: [condition] };
    const about = condition === null ? '' : `, ${condition.about} ${condition.name}`;
    const kept = condition && { postgres: sql.empty, duckdb: ofDuckdb };
    found.push({
      group: name.split(/[ ,]/, name.startsWith('funnel') ? 2 : 1).join(' '),
      name: `${name}, ${range}${about}`,
      kind: kind as AnyKind,
      input: { range, ...(filters && { filters }), ...input },
      duckdb: duckdb && ((span) => duckdb(span, kept)),
    });
  };
  const [first = '$pageview', second = '$pageview', third = '$pageview'] = names;
  const event = (name: string) => ({ event: name });
  for (let at = 0; at < 12; at++) {
    add('overview', kinds.overview, { compare: 'none' }, (span, kept) => [
      plain.duckViewsSql(span, kept),
      plain.duckVisitsSql(span, kept),
    ]);
    add('overview, compared', kinds.overview, { compare: 'previous' });
  }
  for (const dimension of dimensions) {
    add(`table ${dimension}`, kinds.breakdown, { dimension, limit: 8, compare: 'none' }, tableSql(dimension));
    add(`table ${dimension} in full`, kinds.breakdown, { dimension, limit: 8, more: true, compare: 'none' });
  }
  add('heatmap', kinds.heatmap, {}, (span, kept) => [plain.duckHoursSql(span, 'UTC', kept)]);
  for (const vital of ['LCP', 'INP']) add(`vitals ${vital}`, kinds.vitals, { vital });
  for (const measure of ['events', 'persons', 'visits', 'dau', 'wau', 'firstEver', { eventsPerPerson: 'median' }]) {
    const series = [{ event: event(first), measure }];
    const duckdb = measure === 'events' || measure === 'persons' ? trendSql(first, measure, null) : null;
    add(`trend ${JSON.stringify(measure)}`, kinds.trends, { series }, duckdb);
    add(`trend ${JSON.stringify(measure)}, compared`, kinds.trends, { series, compare: 'previous' });
  }
  for (const breakdown of breakdowns) {
    for (const measure of ['events', 'persons'] as const) {
      const input = { series: [{ event: event(first), measure }], breakdown, limit: 5 };
      const by = breakdown.about === 'event' ? duckdbNames[breakdown.name] : undefined;
      const duckdb = by === undefined ? null : trendSql(first, measure, by);
      add(`trend ${measure} by ${JSON.stringify(breakdown)}`, kinds.trends, input, duckdb);
    }
  }
  const steps = [first, second, third].map(event);
  for (const order of ['ordered', 'strict', 'any']) {
    const duckdb =
      order === 'ordered'
        ? (span: plain.Span, kept: plain.Kept | null) => [plain.duckFunnelSql(span, [first, second, third], kept)]
        : null;
    add(`funnel ${order}`, kinds.funnel, { steps, order }, duckdb);
    add(`funnel ${order} of visits`, kinds.funnel, { steps, order, per: 'visits' });
    for (const breakdown of breakdowns.slice(0, 3)) {
      add(`funnel ${order} by ${breakdown.about}`, kinds.funnel, { steps, order, breakdown, limit: 5 });
    }
  }
  for (const kind of ['recurring', 'firstEver', 'firstMatching']) {
    const events = { startEvent: event(first), returningEvent: event(second) };
    const duckdb =
      kind === 'recurring'
        ? (span: plain.Span, kept: plain.Kept | null) => [plain.duckRetentionSql(span, [first, second], kept)]
        : null;
    add(`retention ${kind}`, kinds.retention, { ...events, kind, period: 'week' }, duckdb);
    add(`retention ${kind} by browser`, kinds.retention, {
      ...{ ...events, kind, period: 'week', limit: 5 },
      breakdown: breakdowns[0],
    });
  }
  for (const name of [first, second]) {
    add('lifecycle', kinds.lifecycle, { event: event(name) });
    add('stickiness', kinds.stickiness, { event: event(name) });
  }
  for (const stepType of ['pages', 'events', 'all']) add(`paths ${stepType}`, kinds.paths, { stepType });
  return found;
}

/** Properties of events that DuckDB has as columns. */
const duckdbNames: Readonly<Record<string, string>> = { $browser: 'browser', $pathname: 'path' };

function trendSql(name: string, measure: 'events' | 'persons', by: string | null) {
  return (span: plain.Span, kept: plain.Kept | null) => [plain.duckTrendSql(span, { name, measure, by }, kept)];
}

function tableSql(dimension: BreakdownDimension) {
  const by = known[dimension];
  if (dimension === 'event') return (span: plain.Span, kept: plain.Kept | null) => [plain.duckNamesSql(span, kept)];
  return by ? (span: plain.Span, kept: plain.Kept | null) => [plain.duckTableSql(span, by, kept)] : null;
}
