/** A fixed set of queries of a project, by kind of insight: those that are asked of both engines to compare them. */
import type { Columns, EventRule, Rules } from '#src/columns/columns.ts';
import type { GroupSubject } from '#src/columns/values.ts';
import { dayMs, hourMs, weekdayOf } from '#src/kit/zone.ts';

export interface KindQuery {
  /** In the words of the documents. */
  kind: string;
  ask(columns: Columns): Promise<unknown>;
  /** True when the rows of its answers come in no particular order. */
  isUnordered?: boolean;
}

/** What is asked about. */
export interface AskedProject {
  projectId: number;
  /** Of the most events, the most frequent first. */
  names: readonly string[];
  /** Group types with events. */
  groups: readonly GroupSubject[];
  hasVitals: boolean;
  /** The queries are about the thirty days before it, ms. */
  until: number;
}

export const DAYS = 30;
const HOURS_OF_WEEK = 7 * 24;
const VIEWS = ['$pageview', '$screen'];

/** All kinds that the project has events for. */
export function queriesOf(asked: AskedProject): KindQuery[] {
  return [...webQueries(asked), ...trendQueries(asked), ...peopleQueries(asked), ...groupQueries(asked)];
}

/** Shapes that several queries have. */
function shapesOf({ projectId, names, until }: AskedProject) {
  const edges = Array.from({ length: DAYS + 1 }, (_, day) => until - (DAYS - day) * dayMs);
  const span = { from: edges[0] as number, until };
  const windows = edges.slice(1).map((end) => ({ from: end - dayMs, until: end }));
  const rules = names.map((name): EventRule[] => [{ names: [name], filters: [] }]);
  const [first = [], second = first] = rules;
  const every: Rules = [{ names: null, filters: [] }];
  return {
    edges,
    span,
    windows,
    spans: [{ ...span, windows, total: span }],
    scope: { projectId, filters: null },
    question: { projectId, filters: null, views: VIEWS, spans: [{ ...span, starts: edges.slice(0, -1) }] },
    rules,
    first,
    second,
    every,
  };
}

function webQueries(asked: AskedProject): KindQuery[] {
  const { question, first, span } = shapesOf(asked);
  const selections = [{ rules: first, amount: null }];
  const wholeSpan = { ...question, spans: [{ ...span, starts: [] }] };
  const page = { kind: 'page' as const, names: ['$pathname'] };
  const figure = { property: '$web_vitals_LCP_value', quantile: 0.75, limits: [2_500, 4_000] };
  const vitals: KindQuery = {
    kind: 'web vitals',
    isUnordered: true,
    ask: (columns) => columns.values(wholeSpan, { names: ['$web_vitals'], by: page, figures: [figure] }),
  };
  return [
    { kind: 'overview', ask: (columns) => columns.series({ ...question, withMedian: true }) },
    {
      kind: 'tables',
      isUnordered: true,
      ask: (columns) =>
        columns.tables(wholeSpan, [
          { of: 'events', reading: page },
          { of: 'sessions', field: 'source' },
          { of: 'sessions', field: 'browser' },
          { of: 'sessions', field: 'entryPath' },
        ]),
    },
    {
      kind: 'goals',
      ask: async (columns) => [
        await columns.conversions(question, selections, { byVisit: true }),
        await columns.visitsWithout(wholeSpan, selections),
      ],
    },
    { kind: 'heatmap', ask: (columns) => columns.cells(wholeSpan, hoursOfWeek) },
    ...(asked.hasVitals ? [vitals] : []),
  ];
}

/** Hours of the week in UTC. */
const hoursOfWeek: Parameters<Columns['cells']>[1] = {
  cells: HOURS_OF_WEEK,
  isInQuarters: true,
  between(from, until) {
    const first = Math.floor(from / hourMs);
    const length = Math.ceil(until / hourMs) - first;
    return Array.from({ length }, (_, at) => {
      const begin = (first + at) * hourMs;
      const day = Math.floor(begin / dayMs);
      const cell = weekdayOf(day) * 24 + (begin - day * dayMs) / hourMs;
      return { from: Math.max(begin, from), until: Math.min(begin + hourMs, until), cell };
    });
  },
};

function trendQueries(asked: AskedProject): KindQuery[] {
  const { scope, spans, span, rules, every } = shapesOf(asked);
  const series = rules.flatMap((each) => [
    { rules: each, measure: 'events' as const, spans },
    { rules: each, measure: 'persons' as const, spans },
  ]);
  const byBrowser = { about: 'event' as const, name: '$browser' };
  const ofPeople = [{ rules: every, measure: 'persons' as const, spans }];
  return [
    { kind: 'trends', ask: (columns) => columns.trends({ ...scope, series, by: null, most: 5 }) },
    {
      kind: 'trends by a property',
      ask: (columns) => columns.trends({ ...scope, series: ofPeople, by: byBrowser, most: 5 }),
    },
    {
      kind: 'people behind a number',
      ask: (columns) =>
        columns.pointPeople(
          {
            kind: 'trends',
            asked: { ...scope, series, by: null, most: 5 },
            point: { series: 1, value: '', in: { window: DAYS - 1 } },
          },
          { projectId: scope.projectId, span, amounts: [] },
        ),
    },
  ];
}

function peopleQueries(asked: AskedProject): KindQuery[] {
  const { scope, span, edges, windows, first, second, every } = shapesOf(asked);
  return [
    {
      kind: 'funnel',
      ask: (columns) =>
        columns.funnel({
          ...scope,
          span,
          starts: edges.slice(0, -1),
          earlier: null,
          steps: [first, second],
          optional: [],
          order: 'ordered',
          windowMs: 7 * dayMs,
          exclusions: [],
          of: 'persons',
          by: null,
          attribution: 'first',
          most: 5,
        }),
    },
    {
      kind: 'retention',
      ask: (columns) =>
        columns.retention({
          ...scope,
          edges,
          start: first,
          back: every,
          kind: 'recurring',
          first: span.from,
          least: 1,
          isRolling: false,
          columns: windows.map((_, day) => ({ from: day, to: day })),
          by: null,
          most: 5,
        }),
    },
    {
      kind: 'lifecycle and stickiness',
      ask: (columns) => columns.activity({ ...scope, edges, did: every, minCount: 1, first: span.from }),
    },
    {
      kind: 'paths',
      isUnordered: true,
      ask: (columns) =>
        columns.paths({
          ...scope,
          span,
          steps: [{ names: VIEWS, filters: [] }],
          by: { about: 'step', of: 'pages', views: VIEWS },
          nodeOf: (text) => (text === '' ? null : text),
          nodesKey: 'verify',
          length: 5,
          start: null,
          end: null,
          pauseMs: 30 * 60_000,
          after: null,
        }),
    },
  ];
}

/** One query for each group type. */
function groupQueries(asked: AskedProject): KindQuery[] {
  const { scope, spans, every } = shapesOf(asked);
  return asked.groups.map((measure) => ({
    kind: `groups (${measure})`,
    ask: (columns) => columns.trends({ ...scope, series: [{ rules: every, measure, spans }], by: null, most: 5 }),
  }));
}
