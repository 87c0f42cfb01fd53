/** What is asked of ClickHouse about events that PostgreSQL does not have any more. */
import type { Knex } from 'knex';
import { type DroppedEvents, droppedUntil } from '#src/events/dropped.ts';
import { busy, unavailable } from '#src/kit/errors.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { isChanging, readState } from '../state.ts';
import { plain } from '../target.ts';
import { numberSet } from '../text.ts';
import { eraseDropped } from './erase.ts';
import { keptEvents } from './kept.ts';

export interface DroppedParts {
  db: Knex;
  /** Null without CLICKHOUSE_URL. */
  connection: (() => Promise<ClickhouseConnection>) | null;
}

interface Dropped {
  house: ClickhouseConnection;
  /** Their end, ms. */
  until: number;
  /** True of the project's dropped events. */
  kept: Sql;
}

/** Numbers in one statement. */
const NUMBERS = 50_000;

export function createDroppedEvents({ db, connection }: DroppedParts): DroppedEvents {
  /** Null: the project has none. @throws AppError `unavailable` when they cannot be asked about */
  async function dropped(projectId: number): Promise<Dropped | null> {
    const [until, kept] = await Promise.all([droppedUntil(db, projectId), keptEvents(db, 'events.', projectId)]);
    if (until === null || kept === null) return null;
    const [lost] = await query(db, sql`select 1 as one from dropped_months where lost_at is not null limit 1`);
    const { caughtUpAt } = await readState(db);
    if (connection === null || lost !== undefined || caughtUpAt === null) {
      throw unavailable('Some events are in ClickHouse alone, which does not have all of them now. See Status.', 60);
    }
    return { house: await connection(), until, kept };
  }

  async function isBusy({ projectId }: { projectId: number }): Promise<boolean> {
    if ((await droppedUntil(db, projectId)) === null) return false;
    return isChanging(db, projectId);
  }

  const theirs = ({ house, kept }: Dropped): Sql => sql`${plain(`${house.database}.events`)} as events where ${kept}`;

  return {
    isBusy,
    async groupsOf(projectId, kind, persons) {
      const ready = await dropped(projectId);
      if (ready === null || persons.length === 0) return [];
      const column = sql.id(kind);
      const rows = await ready.house.query<{ number: number }>(
        sql`select distinct ${column} as number from ${theirs(ready)}
              and person in ${numberSet(persons)} and ${column} <> 0`,
      );
      return rows.map(({ number }) => number);
    },
    async groupsNamed(projectId, kind, numbers, except) {
      const ready = await dropped(projectId);
      if (ready === null || numbers?.length === 0) return [];
      const column = sql.id(kind);
      const found: number[] = [];
      for (let at = 0; at < (numbers?.length ?? 1); at += NUMBERS) {
        const among =
          numbers === null ? sql`${column} <> 0` : sql`${column} in ${numberSet(numbers.slice(at, at + NUMBERS))}`;
        const rows = await ready.house.query<{ number: number }>(
          sql`select distinct ${column} as number from ${theirs(ready)}
                and ${among} and person not in ${numberSet(except)}`,
        );
        for (const { number } of rows) found.push(number);
      }
      return found;
    },
    async countOf(projectId, persons) {
      const ready = await dropped(projectId);
      if (ready === null) return { events: 0, views: 0 };
      const names = await query<{ number: number }>(
        db,
        sql`select number from event_names where project_id = ${projectId} and name in ('$pageview', '$screen')`,
      );
      const [row] = await ready.house.query<{ events: number; views: number }>(
        sql`select count() as events, countIf(event in ${numberSet(names.map(({ number }) => number))}) as views
              from ${theirs(ready)} and person in ${numberSet(persons)}`,
      );
      return row ?? { events: 0, views: 0 };
    },
    async erase({ projectId, persons }) {
      const ready = await dropped(projectId);
      if (ready === null) return { events: 0, sessions: 0 };
      if (await isBusy({ projectId })) throw busy('Earlier changes are still being applied in ClickHouse.', 60);
      return eraseDropped({ db, ...ready }, projectId, persons);
    },
  };
}
