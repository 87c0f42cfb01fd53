/**
 * Requests of real clients, replayed: what they are answered and what is stored of them. The requests and what must come of them are
 * in test/fixtures/ingest (see the README there). `WIRE=posthog-js-1.20 npm run jest -- test/collect/wire.int.test.ts` replays those
 * whose name begins so, and prints per request what was stored and expected even when all is well.
 */
import type { ProjectSettings } from '#src/projects/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { differences } from '#test/kit/wire/compare.ts';
import { fixtureNames, readFixture } from '#test/kit/wire/fixture.ts';
import { replay, report } from '#test/kit/wire/replay.ts';
import { readStored } from '#test/kit/wire/stored.ts';

const wanted = process.env['WIRE'] ?? '';
const fixtures = fixtureNames()
  .filter((name) => name.startsWith(wanted))
  .map(readFixture)
  .sort((a, b) => Date.parse(a.requests[0]?.at ?? '') - Date.parse(b.requests[0]?.at ?? '')); // time runs forward

describe('a recorded client', () => {
  const database = useDatabase({ between: 'nothing' });
  let collector: TestCollector;

  beforeAll(async () => {
    collector = await startCollector(database.url, { config: { TRUST_PROXY: 1 } });
  });
  afterAll(() => collector.stop());

  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', async (_, fixture) => {
    const { projects, url, deps } = collector;
    const project = await projects.create({
      name: fixture.name,
      timeZone: 'America/Sao_Paulo',
      settings: (fixture.head.settings ?? {}) as Partial<ProjectSettings>,
      extraToken: fixture.head.project,
    });
    const answers = await replay(fixture, { url, clock: deps.clock });
    const stored = await readStored(database, project.id);
    const wrong = differences(fixture, answers, stored);
    if (wrong.length > 0 || wanted !== '') process.stderr.write(`\n${report(fixture, answers, stored, wrong)}\n`);
    // No client has properties of such names of its own: what it says there stands elsewhere.
    const names = new Set(stored.events.flatMap(({ properties }) => Object.keys(properties)));
    if (fixture.head.client === 'http') names.clear();
    expect([...names].filter((name) => name === 'token' || name === 'distinct_id')).toEqual([]);
    const alarms = deps.logged.splice(0).filter(({ level }) => level >= 40);
    expect({ wrong, alarms }).toEqual({ wrong: [], alarms: [] });
  });
});
