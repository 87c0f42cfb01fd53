/** Regular expressions of members that cost much: several in one filter, at every door that takes filters. */
import request from 'supertest';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { callsOf } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
let project: string;

beforeAll(async () => {
  project = String(whole.project);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  const batch = Array.from({ length: 300 }, (_, at) => ({
    ...{ event: '$pageview', distinct_id: `person ${at % 9}`, timestamp: Date.now() - at * 60_000 },
    properties: { $pathname: `/${'a'.repeat(at)}!`, plan: 'ab'.repeat(at % 50) },
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
});

/** Patterns that nest repetitions, alternatives, references and looks ahead, in any depth. */
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(
      'a',
      '.',
      'a|aa',
      '[^!]',
      '(a|b|ab)',
      '\\w',
      '(.)\\1',
      '(a*)\\1',
      '\\m',
      '[[:alpha:]]',
      '(',
      '*',
      '[a',
      'é',
    ),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{0,9}', '{1,99}', '{255}', '*?', '+?'))
      .map(([inner, times]) => `(${inner})${times}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
    tie('pattern').map((inner) => `(?=${inner})`),
    fc
      .tuple(tie('pattern'), fc.integer({ min: 2, max: 60 }))
      .map(([inner, times]) => inner.repeat(times).slice(0, 900)),
  ),
}));

const condition = fc.record({
  about: fc.constantFrom('event', 'session'),
  name: fc.constantFrom('entryPath', 'exitPath'),
  operator: fc.constantFrom('regex', 'notRegex'),
  values: fc.tuple(pattern.map((text) => `${text}!$`)),
});
const filters = fc.record({
  match: fc.constantFrom('all', 'any'),
  of: fc.array(
    condition.map((each) => (each.about === 'event' ? { ...each, name: '$pathname' } : each)),
    { minLength: 1, maxLength: 6 },
  ),
});

it('are answered or refused with a reason at every door', async () => {
  const { query, mutation } = callsOf(whole);
  const range = 'last_7_days';
  const event = { any: [{ event: '$pageview' }] };
  const doors: Record<string, (given: object) => request.Test> = {
    try: (given) => mutation(whole.owner, 'insights.tryFilters', { project, filters: given }),
    overview: (given) =>
      query(whole.owner, 'insights.query.overview', { project, range, compare: 'none', filters: given }),
    stickiness: (given) =>
      query(whole.owner, 'insights.query.stickiness', { project, range, interval: 'day', event, filters: given }),
    events: (given) => query(whole.owner, 'explorer.page', { project, range, names: [], filters: given }),
    segment: (given) =>
      mutation(whole.owner, 'insights.segments.save', {
        project,
        name: `${Math.random()}`,
        shared: false,
        filters: given,
      }),
  };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(filters, async (given) => {
      for (const [name, door] of Object.entries(doors)) {
        const { status, body } = await door(given);
        seen.add(`${name} ${status}`);
        if (status === 200) continue;
        expect([400, 503, 504]).toContain(status);
        expect(JSON.stringify(body)).toMatch(/regular expression|too long|too complex/i);
      }
    }),
    { numRuns: Number(process.env['RUNS'] ?? 25) },
  );
  const wanted = Object.keys(doors).flatMap((name) => [`${name} 200`, `${name} 400`]);
  expect([...seen]).toEqual(expect.arrayContaining(wanted));
}, 180_000);
