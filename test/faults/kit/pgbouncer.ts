/** pgbouncer in transaction mode in front of a PostgreSQL, where the machine has the program (`PGBOUNCER` says where, else `PATH`). */
import { spawn, spawnSync } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresAccount } from '#src/store/embedded/account.ts';
import { ours } from './children.ts';

const program = process.env['PGBOUNCER'] ?? 'pgbouncer';

export function hasPgbouncer(): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

export interface PgbouncerOptions {
  folder: string;
  port: number;
  /** Of the role that connects, with its password. */
  databaseUrl: string;
  /** The server behind it is spoken to by TLS. */
  isEncrypted?: boolean;
}

/** @returns the address of the same database behind it */
export async function startPgbouncer({
  folder,
  port,
  databaseUrl,
  isEncrypted = false,
}: PgbouncerOptions): Promise<string> {
  const target = new URL(databaseUrl);
  const [user, password] = [target.username, decodeURIComponent(target.password)];
  const home = join(folder, 'pgbouncer');
  await mkdir(home);
  const settings = [
    '[databases]',
    `* = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${join(home, 'users.txt')}`,
    'pool_mode = transaction',
    'default_pool_size = 8',
    'max_client_conn = 200',
    'server_login_retry = 1',
    `server_tls_sslmode = ${isEncrypted ? 'require' : 'disable'}`,
  ];
  await writeFile(join(home, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  await writeFile(join(home, 'users.txt'), `"${user}" "${password}"\n`);
  // It refuses to be run by root.
  const account = await postgresAccount();
  if (account !== null)
    for (const path of ['', 'pgbouncer.ini', 'users.txt']) await chown(join(home, path), account.uid, account.gid);
  const run = account === null ? {} : { uid: account.uid, gid: account.gid };
  ours(spawn(program, ['-q', join(home, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'inherit'], ...run }));
  while (!(await listens(port))) await sleep(50);
  return `postgres://${user}:${target.password}@127.0.0.1:${port}${target.pathname}`;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });
}
