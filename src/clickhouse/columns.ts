/**
 * Queries of the engine, on ClickHouse where a project is switched to it. What ClickHouse does not answer the engine does, from PostgreSQL, which has all events: other
 * queries, those of projects whose copy is not complete, and all while ClickHouse is away.
 */
import type { Columns } from '#src/columns/columns.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { ClickhouseConnection } from './connection.ts';
import { clickhouseActivity } from './queries/activity.ts';
import { clickhouseFunnel } from './queries/funnel.ts';
import { clickhouseRetention } from './queries/retention.ts';
import { inProject, type QueryParts, Unsupported } from './queries/scope.ts';
import { clickhouseTrends } from './queries/trends.ts';
import { readState, readSwitched } from './state.ts';

export type CopiedQueries = Pick<Columns, 'trends' | 'activity' | 'retention' | 'funnel'>;

export interface CopiedColumnsParts extends Pick<Deps, 'clock' | 'db' | 'log'> {
  connection(): Promise<ClickhouseConnection>;
  /** Called with who answered; for tests. */
  onAnswer?: ((by: 'clickhouse' | 'engine', query: keyof CopiedQueries) => void) | undefined;
}

/** How long it is believed which projects are switched, and how far their copy is. */
const BELIEVED_MS = 10_000;
/** A copy that was complete within this time is used. */
const MAX_LAG_MS = 60_000;
/** After it did not answer, it is not asked for so long. */
const AWAY_MS = 10_000;

/** The same columns, with some of their queries answered by ClickHouse. */
export function copiedColumns<Engine extends CopiedQueries>(engine: Engine, parts: CopiedColumnsParts): Engine {
  const { clock, db, log, onAnswer } = parts;
  let believed: { at: number; projects: Promise<ReadonlySet<number>> } | null = null;
  let awayUntil = Number.NEGATIVE_INFINITY;

  async function readProjects(): Promise<ReadonlySet<number>> {
    const [projects, { caughtUpAt }] = await Promise.all([readSwitched(db), readState(db)]);
    const isFresh = caughtUpAt !== null && clock.now() - caughtUpAt <= MAX_LAG_MS;
    return new Set(isFresh ? projects : []);
  }

  function switchedProjects(): Promise<ReadonlySet<number>> {
    const now = clock.elapsed();
    if (believed !== null && now - believed.at < BELIEVED_MS) return believed.projects;
    // Without PostgreSQL the engine is asked, which says that it is away.
    const projects = readProjects().catch(() => new Set<number>());
    believed = { at: now, projects };
    return projects;
  }

  /** @throws AppError as the engine */
  async function answer<Query extends { projectId: number }, Answer>(
    name: keyof CopiedQueries,
    asked: Query,
    own: (parts: QueryParts, asked: Query) => Promise<Answer>,
    other: (asked: Query) => Promise<Answer>,
  ): Promise<Answer> {
    if (clock.elapsed() < awayUntil || !(await switchedProjects()).has(asked.projectId)) return other(asked);
    try {
      const { parts: ready, ready: placed } = await inProject(db, await parts.connection(), asked);
      const found = await own(ready, placed);
      onAnswer?.('clickhouse', name);
      return found;
    } catch (error) {
      if (!isLeftToEngine(error)) throw error;
      if (!(error instanceof Unsupported)) {
        awayUntil = clock.elapsed() + AWAY_MS;
        log.warn({ reason: (error as Error).message }, 'ClickHouse does not answer: insights run on PostgreSQL');
      }
      onAnswer?.('engine', name);
      return other(asked);
    }
  }

  return {
    ...engine,
    trends: (asked) => answer('trends', asked, clickhouseTrends, (given) => engine.trends(given)),
    activity: (asked) => answer('activity', asked, clickhouseActivity, (given) => engine.activity(given)),
    funnel: (asked) => answer('funnel', asked, clickhouseFunnel, (given) => engine.funnel(given)),
    retention: (asked) => answer('retention', asked, clickhouseRetention, (given) => engine.retention(given)),
  };
}

function isLeftToEngine(error: unknown): boolean {
  return error instanceof Unsupported || (error instanceof AppError && error.code === 'unavailable');
}
