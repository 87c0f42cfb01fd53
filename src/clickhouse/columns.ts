/**
 * Queries of the engine, on ClickHouse where a project is switched to it. What ClickHouse does not answer the engine does, from PostgreSQL, which has all events: other
 * queries, those of projects whose copy is not complete, and all while ClickHouse is away.
 */
import type { Columns } from '#src/columns/columns.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { ClickhouseConnection } from './connection.ts';
import { MAX_COPY_LAG_MS } from './contract.ts';
import { clickhouseActivity } from './queries/activity.ts';
import { clickhouseCells } from './queries/cells.ts';
import { clickhouseConversions, clickhouseVisitsWithout } from './queries/conversions.ts';
import { inProject, type QueryParts, Unsupported } from './queries/events.ts';
import { clickhouseFunnel } from './queries/funnel.ts';
import { clickhousePaths } from './queries/paths.ts';
import { clickhousePointGroups, clickhousePointPeople } from './queries/point-people.ts';
import { clickhouseRetention } from './queries/retention.ts';
import { clickhouseSeries } from './queries/series.ts';
import { clickhouseValues } from './queries/summaries.ts';
import { clickhouseTables } from './queries/tables.ts';
import { clickhouseTrends } from './queries/trends.ts';
import { readState, readSwitched } from './state.ts';

/** What ClickHouse can answer. */
export const copiedQueries = [
  'series',
  'tables',
  'conversions',
  'visitsWithout',
  'cells',
  'values',
  'trends',
  'activity',
  'retention',
  'funnel',
  'paths',
  'pointPeople',
  'pointGroups',
] as const;
export type CopiedQueries = Pick<Columns, (typeof copiedQueries)[number]>;

export interface CopiedColumnsParts extends Pick<Deps, 'clock' | 'db' | 'log'> {
  connection(): Promise<ClickhouseConnection>;
  /** Asks it about all projects, however old the copy is: to compare both. */
  isForced?: boolean;
  /** Called with who answered, and why the engine did; for tests. */
  onAnswer?:
    | ((by: 'clickhouse' | 'engine', query: keyof CopiedQueries, asked: object, why?: string) => void)
    | undefined;
}

/** How long it is believed which projects are switched, and how far their copy is. */
const BELIEVED_MS = 10_000;
/** After it did not answer, it is not asked for so long. */
const AWAY_MS = 10_000;

interface Copy {
  /** Identifies the tables; null: nothing is copied. */
  target: string | null;
  /** Those that it answers for. */
  projects: ReadonlySet<number>;
}

/** The same columns, with some of their queries answered by ClickHouse. */
export function copiedColumns(engine: Columns, parts: CopiedColumnsParts): Columns {
  const { clock, db, log, isForced = false, onAnswer } = parts;
  let believed: { at: number; copy: Promise<Copy> } | null = null;
  let awayUntil = Number.NEGATIVE_INFINITY;

  async function readCopy(): Promise<Copy> {
    const [projects, { caughtUpAt, target }] = await Promise.all([readSwitched(db), readState(db)]);
    const isFresh = caughtUpAt !== null && clock.now() - caughtUpAt <= MAX_COPY_LAG_MS;
    return { target, projects: new Set(isFresh ? projects : []) };
  }

  function believedCopy(): Promise<Copy> {
    const now = clock.elapsed();
    if (believed !== null && now - believed.at < BELIEVED_MS) return believed.copy;
    // Without PostgreSQL the engine is asked, which says that it is away.
    const copy = readCopy().catch(() => ({ target: null, projects: new Set<number>() }));
    believed = { at: now, copy };
    return copy;
  }

  /** Tables that were emptied meanwhile have answered of a part. @throws Unsupported */
  async function checkStillFilled(target: string | null): Promise<void> {
    const now = await readState(db);
    if (now.target !== target || now.caughtUpAt === null) throw new Unsupported('filled again');
  }

  /** @param signal ends the query on ClickHouse when it fires. @throws AppError as the engine */
  async function answerUntil<Query extends { projectId: number }, Answer>(
    signal: AbortSignal | undefined,
    name: keyof CopiedQueries,
    asked: Query,
    own: (parts: QueryParts, asked: Query) => Promise<Answer>,
    other: (asked: Query) => Promise<Answer>,
  ): Promise<Answer> {
    const { target, projects } = await believedCopy();
    const isAsked = isForced || (clock.elapsed() >= awayUntil && projects.has(asked.projectId));
    if (!isAsked) return other(asked);
    try {
      const { parts: ready, ready: placed } = await inProject(db, endingWith(await parts.connection(), signal), asked);
      const found = await own(ready, placed);
      if (!isForced) await checkStillFilled(target);
      onAnswer?.('clickhouse', name, asked);
      return found;
    } catch (error) {
      if (signal?.aborted) throw new Cancelled();
      if (!isLeftToEngine(error)) throw error;
      if (!(error instanceof Unsupported)) {
        awayUntil = clock.elapsed() + AWAY_MS;
        log.warn({ reason: (error as Error).message }, 'ClickHouse does not answer: insights run on PostgreSQL');
      }
      onAnswer?.('engine', name, asked, (error as Error).message);
      return other(asked);
    }
  }

  function over(engine: Columns, signal?: AbortSignal): Columns {
    function answer<Query extends { projectId: number }, Answer>(
      name: keyof CopiedQueries,
      asked: Query,
      own: (parts: QueryParts, asked: Query) => Promise<Answer>,
      other: (asked: Query) => Promise<Answer>,
    ): Promise<Answer> {
      return answerUntil(signal, name, asked, own, other);
    }
    return {
      ...engine,
      cancellable: (ending) => over(engine.cancellable(ending), ending),
      series: (asked) => answer('series', asked, clickhouseSeries, () => engine.series(asked)),
      tables: (question, dimensions, selection = null) =>
        answer('tables', { ...question, dimensions, selection }, clickhouseTables, () =>
          engine.tables(question, dimensions, selection),
        ),
      conversions: (question, selections, { byVisit = false } = {}) =>
        answer('conversions', { ...question, selections, byVisit }, clickhouseConversions, () =>
          engine.conversions(question, selections, { byVisit }),
        ),
      visitsWithout: (question, selections) =>
        answer('visitsWithout', { ...question, selections }, clickhouseVisitsWithout, () =>
          engine.visitsWithout(question, selections),
        ),
      cells: (question, division) =>
        answer(
          'cells',
          question,
          (ready, placed) => clickhouseCells(ready, placed, division),
          () => engine.cells(question, division),
        ),
      values: (question, asked) =>
        answer('values', { ...question, asked }, clickhouseValues, () => engine.values(question, asked)),
      trends: (asked) => answer('trends', asked, clickhouseTrends, (given) => engine.trends(given)),
      activity: (asked) => answer('activity', asked, clickhouseActivity, (given) => engine.activity(given)),
      funnel: (asked) => answer('funnel', asked, clickhouseFunnel, (given) => engine.funnel(given)),
      paths: (asked) => answer('paths', asked, clickhousePaths, (given) => engine.paths(given)),
      retention: (asked) => answer('retention', asked, clickhouseRetention, (given) => engine.retention(given)),
      pointPeople: (question, figures) =>
        answer('pointPeople', { projectId: figures.projectId, ...question, figures }, clickhousePointPeople, () =>
          engine.pointPeople(question, figures),
        ),
      pointGroups: (question) =>
        answer('pointGroups', { projectId: question.asked.projectId, ...question }, clickhousePointGroups, () =>
          engine.pointGroups(question),
        ),
    };
  }

  return over(engine);
}

/** The same connection, whose queries end when the signal fires. */
function endingWith(house: ClickhouseConnection, signal: AbortSignal | undefined): ClickhouseConnection {
  if (signal === undefined) return house;
  return {
    ...house,
    query: (fragment) => house.query(fragment, { signal }),
    stream: (fragment) => house.stream(fragment, { signal }),
  };
}

function isLeftToEngine(error: unknown): boolean {
  return error instanceof Unsupported || (error instanceof AppError && error.code === 'unavailable');
}
