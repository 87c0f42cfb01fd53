/** What tests of copying need: events that are stored as they come, a ClickHouse, processes that copy, and both sides to compare. */
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { NO_UUID } from '#src/clickhouse/tables.ts';
import type { Project } from '#src/projects/projects.ts';
import { type TestClickhouse, useClickhouse } from '#test/kit/clickhouse.ts';
import { type TestDatabase, useDatabase } from '#test/kit/database.ts';
import { type TestEngine, useEngine } from '../insights/engine.ts';
import { finishedEvent } from '../insights/histories.ts';
import type { Happened } from '../insights/reference.ts';

export interface Copying {
  readonly database: TestDatabase;
  readonly engine: TestEngine;
  readonly server: TestClickhouse;
  /** Known once `beforeAll` has run. */
  readonly project: Project;
  /** The last process that was begun. */
  readonly process: Clickhouse;
  /** A separate process: the memory of the last one is gone. */
  begin(): Clickhouse;
  /** Ends the connection of whoever copies, and with it the lock, as the end of a process does. */
  killConnection(): Promise<void>;
  store(events: number, more?: Partial<Happened>): Promise<Happened[]>;
  bothSides(): Promise<Sides>;
  expectEqual(): Promise<void>;
}

export interface Sides {
  stored: Side;
  copied: Side;
}

interface Side {
  events: string[];
  visits: string[];
  merges: string[];
}

export function useCopying(): Copying {
  const database = useDatabase({ between: 'nothing' });
  const engine = useEngine(database);
  const server = useClickhouse();
  const copying = {} as { -readonly [Key in keyof Copying]: Copying[Key] };
  let made = 0;
  beforeAll(async () => {
    copying.project = await engine.projects.create({ name: 'copied', timeZone: 'UTC' });
  });
  afterEach(() => server.fail(null));
  afterEach(() => copying.process?.stop());

  return Object.assign(copying, {
    database,
    engine,
    server,
    begin() {
      const { deps } = engine;
      const config = { ...deps.config, CLICKHOUSE_URL: server.url };
      copying.process = createClickhouse({ ...deps, config }, { batch: 40 }) as Clickhouse;
      return copying.process;
    },
    async killConnection() {
      await database.query(
        "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 713526 and database = (select oid from pg_database where datname = current_database())",
      );
    },
    async store(events: number, more: Partial<Happened> = {}) {
      const history = Array.from({ length: events }, (_, at) => ({ ...happened(made + at, at), ...more }));
      made += events;
      await engine.events.store(history.map((each) => finishedEvent(copying.project.id, each)));
      return history;
    },
    bothSides: () => readSides(database, server),
    async expectEqual() {
      const { stored, copied } = await readSides(database, server);
      expect(copied).toEqual(stored);
    },
  });
}

function happened(number: number, at: number): Happened {
  return {
    uuid: `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    event: at % 3 === 0 ? '$pageview' : 'bought',
    distinctId: `visitor ${number % 7}`,
    ts: Date.UTC(2026, number % 2, 1, 0, 0, at) + 1,
    session: at % 4 === 0 ? null : `018f0000-0000-7000-9000-${String(number % 13).padStart(12, '0')}`,
    bot: at % 10 === 9,
    path: `/page ${at % 5}`,
    referringDomain: null,
    plan: at % 2 === 0 ? `it's \\ "quoted"\n\tnew` : at / 4,
    loose: {
      list: at % 3 === 0,
      'name\\\'"': 'ção 🎉',
      ...(at % 4 !== 0 && { $window_id: `018f0000-0000-7000-a000-${String(number % 5).padStart(12, '0')}` }),
      ...(at % 5 !== 0 && { $device_id: `018f0000-0000-7000-b000-${String(number % 6).padStart(12, '0')}` }),
    },
  };
}

/** Both sides, as they are. */
async function readSides(database: TestDatabase, server: TestClickhouse): Promise<Sides> {
  const stored = await database.query<{ line: string }>(
    `select jsonb_build_array(project_id, (extract(epoch from ts) * 1000)::bigint, coalesce(session_id, 0), uuid, person, event,
            coalesce(page, 0), coalesce(window_id, '${NO_UUID}'), coalesce(device_id, '${NO_UUID}'), marks, coalesce((select jsonb_object_agg(key, value::text) from jsonb_each(properties)), '{}'))::text as line
       from events`,
  );
  const visits = await database.query<{ line: string }>(
    `select jsonb_build_array(project_id, id, (extract(epoch from first_ts) * 1000)::bigint, person, coalesce(entry_page, 0), views)::text as line
       from sessions`,
  );
  const merges = await database.query<{ line: string }>(
    'select jsonb_build_array(project_id, old_person, new_person)::text as line from person_overrides',
  );
  const columns = 'project_id, ts, session_id, uuid, person, event, page, window_id, device_id, marks, properties';
  const copied = await server.query<Record<string, unknown>>(`select ${columns} from luneta.events`);
  const copiedVisits = await server.query<Record<string, unknown>>(
    'select project_id, id, first_ts, person, entry_page, views from luneta.sessions final',
  );
  const copiedMerges = await server.query<Record<string, unknown>>(
    'select project_id, old_person, new_person from luneta.person_overrides final',
  );
  const lines = (rows: { line: string }[]) => rows.map(({ line }) => ordered(JSON.parse(line))).sort();
  const values = (rows: Record<string, unknown>[]) => rows.map((row) => ordered(Object.values(row))).sort();
  return {
    stored: { events: lines(stored), visits: lines(visits), merges: lines(merges) },
    copied: { events: values(copied), visits: values(copiedVisits), merges: values(copiedMerges) },
  };
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
