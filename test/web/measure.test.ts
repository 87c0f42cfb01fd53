/** What the server reports of itself, with the real posthog-node: in this process, or to an upstream. */
import { createMeasure, type MeasureParts, withoutQuoted } from '#src/web/measure.ts';
import { testDeps } from '../kit/deps.ts';
import { until } from '../kit/until.ts';

interface Sent {
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
}

const exceptionsOf = (event: Sent | undefined) => event?.properties['$exception_list'];

const about = { requestId: '8f2c19d4', path: '/project/:project/overview' };

function start(parts: Partial<MeasureParts> = {}) {
  const deps = testDeps();
  const delivered: Sent[] = [];
  const measure = createMeasure({
    config: deps.config,
    log: deps.log,
    fetch: () => Promise.reject(new Error('nothing may leave this process')),
    token: () => 'lnt_own',
    deliver: async (events) => {
      delivered.push(...(events as unknown as Sent[]));
    },
    ...parts,
  });
  return { measure, delivered, deps };
}

test('events and exceptions are handed over in this process, personless and with our host', async () => {
  const { measure, delivered, deps } = start();
  measure.event('server started', { mode: 'store' });
  measure.exception(new TypeError('x is not a function'), about);
  await measure.stop();
  await deps.close();
  expect(delivered.map(({ event }) => event)).toEqual(['server started', '$exception']);
  for (const { distinct_id, properties } of delivered) {
    expect(distinct_id).toBe('luneta-server');
    expect(properties).toMatchObject({ $process_person_profile: false, $host: 'localhost:3000' });
  }
  expect(exceptionsOf(delivered[1])).toMatchObject([{ type: 'TypeError', value: 'x is not a function' }]);
  expect(delivered[1]?.properties).toMatchObject({ $pathname: about.path, request_id: about.requestId });
});

test('texts of errors lose what they quote', async () => {
  const { measure, delivered, deps } = start();
  measure.exception(new Error('invalid input syntax for type uuid: "marina@serrana.example"'), about);
  await measure.stop();
  await deps.close();
  expect(exceptionsOf(delivered[0])).toMatchObject([{ value: 'invalid input syntax for type uuid: "…"' }]);
});

test.each([
  ['column "secrets" of \'users\' does not exist', 'column "…" of "…" does not exist'],
  ['who is marina@serrana.example?', 'who is …'],
  ['plain text stays', 'plain text stays'],
  ['x'.repeat(900), 'x'.repeat(500)],
])('%s', (message, kept) => expect(withoutQuoted(message)).toBe(kept));

test('with an upstream its batches go there', async () => {
  const asked: string[] = [];
  const { measure, deps } = start({
    config: { ...testDeps().config, PUBLIC_POSTHOG_HOST: 'https://eu.i.posthog.com' },
    deliver: null,
    fetch: async (url) => {
      asked.push(String(url));
      return new Response('{"status":1}');
    },
  });
  measure.event('server started', {});
  await measure.stop();
  await deps.close();
  expect(asked).toEqual(['https://eu.i.posthog.com/batch/']);
});

test('nothing is reported before the project is known, nor without one', async () => {
  let token: string | null = null;
  const { measure, delivered, deps } = start({ token: () => token });
  measure.event('too early', {});
  token = 'lnt_own';
  measure.event('in time', {});
  await measure.stop();
  await deps.close();
  expect(delivered.map(({ event }) => event)).toEqual(['in time']);
});

test('a collector that refuses is logged, nowhere else, and breaks nothing', async () => {
  const onConsole = jest.spyOn(console, 'error').mockReturnValue();
  const { measure, deps } = start({ deliver: () => Promise.reject(new Error('away')) });
  // So many at once are sent at once, what is left at the end.
  for (let sent = 0; sent < 30; sent++) measure.event('lost', {});
  await until(() => deps.logged.some(({ msg }) => msg === 'failed to send own telemetry'));
  deps.logged.length = 0;
  await measure.stop();
  await deps.close();
  expect(deps.logged.some(({ msg }) => msg === 'failed to send own telemetry')).toBe(true);
  expect(onConsole.mock.calls).toEqual([]);
  onConsole.mockRestore();
});
