/** The connection to ClickHouse: its official client, loaded only where CLICKHOUSE_URL is set; limits of queries, and errors in this program's words. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { Config } from '#src/config.ts';
import { AppError, unavailable } from '#src/kit/errors.ts';
import type { Sql } from '#src/store/sql.ts';
import { clickhouseText } from './text.ts';

export type ClickhouseConfig = Pick<
  Config,
  | ('CLICKHOUSE_URL' | 'CLICKHOUSE_USER' | 'CLICKHOUSE_PASSWORD')
  | ('CLICKHOUSE_DATABASE' | 'CLICKHOUSE_CLUSTER' | 'CLICKHOUSE_CA')
  | ('CLICKHOUSE_QUERY_MEMORY_MB' | 'CLICKHOUSE_HOT_DAYS')
>;

export interface ClickhouseConnection {
  readonly database: string;
  readonly cluster: string | undefined;
  /** Rows of a query, within the limits of queries. @throws AppError `timeout` beyond them, `unavailable` while ClickHouse is away */
  query<Row extends object>(fragment: Sql, options?: { signal?: AbortSignal | undefined }): Promise<Row[]>;
  /** The same rows some at a time, as they come: of more than are kept at once. */
  stream<Row extends object>(fragment: Sql, options?: { signal?: AbortSignal | undefined }): AsyncGenerator<Row[]>;
  /** Runs a statement without rows. @throws as `query` */
  run(fragment: Sql | string): Promise<void>;
  /**
   * Inserts rows in tab-separated form as one block, once per token: another attempt with it changes nothing.
   * @throws as `query`; the rows may have been inserted all the same
   */
  insert(table: string, columns: readonly string[], rows: Readable, token: string): Promise<void>;
  close(): Promise<void>;
}

const BYTES_PER_MB = 1_000_000;
/** Less than half of the smallest machine that such a server is worth setting up on. */
const QUERY_MEMORY_MB = 8_000;
/** Limits of a query: seconds, memory, rows read, and rows of its result. */
function queryLimits({ CLICKHOUSE_QUERY_MEMORY_MB: memory = QUERY_MEMORY_MB }: ClickhouseConfig): ClickHouseSettings {
  return {
    max_execution_time: 30,
    timeout_overflow_mode: 'throw',
    max_memory_usage: String(memory * BYTES_PER_MB),
    max_rows_to_read: '20000000000',
    max_result_rows: '1000000',
    result_overflow_mode: 'throw',
    // Larger sets, such as of visits, are not also put in order and held against each granule: that takes longer than all else.
    use_index_for_in_with_subqueries_max_values: '1000',
    // Merges are joined to each event: to divide events among threads first takes three times as long as to find them.
    join_algorithm: 'hash',
  };
}
/** Rows of a result that is not kept. */
const STREAMED_ROWS = '10000000';
const QUERY_MS = 35_000;
/** Deletions wait until they are done. */
const STATEMENT_MS = 600_000;
/** Statements hold lists of ids. */
const LONG_STATEMENTS: ClickHouseSettings = { max_query_size: '104857600', max_ast_elements: '10000000' };

/** One block per insert, so that its token stands for all of it. */
const ONE_BLOCK: ClickHouseSettings = {
  async_insert: 0,
  insert_deduplicate: 1,
  distributed_foreground_insert: 1,
  max_partitions_per_insert_block: '0',
  max_insert_block_size: '10000000',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '0',
  input_format_parallel_parsing: 0,
  max_insert_threads: '1',
};

/** Opens no socket yet. @throws AppError `invalid` when CLICKHOUSE_CA names no readable file */
export async function openClickhouse(config: ClickhouseConfig): Promise<ClickhouseConnection> {
  const { createClient } = await import('@clickhouse/client');
  const { CLICKHOUSE_DATABASE: database = 'luneta', CLICKHOUSE_CLUSTER: cluster, CLICKHOUSE_CA: ca } = config;
  const client = createClient({
    url: config.CLICKHOUSE_URL ?? '',
    username: config.CLICKHOUSE_USER ?? 'default',
    password: config.CLICKHOUSE_PASSWORD ?? '',
    application: 'luneta',
    request_timeout: STATEMENT_MS,
    max_open_connections: 10,
    // A tenth of the time that gzip takes.
    compression: { request: { codec: 'zstd', level: 1 }, response: true },
    ...(ca !== undefined && { tls: { ca_cert: readCertificates(ca) } }),
    clickhouse_settings: {
      ...LONG_STATEMENTS,
      output_format_json_quote_64bit_integers: 0,
      prefer_column_name_to_alias: 1,
      // Of a cluster: what is named within a statement is read once, for all shards.
      distributed_product_mode: 'global',
      // As JavaScript and PostgreSQL read numbers.
      precise_float_parsing: 1,
    },
    // Its own lines hold statements, and so what people asked for.
    log: { level: 127 },
  });
  const limits = queryLimits(config);
  return {
    database,
    cluster,
    query: <Row extends object>(fragment: Sql, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      queryRows<Row>(client, limits, clickhouseText(fragment), signal),
    stream: <Row extends object>(fragment: Sql, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      streamRows<Row>(client, { ...limits, max_result_rows: STREAMED_ROWS }, clickhouseText(fragment), signal),
    async run(fragment) {
      const query = typeof fragment === 'string' ? fragment : clickhouseText(fragment);
      await named(() => client.command({ query, clickhouse_settings: { mutations_sync: '2' } }));
    },
    async insert(table, columns, rows, token) {
      await named(() =>
        client.insert({
          table: `${database}.${table}`,
          columns: columns as [string, ...string[]],
          values: rows,
          format: 'TabSeparated',
          clickhouse_settings: { ...ONE_BLOCK, insert_deduplication_token: token },
        }),
      );
    },
    close: () => client.close(),
  };
}

/** A query that ends on the server too when nobody waits for it any more. */
function beginQuery(client: ClickHouseClient, limits: ClickHouseSettings, query: string, signal?: AbortSignal) {
  const id = randomUUID();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), QUERY_MS);
  const ending = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  return {
    answer: () =>
      client.query({
        query,
        format: 'JSONEachRow',
        query_id: id,
        abort_signal: ending,
        clickhouse_settings: limits,
      }),
    /** @returns what its failure means */
    failed(error: unknown): unknown {
      if (ending.aborted) void kill(client, id);
      return late.signal.aborted ? queryTimeout(error) : error;
    },
    kill: () => void kill(client, id),
    end: () => clearTimeout(timer),
  };
}

async function queryRows<Row extends object>(
  client: ClickHouseClient,
  limits: ClickHouseSettings,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const asked = beginQuery(client, limits, query, signal);
  try {
    return await named(async () => (await asked.answer()).json<Row>());
  } catch (error) {
    throw asked.failed(error);
  } finally {
    asked.end();
  }
}

async function* streamRows<Row extends object>(
  client: ClickHouseClient,
  limits: ClickHouseSettings,
  query: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row[]> {
  const asked = beginQuery(client, limits, query, signal);
  let isOver = false;
  try {
    const answer = await named(() => asked.answer());
    const blocks = answer.stream<Row>()[Symbol.asyncIterator]();
    for (;;) {
      const block = await named(() => blocks.next());
      if (block.done) break;
      yield (block.value as { json(): Row }[]).map((row) => row.json());
    }
    isOver = true;
  } catch (error) {
    isOver = true;
    throw asked.failed(error);
  } finally {
    if (!isOver) asked.kill();
    asked.end();
  }
}

async function kill(client: ClickHouseClient, id: string): Promise<void> {
  // It may be over, or ClickHouse away: then it ends by its time limit.
  await client.command({ query: `kill query where query_id = '${id}' async` }).catch(() => undefined);
}

function readCertificates(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new AppError('invalid', 'CLICKHOUSE_CA names no readable file.', { cause });
  }
}

/** Codes of ClickHouse: time, rows and bytes beyond the limits. */
const BEYOND_LIMITS = new Set(['159', '160', '158', '307', '396']);
/** Memory beyond the limit, of the query or of the server. */
const OUT_OF_MEMORY = '241';

async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = (error as { code?: string }).code ?? '';
    if (code === OUT_OF_MEMORY) throw queryTooLarge(error);
    if (BEYOND_LIMITS.has(code)) throw queryTimeout(error);
    if (/^\d+$/.test(code)) throw new AppError('internal', 'ClickHouse refused a statement.', { cause: error });
    throw unavailable('ClickHouse unavailable. Try again in a moment.', 5, error);
  }
}

function queryTimeout(cause: unknown): AppError {
  return new AppError('timeout', 'Query timed out. Choose a shorter period or fewer filters.', { cause });
}

/** The code that queries beyond their limits have everywhere. */
function queryTooLarge(cause: unknown): AppError {
  return new AppError('timeout', 'Query needs too much memory. Choose a shorter period or fewer filters.', { cause });
}

/** What went wrong, for the operator: ClickHouse's own words, without the statement. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof AppError && error.cause instanceof Error ? error.cause : (error as Error);
  const { code, type, message } = cause as Error & { code?: string; type?: string };
  const words = type === undefined ? (message === '' ? (code ?? '') : message) : `${type} (${code})`;
  return words.split('\n')[0]?.slice(0, 200) ?? '';
}
