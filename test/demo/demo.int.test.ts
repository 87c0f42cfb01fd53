import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runDemo } from '#src/demo/demo.ts';
import { keepVisiting } from '#src/demo/now.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createProjects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TEAM } from '#test/kit/reader.ts';
import { makeTestTeam } from '#test/kit/sign-in.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';

const database = useDatabase();
let collector: TestCollector;

beforeEach(async () => {
  collector = await startCollector(database.url, { clock: systemClock as never });
});
afterEach(() => collector.stop());

const tell = (options: { signal?: AbortSignal; progress?: () => void } = {}) =>
  runDemo({ baseUrl: collector.url, deps: collector.deps, days: 2, ...options });

async function stored() {
  const [row] = await database.query(`
    select count(*)::int as events, count(distinct uuid)::int as uuids,
      (count(*) filter (where marks & 32 = 32))::int as imported, (count(*) filter (where marks & 1 = 1))::int as bots,
      (select count(*)::int from sessions where bot) as "botVisits",
      (select count(*)::int from projects) as projects, (select coalesce(sum(events), 0)::int from ingestion_minutes where outcome <> 'stored') as others
    from events`);
  return row as Record<string, number>;
}

describe('the sample project', () => {
  it('is created once and sent once, in the team of the installation’s own project', async () => {
    const projects = createProjects(collector.deps);
    await projects.ensureBuiltIn(collector.deps.config);
    await makeTestTeam(database);
    await projects.adopt(collector.deps.db, TEST_TEAM);
    const parts: number[] = [];
    const first = await runDemo({
      ...{ baseUrl: collector.url, deps: collector.deps, days: 2 },
      progress: ({ part }) => parts.push(part),
    });
    const project = {
      name: 'Café Serrana',
      timeZone: 'America/Sao_Paulo',
      teamId: TEST_TEAM,
      settings: { demo: true },
    };
    expect(first).toMatchObject({ wasThere: false, project });
    expect(first.project.token).toMatch(/^lnt_/);
    expect(parts.at(-1)).toBe(1);
    const { events, uuids, imported, bots, botVisits, others } = await stored();
    expect([events, uuids, imported, others]).toEqual([first.events, first.events, first.events, 0]);
    expect(bots).toBeGreaterThan(0);
    expect(botVisits).toBe(bots);

    expect(await tell()).toMatchObject({ wasThere: true, events: first.events, project: { id: first.project.id } });
    const [own] = await database.query(
      `select (select count(*)::int from goals) as goals, (select count(*)::int from annotations) as notes,
              (select count(*)::int from insights where preview is null) as empty`,
    );
    expect(own).toEqual({ goals: 3, notes: 1, empty: 0 });
    expect(await stored()).toMatchObject({ events: first.events, projects: 2 });
  });

  it('goes on where it was stopped, belongs to nobody before the set-up, and is adopted then', async () => {
    const projects = createProjects(collector.deps);
    await projects.ensureBuiltIn(collector.deps.config);
    const stopping = new AbortController();
    const stopped = tell({ signal: stopping.signal, progress: () => stopping.abort() });
    await expect(stopped).rejects.toThrow();
    const before = (await stored())['events'] as number;
    const { events, project } = await tell();
    expect(before).toBeLessThan(events);
    expect(await stored()).toMatchObject({ events, uuids: events, projects: 2 });
    expect(project.teamId).toBeNull();
    await makeTestTeam(database);
    await projects.adopt(collector.deps.db, TEST_TEAM);
    expect(await projects.get(project.id)).toMatchObject({ teamId: TEST_TEAM });
  });

  it('has visitors while it runs, whose events come when they happen', async () => {
    const project = await createProjects(collector.deps).create({ name: 'Loja', timeZone: 'America/Sao_Paulo' });
    const ending = new AbortController();
    let passed = 0;
    const now = () => {
      passed += 10_000;
      if (passed > 40 * 60_000) ending.abort();
      return Date.now() + passed;
    };
    const deps = { ...collector.deps, clock: { ...systemClock, now } };
    const options = { baseUrl: collector.url, deps, token: project.token, signal: ending.signal, tickMs: 5 };
    await expect(keepVisiting(options)).rejects.toThrow();
    const [row] = await database.query(`
      select count(*)::int as events, count(distinct uuid)::int as uuids, count(distinct session_id)::int > 3 as "visitsCome",
        bool_or(marks & 32 = 32) as imported, max(ts) > now() as early
      from events`);
    expect(row).toMatchObject({ visitsCome: true, imported: false, early: false });
    expect(row?.['events']).toBe(row?.['uuids']);
  });

  it('waits for a busy collector, and says when it is refused', async () => {
    const statuses = [503, 503];
    let asked = 0;
    const server = createServer((_, answer) => {
      asked += 1;
      answer.writeHead(statuses.shift() ?? 400, { 'retry-after': '0' }).end('no');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const refused = runDemo({ baseUrl, deps: collector.deps, days: 2 });
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('400 no') });
    expect(asked).toBeGreaterThanOrEqual(1);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
