/**
 * Start-up problems, each with one message that says what to do. The launcher and `main.ts` print it and exit;
 * an unlisted error is a bug, and is printed with its stack.
 */
import { type Config, InvalidSettings } from './config.ts';
import { AppError } from './kit/errors.ts';
import { isOutage, sqlState } from './store/db.ts';
import { MigrationFailed } from './store/migrations.ts';

/** Why a process that has reached the database waits. */
export const notMigrated = 'The schema is missing or old. Run: node dist/launch.js migrate';

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
      return `Port ${port} is already in use. Stop the other process or set PORT to another port.`;
    case 'EACCES':
      if (error.syscall === 'listen') return `No permission to use port ${port}. Set PORT to a port above 1024.`;
      return `No access to ${error.path}. Make the user who runs Luneta the owner of its folder.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all interfaces.`;
    case 'ENOSPC':
      return `Disk full${error.path ? ` at ${error.path}` : ''}. Free up space and start again.`;
    case 'ENOENT':
      return known.DATABASE_URL !== undefined && error.path !== undefined && known.DATABASE_URL.includes('sslrootcert')
        ? `File not found: ${error.path}. Check sslrootcert, sslcert and sslkey in DATABASE_URL.`
        : null;
    case 'EROFS':
      return `Can't write to ${error.path}: the disk is read-only. Start Luneta in a writable folder.`;
    default:
      return null;
  }
}

function migrationProblem(error: Error): string | null {
  if (error instanceof MigrationFailed) {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return `Migration ${error.migration} failed${reason} and was rolled back. Go back to the previous Luneta version and report this issue.`;
  }
  // knex's own words for migrations in the database that the program does not have
  if (!error.message.includes('migration directory is corrupt')) return null;
  return 'The database was created by a newer version of Luneta. Start that version, or restore a backup made with this one.';
}

function databaseProblem(error: Error, config: Known): string | null {
  const where = addressOf(config.DIRECT_DATABASE_URL ?? config.DATABASE_URL);
  const encryption = encryptionProblem(error, where);
  if (encryption !== null) return encryption;
  switch (sqlState(error)) {
    case '28P01':
    case '28000':
      return `Authentication failed for database${where}. Check the user and password in DATABASE_URL.`;
    case '3D000':
      return `Database${where} does not exist. Create it or correct the name in DATABASE_URL.`;
    case '42501':
      return `The user in DATABASE_URL can’t create tables in database${where}. Grant CREATE on the database and its public schema.`;
    case '53100':
      return `The disk of database${where} is full. Free up space and start again.`;
    case '53300':
      return `Database${where} has reached its connection limit. Raise max_connections or close other connections.`;
  }
  const { code } = error as NodeJS.ErrnoException;
  if (!isOutage(error)) return null;
  return `Can’t connect to database${where} (${code ?? error.message}). Start it or check DATABASE_URL.`;
}

/** Distinguishes a missing encryption from a wrong password, which has the same SQLSTATE. */
function encryptionProblem(error: Error, where: string): string | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  const { message } = error;
  if (sqlState(error) === '28000' && /no encryption|SSL off/.test(message)) {
    return `Database${where} requires encrypted connections. Add sslmode=verify-full to DATABASE_URL.`;
  }
  if (message.includes('does not support SSL')) {
    return `Database${where} does not support encryption. Remove sslmode from DATABASE_URL, or enable SSL on the server.`;
  }
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code)) {
    return `The certificate of database${where} is not trusted (${code}). Set sslrootcert in DATABASE_URL to the CA certificate, or disable verification with sslmode=no-verify.`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of database${where} is for another host name. Use that name in DATABASE_URL.`;
  }
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of database${where} has expired. Renew it.`;
  if (
    !code.startsWith('ERR_TLS') &&
    !code.startsWith('ERR_SSL') &&
    !code.includes('CERT') &&
    !message.includes('SSL')
  ) {
    return null;
  }
  return `TLS negotiation with database${where} failed (${message}). Check sslmode in DATABASE_URL.`;
}

function addressOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return '';
  const { host, pathname, searchParams } = new URL(url);
  return ` ${host || (searchParams.get('host') ?? '')}${pathname}`;
}
