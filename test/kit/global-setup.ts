/** Before the first test that needs PostgreSQL: the server and the template. Workers read where they are from the environment. */
import { startTestServer, withClient } from './server.ts';

export default async function globalSetup(): Promise<void> {
  const server = await startTestServer(process.cwd());
  await removeAbandoned(server.adminUrl);
  process.env['LUNETA_TEST_ADMIN_URL'] = server.adminUrl;
  process.env['LUNETA_TEST_TEMPLATE'] = server.template;
  process.env['LUNETA_TEST_RUN'] = String(process.pid);
  (globalThis as { lunetaTestServer?: unknown }).lunetaTestServer = server;
}

/** Databases of runs whose process is gone. */
async function removeAbandoned(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string; sessions: number }>(
      `select datname as name, (select count(*)::int from pg_stat_activity a where a.datname = d.datname) as sessions
         from pg_database d where datname ~ '^luneta_(test|template)_[0-9]+(_|$)'`,
    );
    for (const { name, sessions } of rows) {
      const pid = Number(/\d+/.exec(name)?.[0]);
      if (sessions > 0 || isRunning(pid)) continue;
      await client.query(`update pg_database set datistemplate = false where datname = $1 and datistemplate`, [name]);
      await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
    }
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
