/**
 * Connections to PostgreSQL: one pool for screens, one for collection, single ones for LISTEN, advisory locks and
 * migrations. Every wait has a timeout. Also translates PostgreSQL's errors into ours (`asAppError`) and distinguishes the two
 * kinds that ingestion depends on: invalid data (`isDataError`) and an unavailable database (`isOutage`).
 *
 * Values arrive as plain JSON-safe ones (`value-types.ts`).
 */
import knex, { type Knex } from 'knex';
import { Client, type ClientBase, type ClientConfig, DatabaseError, type Pool } from 'pg';
import type { Config } from '#src/config.ts';
import { AppError, busy, unavailable } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import { driverAddress } from './address.ts';
import { WaitingPool, waitInKnex, waitWhileFull, watchRefusedConnections } from './connection-wait.ts';
import { migrationSource } from './migrations.ts';
import { asPooled } from './pooler.ts';
import { plannerSettings, settingStatements, withSettings } from './session-settings.ts';
import { valueTypes } from './value-types.ts';

type Addresses = Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>;

/** A question of a screen may take this long. */
const SCREEN_STATEMENT_MS = 10_000;
/** A statement of collection may take this long: later the batch is better off in the spool. */
const WRITE_STATEMENT_MS = 5_000;
/** The driver's timeout beyond the server's own, for a server that stopped responding. */
const DRIVER_GRACE_MS = 1_000;
/** Short timeout of session look-ups: every request waits for them. */
const SESSION_STATEMENT_MS = 2_000;
const CONNECT_MS = 2_000;
/** How long a query of a screen waits for a connection of its pool, or for the server to have one left: a page waits rather than fails. */
const SCREEN_WAIT_MS = 8_000;
/** The same for look-ups of sessions: less than the time in which a page has to know who asks. */
const SESSION_WAIT_MS = 3_000;
/** How long background work waits for a connection that the server has not got. */
const WORK_WAIT_MS = 30_000;

/** Session lock that holds off a second migrator; any fixed number will do. */
const MIGRATION_LOCK = 7_135_201_120;

/** The pool for screens and settings. Close it with `destroy()`. @param max connections at most */
export function openDb(config: Addresses, log: Log, max = 10, refused = watchRefusedConnections(log)): Knex {
  const db = knex({
    client: 'pg',
    connection: connection(config, config.DATABASE_URL, SCREEN_STATEMENT_MS) as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max,
      acquireTimeoutMillis: SCREEN_WAIT_MS,
      propagateCreateError: true,
      afterCreate: (client: ClientBase, done: (error: Error | undefined, client: ClientBase) => void) => {
        beginSession(config, client).then(
          () => done(undefined, client),
          (error: Error) => done(error, client),
        );
      },
    },
    acquireConnectionTimeout: SCREEN_WAIT_MS,
    log: {
      warn: (message: string) => log[levelOfWords(message)](message),
      error: (message: string) => log.error(message),
    },
  });
  return withNamedFailures(waitInKnex(db, refused, SCREEN_WAIT_MS - CONNECT_MS));
}

/** Transactions fail like queries: what happens around their statements (no connection in time, one that is lost) is named as well. */
function withNamedFailures(db: Knex): Knex {
  const transaction = db.transaction.bind(db) as (...options: unknown[]) => Promise<unknown>;
  const named = (...options: unknown[]) =>
    transaction(...options).catch((error: unknown) => {
      throw isOutage(error) ? asAppError(error) : error;
    });
  Object.defineProperty(db, 'transaction', { value: named });
  return db;
}

/**
 * The pool for collection: two writers, and two more for what they prepare outside their transactions (one and one where connections are few). Close it with
 * `end()`. A connection that fails while idle is replaced; the error is logged only. Statements may be named, to be kept
 * prepared; behind a pooler, where the next transaction may run on another connection, the names are taken off.
 */
export function openWritePool(config: Addresses, log: Log, max = 4, refused = watchRefusedConnections(log)): Pool {
  const pooled = isPooled(config);
  const pool = new WaitingPool({
    ...connection(config, config.DATABASE_URL, WRITE_STATEMENT_MS),
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: CONNECT_MS,
    onConnect: async (client) => {
      await beginSession(config, client);
      if (pooled) asPooled(client);
      else await client.query(plannerSettings('session'));
    },
  });
  pool.refused = refused;
  // Not the error itself: it carries the connection, with everything that passed over it.
  pool.on('error', (error) => log[levelOf(error)]({ reason: error.message }, 'an idle database connection failed'));
  // A lost connection rejects its running query, but between two queries of a transaction there is none.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection failed during use'));
  });
  return pool;
}

/**
 * The pool for sign-in sessions: every page asks it first, and nothing else may hold it up, nor it anything else. Close it with
 * `end()`.
 */
export function openSessionPool(config: Addresses, log: Log, max = 4, refused = watchRefusedConnections(log)): Pool {
  const pool = new WaitingPool({
    ...connection(config, config.DATABASE_URL, SESSION_STATEMENT_MS),
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: SESSION_WAIT_MS,
    onConnect: (client) => beginSession(config, client),
  });
  pool.refused = refused;
  pool.on('error', (error) => log[levelOf(error)]({ reason: error.message }, 'an idle database connection failed'));
  return pool;
}

/**
 * Settings at the start of a write transaction: empty, except behind a pooler, where connections cannot keep
 * settings.
 */
export function transactionSettings(config: Addresses): string {
  if (!isPooled(config)) return '';
  return `set transaction read write; ${settingStatements(WRITE_STATEMENT_MS, 'local')} ${plannerSettings('local')}`;
}

/**
 * Behind a pooler, which refuses settings at the beginning of a connection: sets them with statements. Where the pooler gives each
 * transaction another connection they may serve someone else of ours, so they are the same for all purposes there.
 */
async function beginSession(config: Addresses, client: ClientBase): Promise<void> {
  if (isPooled(config)) await client.query(settingStatements(SCREEN_STATEMENT_MS, 'session'));
}

/** One unconnected client that bypasses poolers, without timeouts: LISTEN, session locks. The caller connects and ends it. */
export function openDirect(config: Addresses): Client {
  return new Client({
    ...withSettings(directUrl(config), null),
    application_name: 'luneta',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: valueTypes,
  });
}

/**
 * The same, connected: for background work, so it waits longer while the server has no connections left.
 * @param onError called for failures of the connection, which its queries report as well
 */
export function connectDirect(config: Addresses, onError: (error: Error) => void): Promise<Client> {
  const connect = async () => {
    const client = openDirect(config);
    client.on('error', onError);
    await client.connect();
    return client;
  };
  return waitWhileFull(connect, undefined, WORK_WAIT_MS);
}

/** Configuration of a pool past any pooler, without time limits: recurring jobs. */
export function jobConnection(config: Addresses): ClientConfig {
  return { ...withSettings(directUrl(config), null), application_name: 'luneta jobs', keepAlive: true };
}

/**
 * Brings the database to the newest schema. Any number of processes may call it at once: one migrates, the others wait
 * and find nothing left to do. A stale lock of a killed migrator in knex's own table is released, since the session
 * lock proves that no process holds it.
 *
 * @param source the migrations to run: a backup is restored into the schema of its version
 */
export async function migrate(config: Addresses, log: Log, source = migrationSource): Promise<void> {
  const holder = await connectDirect(config, (error) => log.warn({ err: error }, 'migration lock connection failed'));
  try {
    const tried = await holder.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      MIGRATION_LOCK,
    ]);
    if (!tried.rows[0]?.locked) {
      log.info('waiting for another process to finish the migration');
      await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    }
    await runMigrations(config, log, source);
  } finally {
    await holder.end();
  }
}

async function runMigrations(config: Addresses, log: Log, source: typeof migrationSource): Promise<void> {
  const db = knex({
    client: 'pg',
    connection: {
      ...withSettings(directUrl(config), null),
      application_name: 'luneta migrate',
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: 2 },
  });
  try {
    await db.migrate.forceFreeMigrationsLock({ migrationSource: source });
    const [, done] = (await db.migrate.latest({ migrationSource: source })) as [number, string[]];
    if (done.length > 0) log.info({ migrations: done }, 'the database schema is up to date');
  } finally {
    await db.destroy();
  }
}

/**
 * Maps a database error to an `AppError`. Unique violation: conflict. Foreign key violation, NUL in a text, invalid or
 * out-of-range value: invalid. Timeout: timeout. Lock or pool wait: busy. No connection, or not migrated:
 * unavailable. Anything else: internal.
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  switch (sqlState(error)) {
    case '23505':
      return new AppError('conflict', 'Already exists.', { cause: error });
    case '23503':
      return new AppError('invalid', 'A referenced item doesn’t exist.', { cause: error });
    case '22003': // more than its column holds
      return new AppError('invalid', 'Number too large.', { cause: error });
    case '22021': // NUL, which text cannot hold
    case '22P05': // the same, written as an escape in JSON
      return new AppError('invalid', 'Contains an unsupported character.', { cause: error });
    case '22P02': // such as a lone surrogate in JSON, or no uuid
      return new AppError('invalid', 'Invalid value.', { cause: error });
    case '42P01': // a table that is not there: the migrations have not run yet
      return unavailable('Database schema is out of date. Run the migrations.', 5, error);
    case '53300': // of the server, the database or the role
      return busy('No database connections left. Lower DATABASE_CONNECTIONS to what the server allows.', 5, error);
    case '57014':
      return queryTimeout(error);
    default:
      if (isReadTimeout(error)) return queryTimeout(error);
      if (isBusy(error)) return busy('Database busy. Try again in a moment.', 5, error);
      if (isOutage(error)) return unavailable('Database unavailable. Try again in a moment.', 5, error);
      return new AppError('internal', 'Something went wrong on our side. Try again.', { cause: error });
  }
}

function queryTimeout(cause: unknown): AppError {
  return new AppError('timeout', 'Query timed out. Choose a shorter period or fewer filters.', { cause });
}

/** The driver gave up on an answer, some time after the server should have. */
function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && /(?:^| - )Query read timeout/.test(error.message);
}

/**
 * True when the database answers, and what was asked has to wait for others: no connection of the pool came free in time, the server has none
 * left, a lock was not given, or another transaction was in the way.
 */
export function isBusy(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'busy';
  const state = sqlState(error);
  if (state !== null) return BUSY_STATES.has(state);
  if (!(error instanceof Error)) return false;
  return error.name === 'KnexTimeoutError' || error.message === POOL_TIMEOUT;
}

const BUSY_STATES = new Set(['53300', '55P03', '40P01', '40001']);
/** The pool's message when no connection became free. A connection timeout has another message. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** Nothing is wrong: another transaction was quicker, and this one has to be rolled back and begun again. */
export class BeginAgainError extends Error {
  override name = 'BeginAgainError';
}

/** A statement that was sent together with one before it that failed: it was not executed. */
export class SkippedError extends Error {
  override name = 'SkippedError';

  constructor(cause: unknown) {
    super('an earlier statement failed', { cause });
  }
}

/** An event that no database would take; thrown by our own encoders. */
export class UnstorableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UnstorableError';
  }
}

/**
 * True when the values themselves were refused: trying the same again fails again, and halving the batch finds the bad
 * event. SQLSTATE classes 22 (data), 23 (constraints) and 54 (limits, such as an index row too large).
 */
export function isDataError(error: unknown): boolean {
  if (error instanceof UnstorableError) return true;
  const state = sqlState(error);
  return state !== null && (state.startsWith('22') || state.startsWith('23') || state.startsWith('54'));
}

/**
 * True when the database is away, too busy or too slow for now, and the same work may succeed later: refused and lost
 * connections, exhausted pools, shutdown, full disk, read-only standby, deadlocks, and every time limit.
 */
export function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || state.startsWith('53') || OUTAGE_STATES.has(state);
  // Read by shape, not by class: errors of sockets may come from another realm (test runners have several).
  if (typeof error !== 'object' || error === null) return false;
  if (error instanceof AppError) return isOutage(error.cause);
  const { code, name, message, errors } = error as Partial<NodeJS.ErrnoException & AggregateError>;
  if (Array.isArray(errors)) return errors.some(isOutage);
  if (typeof code === 'string' && OUTAGE_CODES.has(code)) return true;
  return name === 'KnexTimeoutError' || OUTAGE_MESSAGES.test(message ?? '');
}

/**
 * Log level of a connection error. The writer and the listener each log an outage once;
 * other connections would repeat it many times.
 */
export function levelOf(error: unknown): 'debug' | 'warn' {
  const state = sqlState(error);
  const isAway = state === null ? isOutage(error) : /^(08|57P0)/.test(state);
  return isAway ? 'debug' : 'warn';
}

/** The same of a message of a library, which puts the words of the error into its own. */
export function levelOfWords(message: string): 'debug' | 'warn' {
  return TELLS_OF_OUTAGE.test(message) ? 'debug' : 'warn';
}

const TELLS_OF_OUTAGE =
  /terminating connection|Connection terminated|connection ended|connection error|Client was closed|ECONN(?:REFUSED|RESET)|pool after calling end|the database system is/i;

/** The five characters of SQLSTATE, or null when the error is not the server's. */
export function sqlState(error: unknown): string | null {
  if (error instanceof AppError) return sqlState(error.cause);
  return error instanceof DatabaseError && typeof error.code === 'string' ? error.code : null;
}

/** Shutdown and starting up, read-only, idle too long; time limits of statements and locks; deadlock, serialization. */
const OUTAGE_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25006',
  '25P03',
  '57014',
  '55P03',
  '40P01',
  '40001',
]);

const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/** The driver has no codes for these. */
/** knex puts the statement before the driver's words. */
const OUTAGE_MESSAGES =
  /(?:^| - )(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after|the database system is|Unable to acquire a connection)/i;

/**
 * Through a pooler (DIRECT_DATABASE_URL names the way around it) settings cannot be given at connection time: poolers refuse
 * start-up parameters they do not know. There they are set with a statement (`beginSession`), and the driver's own limit remains.
 */
function connection(config: Addresses, connectionString: string, statementMs: number): ClientConfig {
  return {
    ...(isPooled(config)
      ? { connectionString: driverAddress(connectionString) }
      : withSettings(connectionString, statementMs)),
    application_name: 'luneta',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: valueTypes,
    query_timeout: statementMs + DRIVER_GRACE_MS,
  };
}

function isPooled(config: Addresses): boolean {
  return config.DIRECT_DATABASE_URL !== undefined && config.DIRECT_DATABASE_URL !== config.DATABASE_URL;
}

function directUrl(config: Addresses): string {
  return config.DIRECT_DATABASE_URL ?? config.DATABASE_URL;
}
