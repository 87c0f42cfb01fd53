/** Each problem as it really occurs, where that can be arranged. */
import { createServer, type Server } from 'node:net';
import { DatabaseError } from 'pg';
import { loadConfig } from '#src/config.ts';
import { AppError } from '#src/kit/errors.ts';
import { createLog } from '#src/kit/log.ts';
import { startProblem } from '#src/problems.ts';
import { migrate } from '#src/store/db.ts';
import { migrationSource } from '#src/store/migrations.ts';
import { createDatabase } from '#test/kit/database.ts';
import { urlOfDatabase, withClient } from '#test/kit/server.ts';

const log = createLog('silent');

async function problemOfMigrating(url: string, source = migrationSource): Promise<string | null> {
  const config = { DATABASE_URL: url, DIRECT_DATABASE_URL: undefined };
  return migrate(config, log, source).then(
    () => 'no problem',
    (error) => startProblem(error, { DATABASE_URL: url }),
  );
}

function listen(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

describe('startProblem', () => {
  it('an unreachable database, without its password', async () => {
    const sentence = await problemOfMigrating('postgres://user:hunter2@127.0.0.1:1/luneta');
    expect(sentence).toBe(
      'Can’t connect to database 127.0.0.1:1/luneta (ECONNREFUSED). Start it or check DATABASE_URL.',
    );
  });

  it('a database that does not exist', async () => {
    const { url, drop } = await createDatabase({ migrated: false });
    expect(await problemOfMigrating(urlOfDatabase(url, 'luneta_none'))).toMatch(
      /luneta_none does not exist\. Create it/,
    );
    await drop();
  });

  it('a broken migration, which leaves the database as it was', async () => {
    const { url, drop } = await createDatabase({ migrated: true });
    const broken = {
      name: '0002-broken',
      up: async (knex: { raw(sql: string): Promise<unknown> }) => {
        await knex.raw('create table half (id int)');
        await knex.raw('create table nonsense (x moon)');
      },
      down: async () => undefined,
    };
    const known = await migrationSource.getMigrations([]);
    const source = { ...migrationSource, getMigrations: async () => [...known, broken as never] };
    expect(await problemOfMigrating(url, source)).toMatch(
      /^Migration 0002-broken failed \(.*type "moon" does not exist\) and was rolled back\. Go back/,
    );
    const left = await withClient(
      url,
      async (client) => (await client.query(`select to_regclass('half') as half`)).rows,
    );
    expect(left).toEqual([{ half: null }]);
    await drop();
  });

  it('a database that does not encrypt, though the address asks for it', async () => {
    const plain = createServer((socket) => socket.once('data', () => socket.end('N')));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    expect(await problemOfMigrating(`postgres://user:hunter2@127.0.0.1:${port}/luneta?sslmode=require`)).toBe(
      `Database 127.0.0.1:${port}/luneta does not support encryption. Remove sslmode from DATABASE_URL, or enable SSL on the server.`,
    );
    plain.close();
  });

  it.each([
    [
      '28000',
      'no pg_hba.conf entry for host "10.0.0.7", user "u", database "d", no encryption',
      'requires encrypted connections',
    ],
    [
      '28000',
      'no pg_hba.conf entry for host "10.0.0.7", user "u", database "d", SSL off',
      'requires encrypted connections',
    ],
    ['28P01', 'password authentication failed for user "u"', 'Check the user and password'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'Set sslrootcert in DATABASE_URL'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', 'Set sslrootcert in DATABASE_URL'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames", 'is for another host name'],
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'has expired. Renew it'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number', 'TLS negotiation with database db.example/d failed'],
  ])('of encryption, apart from a wrong password: %s %s', (code, message, words) => {
    const length = message.length;
    const error = /^2/.test(code)
      ? Object.assign(new DatabaseError(message, length, 'error'), { code })
      : Object.assign(new Error(message), { code });
    expect(startProblem(error, { DATABASE_URL: 'postgres://u:hunter2@db.example/d' })).toContain(words);
  });

  it('a database of a newer Luneta', async () => {
    const { url, drop } = await createDatabase({ migrated: true });
    await withClient(url, (client) =>
      client.query(`insert into knex_migrations (name, batch) values ('9999-future', 9)`),
    );
    expect(await problemOfMigrating(url)).toMatch(/created by a newer version of Luneta\. Start that version/);
    await drop();
  });

  it('a taken port and an address of another machine', async () => {
    const first = await listen(0, '127.0.0.1');
    const { port } = first.address() as { port: number };
    const taken = await listen(port, '127.0.0.1').catch((error) =>
      startProblem(error, { PORT: port, HOST: '127.0.0.1' }),
    );
    first.close();
    expect(taken).toBe(`Port ${port} is already in use. Stop the other process or set PORT to another port.`);
    const foreign = await listen(0, '192.0.2.1').catch((error) => startProblem(error, { PORT: 0, HOST: '192.0.2.1' }));
    expect(foreign).toMatch(/^192\.0\.2\.1 is not an address of this machine/);
  });

  it.each([
    [
      Object.assign(new Error('write'), { code: 'ENOSPC', path: '/data' }),
      'Disk full at /data. Free up space and start again.',
    ],
    [
      Object.assign(new Error('listen'), { code: 'EACCES', syscall: 'listen' }),
      'No permission to use port 80. Set PORT to a port above 1024.',
    ],
    [new AppError('unavailable', 'A sentence.'), 'A sentence.'],
    [new Error('a bug'), null],
  ])('%s', (error, sentence) => {
    expect(startProblem(error, { PORT: 80 })).toBe(sentence);
  });

  it('wrong settings', () => {
    try {
      loadConfig({ AUTH_SECRET: 'short' }, log);
    } catch (error) {
      expect(startProblem(error)).toMatch(
        /^Invalid environment variables: DATABASE_URL is required but not set; AUTH_SECRET must be at least 32/,
      );
    }
    expect.assertions(1);
  });
});
