/** The real posthog-node against the real collector on a real database. */
import { PostHog, type PostHogOptions } from 'posthog-node';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { readStored } from '#test/kit/wire/stored.ts';

describe('posthog-node', () => {
  const database = useDatabase({ between: 'nothing' });
  let collector: TestCollector;
  let project: Project;
  /** Status of the next answers to batches, instead of the collector's. */
  let refusals: number[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    collector = await startCollector(database.url, {
      routes(req, res, next) {
        requests.push(`${req.method} ${req.path}`);
        const status = req.path === '/ingest/batch/' ? refusals.shift() : undefined;
        if (status === undefined) return next();
        res.writeHead(status).end('not now');
      },
    });
  });
  afterAll(() => collector.stop());
  beforeEach(async () => {
    refusals = [];
    requests.length = 0;
    project = await collector.projects.create({ name: 'Server', timeZone: 'UTC' });
  });

  async function withClient(options: PostHogOptions, use: (client: PostHog) => Promise<void> | void): Promise<Error[]> {
    const errors: Error[] = [];
    const client = new PostHog(project.token, {
      host: `${collector.url}/ingest`,
      flushInterval: 100,
      fetchRetryDelay: 50,
      ...options,
    });
    client.on('error', (error: Error) => errors.push(error));
    await use(client);
    await client.shutdown();
    return errors;
  }

  it('gets 250 events through, each once', async () => {
    const errors = await withClient({}, (client) => {
      for (let nth = 0; nth < 250; nth++)
        client.capture({ distinctId: `u${nth % 7}`, event: 'many', properties: { nth } });
    });
    const { events, persons, counted } = await readStored(database, project.id);
    const numbers = events.map(({ properties }) => properties['nth'] as number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 250 }, (_, nth) => nth));
    expect(persons).toHaveLength(7);
    expect(counted).toBe(250);
    expect(errors).toEqual([]);
  });

  it('tries again after 503, 500 and 429, and is stored once', async () => {
    refusals = [503, 500, 429];
    await withClient({}, (client) => client.capture({ distinctId: 'u1', event: 'patient' }));
    const { events } = await readStored(database, project.id);
    expect(events.map(({ event }) => event)).toEqual(['patient']);
    expect(requests.filter((request) => request.endsWith('/batch/'))).toHaveLength(4);
  });

  it('sends smaller batches after 413', async () => {
    refusals = [413, 413];
    await withClient({ flushAt: 50 }, (client) => {
      for (let nth = 0; nth < 50; nth++) client.capture({ distinctId: 'u1', event: 'halved', properties: { nth } });
    });
    const { events } = await readStored(database, project.id);
    expect(events).toHaveLength(50);
  });

  it('identifies, aliases, groups and reports errors', async () => {
    await withClient({}, (client) => {
      client.identify({ distinctId: 'ana', properties: { email: 'ana@example.com', $set_once: { first: 'server' } } });
      client.alias({ distinctId: 'ana', alias: 'customer-7' });
      client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { size: 12 } });
      client.captureException(new Error('outer', { cause: new RangeError('inner') }), 'ana');
    });
    const { events, persons, groups } = await readStored(database, project.id);
    expect(events.map(({ event }) => event).sort()).toEqual([
      '$create_alias',
      '$exception',
      '$groupidentify',
      '$identify',
    ]);
    expect(persons.find(({ distinctIds }) => distinctIds.includes('ana'))).toMatchObject({
      distinctIds: ['ana', 'customer-7'],
      identified: true,
      properties: { email: 'ana@example.com', first: 'server' },
    });
    expect(groups).toEqual([{ type: 'company', key: 'acme', properties: { size: 12 } }]);
  });
});
