/** Queries for whose result nobody waits end on ClickHouse as well: it is asked to kill them by their id. A small server stands in for it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import { createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import type { TrendsQuery } from '#src/columns/columns.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { useDatabase } from '#test/kit/database.ts';
import { until } from '#test/kit/until.ts';
import { useEngine } from '../insights/engine.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);
const DAY_MS = 86_400_000;

/** Never answers queries, and notes everything that is asked. */
class StandIn {
  readonly queries: { id: string; isOpen: boolean }[] = [];
  readonly commands: string[] = [];
  private readonly server = createServer((request, response) => void this.take(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isPacked = request.headers['content-encoding'] === 'zstd';
    const body = await text(isPacked ? request.pipe(createZstdDecompress()) : request);
    if (/^kill /i.test(body)) {
      this.commands.push(body);
      response.end();
      return;
    }
    const query = { id: new URL(request.url ?? '', 'http://x').searchParams.get('query_id') ?? '', isOpen: true };
    this.queries.push(query);
    response.on('close', () => {
      query.isOpen = false;
    });
  }
}

it('kills the queries of an asker who has gone, and asks PostgreSQL for nothing in their place', async () => {
  const standIn = new StandIn();
  const { deps } = engine;
  const config = { ...deps.config, CLICKHOUSE_URL: await standIn.listen() };
  const answers: string[] = [];
  const clickhouse = createClickhouse({ ...deps, config }, { onAnswer: (by) => answers.push(by) });
  try {
    const project = await engine.projects.create({ name: 'kill', timeZone: 'UTC' });
    const now = deps.clock.now();
    await database.query('update clickhouse_state set caught_up_at = $1', [new Date(now)]);
    await switchProjects(deps.db, [project.id], true);
    const span = { from: now - 2 * DAY_MS, until: now };
    const spans = [{ ...span, windows: [span], total: span }];
    const series = [{ rules: [{ names: ['bought'], filters: [] }], measure: 'events' as const, spans }];
    const asked: TrendsQuery = { projectId: project.id, filters: null, series, by: null, most: 5 };
    const gone = new AbortController();
    const asking = clickhouse?.columnsOver(engine.columns).cancellable(gone.signal).trends(asked);
    await until(() => standIn.queries.length > 0);
    const ids = standIn.queries.map(({ id }) => id);
    expect(ids.every((id) => /^[\da-f-]{36}$/.test(id))).toBe(true);
    gone.abort();
    await expect(asking).rejects.toBeInstanceOf(Cancelled);
    await until(() => standIn.commands.length >= ids.length && standIn.queries.every(({ isOpen }) => !isOpen));
    for (const id of ids) expect(standIn.commands).toContainEqual(expect.stringContaining(`query_id = '${id}'`));
    expect(answers).toEqual([]);
  } finally {
    await clickhouse?.stop();
    await standIn.close();
  }
});
