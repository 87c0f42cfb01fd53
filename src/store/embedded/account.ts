/**
 * The account of the PostgreSQL process. It refuses to run as root, so root uses `postgres`, else `nobody`; other users run
 * it themselves. Accounts are never created.
 */
import { readFile } from 'node:fs/promises';
import { unavailable } from '../../kit/errors.ts';

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** The account to switch to, or null when PostgreSQL runs as we do. */
export async function postgresAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const account = accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody');
  if (!account) {
    throw unavailable(
      'PostgreSQL can’t run as root, and there is no user "postgres" or "nobody". Start Luneta as another user, ' +
        'or set DATABASE_URL.',
    );
  }
  return account;
}

function parsePasswd(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
