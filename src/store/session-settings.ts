/**
 * Session settings of every connection. A role, database or server may have any defaults: asynchronous
 * commit, very short timeouts, another date format. None of them is inherited.
 */
import type { ClientConfig } from 'pg';
import { driverAddress } from './address.ts';

/** Longest time of one statement, in milliseconds; `null`: none, for migrations, backup, jobs and erasure. */
export type StatementLimit = number | null;

/** How values are written and read, where tables are, and that a commit is on disk before it is acknowledged. */
const ALWAYS = {
  synchronous_commit: 'on',
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  search_path: 'public',
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  idle_session_timeout: '0',
} as const;

/** Settings of a session, by name. A statement that waits for a lock is limited as a whole; so is a transaction that idles. */
export function sessionSettings(statementMs: StatementLimit): Record<string, string> {
  return {
    ...ALWAYS,
    statement_timeout: String(statementMs ?? 0),
    lock_timeout: String(statementMs ?? 0),
    idle_in_transaction_session_timeout: String(2 * (statementMs ?? 0)),
  };
}

/** The driver's configuration with session settings. They come last, so they override those in the address. */
export function withSettings(connectionString: string, statementMs: StatementLimit): ClientConfig {
  const { url, options } = takeOptions(driverAddress(connectionString));
  const own = Object.entries(sessionSettings(statementMs)).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  );
  return { connectionString: url, options: [options, ...own].filter(Boolean).join(' ') };
}

/** Settings as statements: `session` for a connection that refuses them at its beginning, `local` for one transaction. */
export function settingStatements(statementMs: StatementLimit, scope: 'session' | 'local'): string {
  const { search_path: path, ...rest } = sessionSettings(statementMs);
  const quoted = Object.entries(rest).map(([name, value]) => `set ${scope} ${name} = '${value}';`);
  return [...quoted, `set ${scope} search_path = ${path};`].join(' ');
}

/** The driver lets `options` of an address replace those that it is given: they are joined instead. */
function takeOptions(address: string): { url: string; options: string } {
  const start = address.indexOf('?');
  if (start < 0) return { url: address, options: '' };
  const query = new URLSearchParams(address.slice(start + 1));
  const options = query.getAll('options').join(' ');
  if (options === '') return { url: address, options };
  query.delete('options');
  return { url: `${address.slice(0, start)}?${query}`, options };
}

/**
 * Every statement of the write path looks rows up by a full key, or inserts: nested loops over indexes are right regardless of the
 * tables' statistics, which a new partition lacks.
 */
export function plannerSettings(scope: 'session' | 'local'): string {
  const methods = ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan', 'material', 'memoize'];
  return [...methods.map((name) => `set ${scope} enable_${name} = off;`), `set ${scope} jit = off;`].join(' ');
}
