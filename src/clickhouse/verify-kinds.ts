/** A fixed set of queries of each project, by kind of insight, asked of both engines. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Columns, Rules } from '#src/columns/columns.ts';
import { AppError } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import { copiedColumns } from './columns.ts';
import type { ClickhouseConnection } from './connection.ts';
import { plain } from './target.ts';

export interface KindsCompared {
  /** Queries that both have answered: what ClickHouse does not answer is not compared. */
  queries: number;
  /** What differs, a sentence each. */
  findings: string[];
}

const DAYS = 30;
const NAMES = 3;

/** After the rows were compared: of days that are over, so that hardly anything comes meanwhile that only one of them counts. */
export async function compareKinds(
  deps: Pick<Deps, 'clock' | 'db' | 'log'>,
  house: ClickhouseConnection,
  engine: Columns,
): Promise<KindsCompared> {
  const { clock, db } = deps;
  let answeredBy = '';
  const copy = copiedColumns(engine, {
    ...deps,
    connection: async () => house,
    isForced: true,
    onAnswer: (by) => {
      answeredBy = by;
    },
  });
  const compared: KindsCompared = { queries: 0, findings: [] };
  const projects = await query<{ id: number }>(db, sql`select id from projects order by id`);
  const until = Math.floor(clock.now() / dayMs) * dayMs;
  for (const { id } of projects) {
    const names = await frequentNames(db, house, id, { from: until - DAYS * dayMs, until });
    if (names.length === 0) continue;
    for (const [kind, ask] of queriesOf(id, names, until)) {
      answeredBy = '';
      const copied = await inTime(() => ask(copy));
      if (copied === null || answeredBy !== 'clickhouse') continue;
      const stored = await inTime(() => ask(engine));
      if (stored === null) continue;
      compared.queries++;
      if (!isDeepStrictEqual(copied, stored)) {
        compared.findings.push(`Project ${id}, ${kind}: ClickHouse answers otherwise.`);
      }
    }
  }
  return compared;
}

/** The answer as JSON has it; null: it took too long. */
async function inTime(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify(await ask()));
  } catch (error) {
    if (error instanceof AppError && error.code === 'timeout') return null;
    throw error;
  }
}

/** Names of the most events in a span, the most frequent first. */
async function frequentNames(
  db: Knex,
  house: ClickhouseConnection,
  projectId: number,
  { from, until }: { from: number; until: number },
): Promise<string[]> {
  const counted = await house.query<{ event: number }>(
    sql`select event, count() as events from ${plain(`${house.database}.events`)}
         where project_id = ${projectId} and ts >= ${from} and ts < ${until}
         group by event order by events desc, event limit ${NAMES}`,
  );
  const numbers = counted.map(({ event }) => event);
  const rows = await query<{ number: number; name: string }>(
    db,
    sql`select number, name from event_names where project_id = ${projectId} and number = any(${numbers}::int[])`,
  );
  return numbers.flatMap((number) => rows.find((row) => row.number === number)?.name ?? []);
}

type Asking = [kind: string, ask: (columns: Columns) => Promise<unknown>];

/** Queries of the thirty days before a moment. */
export function queriesOf(projectId: number, names: readonly string[], until: number): Asking[] {
  const edges = Array.from({ length: DAYS + 1 }, (_, day) => until - (DAYS - day) * dayMs);
  const span = { from: edges[0] as number, until };
  const windows = edges.slice(1).map((end) => ({ from: end - dayMs, until: end }));
  const spans = [{ ...span, windows, total: span }];
  const scope = { projectId, filters: null };
  const rules = names.map((name): Rules => [{ names: [name], filters: [] }]);
  const [first = [], second = first] = rules;
  const series = rules.flatMap((each) => [
    { rules: each, measure: 'events' as const, spans },
    { rules: each, measure: 'persons' as const, spans },
  ]);
  const every: Rules = [{ names: null, filters: [] }];
  const byBrowser = { about: 'event' as const, name: '$browser' };
  return [
    [
      'overview',
      (columns) => columns.series({ ...scope, spans: [{ ...span, starts: edges.slice(0, -1) }], views: ['$pageview'] }),
    ],
    ['trends', (columns) => columns.trends({ ...scope, series, by: null, most: 5 })],
    [
      'trends by a property',
      (columns) =>
        columns.trends({ ...scope, series: [{ rules: every, measure: 'persons', spans }], by: byBrowser, most: 5 }),
    ],
    [
      'people behind a number',
      (columns) =>
        columns.pointPeople(
          {
            kind: 'trends',
            asked: { ...scope, series, by: null, most: 5 },
            point: { series: 1, value: '', in: { window: DAYS - 1 } },
          },
          { projectId, span, amounts: [] },
        ),
    ],
    [
      'funnel',
      (columns) =>
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
    ],
    [
      'retention',
      (columns) =>
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
    ],
    [
      'lifecycle and stickiness',
      (columns) => columns.activity({ ...scope, edges, did: every, minCount: 1, first: span.from }),
    ],
  ];
}
