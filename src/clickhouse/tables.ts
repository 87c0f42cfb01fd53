/**
 * The tables in ClickHouse, as versioned migrations, and the SQL that reads their rows in PostgreSQL. Numbers mean what they mean there (`persons.number`,
 * `property_groups.number`, …); 0 is none, of uuids `NO_UUID`. Persons, groups, cohorts and names stay in PostgreSQL alone.
 */
import { type Sql, sql } from '#src/store/sql.ts';

interface Table {
  /** Columns with their types, in the order in which rows are sent. */
  columns: Readonly<Record<string, string>>;
  engine: 'MergeTree' | 'ReplacingMergeTree(version, deleted)';
  order: string;
  partition?: string;
  /** Divides rows among shards; null: each replica has all. */
  shard: string | null;
}

const MONTH_MS = 2_629_800_000;

/** Stands for none. */
export const NO_UUID = '00000000-0000-0000-0000-000000000000';

/** Copied tables. `version`: number of the insert; of rows that replace others, the latest counts. Times are in ms. */
export const tables = {
  events: {
    columns: {
      project_id: 'UInt32',
      ts: 'Int64 codec(DoubleDelta, ZSTD)',
      received_at: 'Int64 codec(Delta, ZSTD)',
      session_id: 'UInt64 codec(ZSTD)',
      uuid: 'UUID codec(ZSTD)',
      person: 'UInt32',
      distinct_id: 'UInt32',
      event: 'UInt32',
      page: 'UInt32',
      device: 'UInt32',
      source: 'UInt32',
      geo: 'UInt32',
      flags: 'UInt32',
      elements: 'UInt32',
      window_id: 'UUID codec(ZSTD)',
      device_id: 'UUID codec(ZSTD)',
      epoch: 'UInt32',
      marks: 'UInt16',
      version: 'UInt64 codec(Delta, ZSTD)',
      properties: 'Map(LowCardinality(String), String) codec(ZSTD)',
    },
    engine: 'MergeTree',
    // Events by their day and name: queries name both.
    order: 'project_id, intDiv(ts, 86400000), event, person, ts',
    partition: `intDiv(ts, ${MONTH_MS})`,
    shard: 'cityHash64(project_id, person)',
  },
  sessions: {
    columns: {
      project_id: 'UInt32',
      id: 'UInt64',
      first_ts: 'Int64',
      last_ts: 'Int64',
      person: 'UInt32',
      device: 'UInt32',
      geo: 'UInt32',
      source: 'UInt32',
      entry_page: 'UInt32',
      exit_page: 'UInt32',
      views: 'UInt32',
      screens: 'UInt32',
      autocaptures: 'UInt32',
      bot: 'UInt8',
      version: 'UInt64',
      deleted: 'UInt8',
    },
    engine: 'ReplacingMergeTree(version, deleted)',
    order: 'project_id, id',
    // The person of a visit changes: its number does not.
    shard: 'cityHash64(project_id, id)',
  },
  person_overrides: {
    columns: {
      project_id: 'UInt32',
      old_person: 'UInt32',
      new_person: 'UInt32',
      version: 'UInt64',
      deleted: 'UInt8',
    },
    engine: 'ReplacingMergeTree(version, deleted)',
    order: 'project_id, old_person',
    shard: null,
  },
} satisfies Record<string, Table>;
export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

export interface Place {
  database: string;
  cluster: string | undefined;
}

/** Name of the table that holds the rows of one server. */
export function storedTable(table: TableName, { cluster }: Pick<Place, 'cluster'>): string {
  return cluster !== undefined && tables[table].shard !== null ? `${table}_stored` : table;
}

/** Added to statements that each server of a cluster runs. */
export function onCluster({ cluster }: Pick<Place, 'cluster'>): string {
  return cluster === undefined ? '' : ` on cluster \`${cluster}\``;
}

export interface ClickhouseMigration {
  name: string;
  statements(place: Place): string[];
}

/** In order; each can be run again after it was cut short. Never change one that was released. */
export const clickhouseMigrations: readonly ClickhouseMigration[] = [
  { name: '0001-tables', statements: (place) => tableNames.flatMap((table) => createTable(table, place)) },
  { name: '0002-event-ids', statements: (place) => [...addEventIds(place), addLayout(place)] },
  { name: '0003-property-keys', statements: indexProperties },
];

/**
 * Rows are ordered by event, so most of them are skipped when a property is looked for. Of rows that are there the index is made in the background; until then
 * they are all read.
 */
function indexProperties(place: Place): string[] {
  const table = `${place.database}.${storedTable('events', place)}${onCluster(place)}`;
  return [
    `alter table ${table} add index if not exists property_keys mapKeys(properties) type bloom_filter(0.001) granularity 1`,
    `alter table ${table} materialize index property_keys settings mutations_sync = 0`,
  ];
}

/** For tables that were made without them. */
function addEventIds(place: Place): string[] {
  const { window_id: windowId, device_id: deviceId } = tables.events.columns;
  const added = `add column if not exists window_id ${windowId}, add column if not exists device_id ${deviceId}`;
  // The table that divides rows among shards comes after those that hold them.
  const names = new Set([storedTable('events', place), 'events']);
  return [...names].map((table) => `alter table ${place.database}.${table}${onCluster(place)} ${added}`);
}

/** Of the rows that are sent. Tables with rows of an earlier layout, also by a process of an earlier version, are filled again. */
export const LAYOUT = 2;

function addLayout(place: Place): string {
  return `alter table ${place.database}.inserts${onCluster(place)} add column if not exists layout UInt16`;
}

/** What is known of the tables themselves: their migrations, and what was inserted. */
export function ownTables(place: Place): string[] {
  const { database } = place;
  const there = onCluster(place);
  const engine = place.cluster === undefined ? 'MergeTree' : 'ReplicatedMergeTree';
  return [
    `create database if not exists ${database}${there}`,
    `create table if not exists ${database}.migrations${there} (name String) engine = ${engine}${everywhere(place)} order by name`,
    `create table if not exists ${database}.inserts${there} (target UUID, number UInt64) engine = ${engine}${everywhere(place)} order by number`,
  ];
}

function createTable(name: TableName, place: Place): string[] {
  const { database, cluster } = place;
  const { columns, engine, order, shard, ...more }: Table = tables[name];
  const stored = storedTable(name, place);
  const listed = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  // Tokens of inserts are remembered for longer than one is tried again.
  const window =
    cluster === undefined
      ? 'non_replicated_deduplication_window = 10000'
      : 'replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 2592000';
  const [kind = '', version = ''] = engine.split(/(?=\()/);
  const paths = shard === null ? everywhere(place) : `('/clickhouse/tables/{uuid}/{shard}', '{replica}')`;
  const replicated = `Replicated${kind}${version === '' ? paths : `${paths.slice(0, -1)}, ${version.slice(1)}`}`;
  const statements = [
    `create table if not exists ${database}.${stored}${onCluster(place)} (${listed.join(', ')})
       engine = ${cluster === undefined ? engine : replicated}
       ${more.partition === undefined ? '' : `partition by ${more.partition}`}
       order by (${order}) settings ${window}`,
  ];
  if (stored !== name) {
    statements.push(
      `create table if not exists ${database}.${name}${onCluster(place)} as ${database}.${stored}
         engine = Distributed(\`${cluster}\`, ${database}, ${stored}, ${shard})`,
    );
  }
  return statements;
}

/** Replicated to all servers of all shards. */
function everywhere({ cluster }: Place): string {
  return cluster === undefined ? '' : `('/clickhouse/tables/{uuid}/all', '{shard}-{replica}')`;
}

const ms = (time: Sql): Sql => sql`floor(extract(epoch from ${time}) * 1000)::bigint`;
const orNone = (column: string): Sql => sql`coalesce(${sql.id(column)}, 0)`;
const uuidOrNone = (column: string): Sql => sql`coalesce(${sql.id(column)}, ${NO_UUID}::uuid)`;
/** Rows of `events`, with an alias of that name, in the order of the columns; the properties, which come last, as JSON: see `mapsFromJson`. */
export function eventRows(from: Sql, version: number): Sql {
  const groups = ['page', 'device', 'source', 'geo', 'flags', 'elements'].map((kind) => orNone(`events.${kind}`));
  return sql`
    select events.project_id, ${ms(sql`events.ts`)}, ${ms(sql`events.received_at`)}, ${orNone('events.session_id')},
           events.uuid, events.person, events.distinct_id, events.event, ${sql.join(groups)},
           ${uuidOrNone('events.window_id')}, ${uuidOrNone('events.device_id')}, events.epoch, events.marks,
           ${version}::bigint,
           case jsonb_typeof(events.properties) when 'object' then events.properties else '{}' end
      from ${from}`;
}

/** Rows of `sessions`, with an alias of that name. */
export function sessionRows(from: Sql, version: number): Sql {
  const numbers = ['device', 'geo', 'source', 'entry_page', 'exit_page'].map(orNone);
  return sql`
    select sessions.project_id, id, ${ms(sql`first_ts`)}, ${ms(sql`last_ts`)}, person, ${sql.join(numbers)},
           views, screens, autocaptures, bot::int, ${version}::bigint, 0
      from ${from}`;
}

export function overrideRows(where: Sql, version: number): Sql {
  return sql`
    select project_id, old_person, new_person, ${version}::bigint, 0
      from person_overrides where ${where}`;
}
