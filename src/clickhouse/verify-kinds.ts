/** A fixed set of queries of each project, by kind of insight, asked of both engines. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Columns } from '#src/columns/columns.ts';
import { groupSubjects, keyProperty } from '#src/columns/values.ts';
import { AppError } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { copiedColumns } from './columns.ts';
import type { ClickhouseConnection } from './connection.ts';
import { plain } from './target.ts';
import { type AskedProject, DAYS, queriesOf } from './verify-queries.ts';

export interface KindCompared {
  project: number;
  kind: string;
  /** `left`: ClickHouse does not answer it, or one of them took too long. */
  found: 'equal' | 'different' | 'left';
}

export interface KindsCompared {
  /** Queries that both have answered: what ClickHouse does not answer is not compared. */
  queries: number;
  /** What differs, a sentence each. */
  findings: string[];
}

const NAMES = 3;

/** After the rows were compared: of days that are over, so that hardly anything comes meanwhile that only one of them counts. */
export async function compareKinds(
  deps: Pick<Deps, 'clock' | 'db' | 'log'>,
  house: ClickhouseConnection,
  engine: Columns,
  onKind: (compared: KindCompared) => void = () => undefined,
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
  for (const { id: project } of projects) {
    const asked = await askedProject(db, house, project, until);
    if (asked.names.length === 0) continue;
    for (const { kind, ask, isUnordered = false } of queriesOf(asked)) {
      answeredBy = '';
      const copied = await inTime(() => ask(copy));
      const isAnswered = copied !== null && answeredBy === 'clickhouse';
      const stored = isAnswered ? await inTime(() => ask(engine)) : null;
      if (stored === null) {
        onKind({ project, kind, found: 'left' });
        continue;
      }
      compared.queries++;
      const isEqual = isDeepStrictEqual(comparable(copied, isUnordered), comparable(stored, isUnordered));
      if (!isEqual) compared.findings.push(`Project ${project}, ${kind}: ClickHouse answers otherwise.`);
      onKind({ project, kind, found: isEqual ? 'equal' : 'different' });
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

/** Digits in which sums of fractions agree that were added up in different orders. */
const DIGITS = 12;

/** An answer as it is compared. @param isUnordered rows are put in an order */
export function comparable(value: unknown, isUnordered: boolean): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(DIGITS));
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each, isUnordered)]));
  }
  const all = value.map((each) => comparable(each, isUnordered));
  const areRows = isUnordered && all.every((each) => typeof each === 'object' && !Array.isArray(each));
  if (!areRows) return all;
  const texts = new Map(all.map((each) => [each, JSON.stringify(entriesOf(each))]));
  const textOf = (each: unknown) => texts.get(each) ?? '';
  return all.sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

/** In the order of their names, which both engines need not have in common. */
function entriesOf(each: unknown): unknown {
  return Object.entries(each ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** What there is to ask about a project, by its events of the days before a moment. */
async function askedProject(
  db: Knex,
  house: ClickhouseConnection,
  projectId: number,
  until: number,
): Promise<AskedProject> {
  const from = until - DAYS * dayMs;
  const inSpan = sql`${plain(`${house.database}.events`)} where project_id = ${projectId} and ts >= ${from} and ts < ${until}`;
  const [names, vitals, groups] = await Promise.all([
    frequentNames(db, house, projectId, inSpan),
    query<{ number: number }>(
      db,
      sql`select number from event_names where project_id = ${projectId} and name = '$web_vitals'`,
    ),
    house.query<{ groups: number[] }>(
      sql`select [${sql.join(groupSubjects.map((subject) => sql`max(mapContains(properties, ${keyProperty(subject)}))`))}] as groups from ${inSpan}`,
    ),
  ]);
  const has = groups[0]?.groups ?? [];
  return {
    projectId,
    names,
    groups: groupSubjects.filter((_, type) => has[type] === 1),
    hasVitals: vitals.length > 0,
    until,
  };
}

/** Names of the most events, the most frequent first. @param inSpan table and condition of ClickHouse */
async function frequentNames(db: Knex, house: ClickhouseConnection, projectId: number, inSpan: Sql): Promise<string[]> {
  const counted = await house.query<{ event: number }>(
    sql`select event, count() as events from ${inSpan} group by event order by events desc, event limit ${NAMES}`,
  );
  const numbers = counted.map(({ event }) => event);
  const rows = await query<{ number: number; name: string }>(
    db,
    sql`select number, name from event_names where project_id = ${projectId} and number = any(${numbers}::int[])`,
  );
  return numbers.flatMap((number) => rows.find((row) => row.number === number)?.name ?? []);
}
