/** After the last test: drops this run's databases and leaves the server. KEEP_DB=1 keeps both and prints how to get there. */
import { dropDatabase, type TestServer, urlOfDatabase, withClient } from './server.ts';

export default async function globalTeardown(): Promise<void> {
  const { lunetaTestServer: server } = globalThis as { lunetaTestServer?: TestServer };
  if (!server) return;
  const made = await withClient(server.adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1) order by 1',
      [`luneta_test_${process.pid}_`],
    );
    return rows.map(({ name }) => urlOfDatabase(server.adminUrl, name));
  });
  if (process.env['KEEP_DB'] === '1') {
    for (const url of made) console.log(`kept ${url}`);
    return;
  }
  for (const url of made) await dropDatabase(server.adminUrl, new URL(url).pathname.slice(1));
  await server.stop();
}
