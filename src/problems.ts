/**
 * What can go wrong before the first request, each in one sentence that says what to do. The launcher and `main.ts` print it and stop;
 * whatever is not listed here is a bug, and keeps its stack.
 */
import { type Config, InvalidSettings } from './config.ts';
import { AppError } from './kit/errors.ts';
import { isOutage, sqlState } from './store/db.ts';
import { MigrationFailed } from './store/migrations.ts';

type Known = Partial<Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL' | 'PORT' | 'HOST'>>;

/**
 * The sentence for an error that ended the start, or null when it is not one of the known problems.
 *
 * @param config what is known of the settings; addresses are shown without user and password
 */
export function startProblem(error: unknown, config: Known = {}): string | null {
  if (error instanceof InvalidSettings || error instanceof AppError) return error.message;
  if (!(error instanceof Error)) return null;
  return systemProblem(error, config) ?? migrationProblem(error) ?? databaseProblem(error, config);
}

function systemProblem(
  error: NodeJS.ErrnoException & { port?: number; address?: string },
  known: Known,
): string | null {
  const { port = known.PORT, address = known.HOST } = error;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken, perhaps by another Luneta: stop that, or set PORT to another number.`;
    case 'EACCES':
      if (error.syscall === 'listen')
        return `Port ${port} needs more rights than we have: set PORT to a number above 1024.`;
      return `We may not use ${error.path}: give its folder to the user who starts Luneta.`;
    case 'EADDRNOTAVAIL':
      return `${address} is no address of this machine: set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`;
    case 'ENOSPC':
      return `The disk is full${error.path ? ` at ${error.path}` : ''}: free some space and start again.`;
    case 'ENOENT':
      return known.DATABASE_URL !== undefined && error.path !== undefined && known.DATABASE_URL.includes('sslrootcert')
        ? `There is no file ${error.path}: correct sslrootcert, sslcert or sslkey in DATABASE_URL.`
        : null;
    case 'EROFS':
      return `${error.path} cannot be written, the disk is read-only: start Luneta where it may write.`;
    default:
      return null;
  }
}

function migrationProblem(error: Error): string | null {
  if (error instanceof MigrationFailed) {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return `The migration ${error.migration} failed${reason} and was undone: go back to the previous Luneta, and report this.`;
  }
  // knex's own words for migrations in the database that the program does not have
  if (!error.message.includes('migration directory is corrupt')) return null;
  return 'The database was written by a newer Luneta: start that version, or restore a backup made by this one.';
}

function databaseProblem(error: Error, config: Known): string | null {
  const where = addressOf(config.DIRECT_DATABASE_URL ?? config.DATABASE_URL);
  const encryption = encryptionProblem(error, where);
  if (encryption !== null) return encryption;
  switch (sqlState(error)) {
    case '28P01':
    case '28000':
      return `The database${where} refuses the user or password in DATABASE_URL: correct them.`;
    case '3D000':
      return `The database${where} does not exist: create it, or correct its name in DATABASE_URL.`;
    case '42501':
      return `The user in DATABASE_URL may not make tables${where}: grant "create" on the database and its public schema.`;
    case '53100':
      return `The disk of the database${where} is full: free some space and start again.`;
    case '53300':
      return `The database${where} has no free connection: raise its limit, or stop what else uses it.`;
  }
  const { code } = error as NodeJS.ErrnoException;
  if (!isOutage(error)) return null;
  return `The database${where} does not answer (${code ?? error.message}): start it, or correct DATABASE_URL.`;
}

/** Told apart from a wrong password, which has the same state as a connection that should have been encrypted. */
function encryptionProblem(error: Error, where: string): string | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  const { message } = error;
  if (sqlState(error) === '28000' && /no encryption|SSL off/.test(message)) {
    return `The database${where} takes encrypted connections only: add sslmode=verify-full to DATABASE_URL.`;
  }
  if (message.includes('does not support SSL')) {
    return `The database${where} does not encrypt: take sslmode out of DATABASE_URL, or turn encryption on there.`;
  }
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code)) {
    return `The certificate of the database${where} is signed by nobody known here (${code}): name the file of its authority with sslrootcert in DATABASE_URL, or do not check it with sslmode=no-verify.`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of the database${where} is for another name: use that name in DATABASE_URL.`;
  }
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of the database${where} has expired: renew it.`;
  if (
    !code.startsWith('ERR_TLS') &&
    !code.startsWith('ERR_SSL') &&
    !code.includes('CERT') &&
    !message.includes('SSL')
  ) {
    return null;
  }
  return `The database${where} and we do not agree on encryption (${message}): see "sslmode" in DATABASE_URL.`;
}

function addressOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return '';
  const { host, pathname, searchParams } = new URL(url);
  return ` ${host || (searchParams.get('host') ?? '')}${pathname}`;
}
