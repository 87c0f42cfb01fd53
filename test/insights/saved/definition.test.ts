/** Stored queries: those of every version open for ever, and what can be saved opens as it was saved. */
import { readdirSync, readFileSync } from 'node:fs';
import { type DefinitionInput, definitionInput } from '#src/insights/saved/contract.ts';
import { openDefinition, readDefinition } from '#src/insights/saved/definition.ts';
import { referencesOf } from '#src/insights/saved/references.ts';
import { type Upcasts, upcast } from '#src/insights/saved/upcasts.ts';
import { QUERY_VERSION, savedKinds } from '#src/insights/saved/values.ts';
import { AppError } from '#src/kit/errors.ts';
import fc from '#test/kit/fast-check.ts';

const folder = 'test/fixtures/insights';
const fixtures = readdirSync(folder).map((file) => ({
  version: Number(/^v(\d+)\.json$/.exec(file)?.[1]),
  stored: JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as { kind: string; version: number }[],
}));

test('there are fixtures of every kind in every version', () => {
  expect(fixtures.map(({ version }) => version)).toEqual(Array.from({ length: QUERY_VERSION }, (_, at) => at + 1));
  for (const { stored } of fixtures) {
    expect(new Set(stored.map(({ kind }) => kind))).toEqual(new Set(savedKinds));
  }
});

test.each(fixtures)('queries of version $version open and can be saved again', ({ version, stored }) => {
  for (const each of stored) {
    expect(each.version).toBe(version);
    const opened = openDefinition(each);
    expect(opened).toMatchObject({ kind: each.kind, version: QUERY_VERSION });
    const { segment, ...rest } = opened;
    const again = definitionInput.parse({ ...rest, ...(segment !== null && { segment }) });
    expect(readDefinition(again)).toEqual(opened);
  }
});

test('what a query names is found wherever it stands', () => {
  const named = fixtures.flatMap(({ stored }) => stored.map((each) => referencesOf(openDefinition(each))));
  expect(named[1]).toEqual({ goals: [7], events: ['order_completed', '$pageview'] });
  expect(named[2]).toEqual({ goals: [7], events: ['$pageview', 'product_viewed', 'product_added', 'order_canceled'] });
});

test('up-casts run in order, from the version that was stored', () => {
  const steps: Upcasts = ['b', 'c'].map((name) => ({ kind, query }) => ({
    kind,
    query: { ...query, path: `${query['path']}${name}` },
  }));
  const stored = { kind: 'trends' as const, query: { path: 'a' } };
  const paths = [1, 2, 3].map((version) => upcast(stored, version, steps).query['path']);
  expect(paths).toEqual(['abc', 'ac', 'a']);
  for (const version of [0, 4, 1.5]) expect(() => upcast(stored, version, steps)).toThrow('unknown version');
});

describe('given anything as a query', () => {
  const eventName = fc.constantFrom('$pageview', 'order_completed', '', null, 'a'.repeat(500), '\u0000', '\ud800');
  const condition = fc.record({
    about: fc.constantFrom('event', 'person', 'session', 'nothing'),
    name: fc.constantFrom('plan', '$pathname', '\ud83d'),
    operator: fc.constantFrom('equals', 'isSet', 'is'),
    values: fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()), { maxLength: 3 }),
  });
  const filters = fc.record({ match: fc.constantFrom('all', 'any'), of: fc.array(condition, { maxLength: 2 }) });
  const events = fc.oneof(
    fc.record({ event: eventName, filters }, { requiredKeys: ['event'] }),
    fc.record({ goal: fc.constantFrom(1, -1, 'x') }),
    fc.record({ any: fc.array(fc.record({ event: eventName }), { maxLength: 3 }) }),
  );
  const range = fc.constantFrom('today', 'last_28_days', 'ever', { from: '2026-01-01', to: '2026-01-31' });
  const query = fc.record(
    {
      range,
      filters,
      series: fc.array(fc.record({ event: events }), { maxLength: 3 }),
      formulas: fc.array(fc.record({ formula: fc.constantFrom('A / 2', 'a', 'A +', '', 7) }), { maxLength: 2 }),
      steps: fc.array(events, { maxLength: 4 }),
      event: events,
      startEvent: events,
      returningEvent: events,
      limit: fc.constantFrom(0, 1, 25, 1e9),
      optionalSteps: fc.array(fc.constantFrom(1, 2, 0.5, 11), { maxLength: 2 }),
      brackets: fc.constantFrom([0, 3, 7], [3, 3], [], [0.5], [100]),
      attribution: fc.constantFrom('first', 'all', 'second', { step: 2 }, { step: 0 }),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const needed: Record<(typeof savedKinds)[number], string[]> = {
    trends: ['range', 'filters', 'series', 'limit', 'formulas'],
    funnel: ['range', 'steps', 'limit', 'optionalSteps', 'attribution'],
    retention: ['range', 'startEvent', 'returningEvent', 'brackets'],
    paths: ['range', 'limit', 'filters'],
    lifecycle: ['range', 'event'],
    stickiness: ['range', 'event', 'filters'],
  };

  test('it is saved and opens the same, or the error names its part', () => {
    let saved = 0;
    fc.assert(
      fc.property(fc.constantFrom(...savedKinds), query, fc.boolean(), (kind, all, isTrimmed) => {
        const trimmed = Object.fromEntries(Object.entries(all).filter(([name]) => needed[kind].includes(name)));
        const given = { kind, version: QUERY_VERSION, query: isTrimmed ? trimmed : all, display: {} };
        let definition: ReturnType<typeof readDefinition>;
        try {
          definition = readDefinition(given as DefinitionInput);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).code).toBe('invalid');
          expect((error as AppError).field).toMatch(/^query/);
          return;
        }
        saved += 1;
        expect(openDefinition(JSON.parse(JSON.stringify(definition)))).toEqual(definition);
      }),
      { numRuns: 2_000 },
    );
    expect(saved).toBeGreaterThan(50);
  });

  test('what is too long for a definition is refused', () => {
    const distinctIds = Array.from({ length: 9_000 }, (_, at) => `visitor-${at}`);
    const people = { match: 'all', of: [{ listed: { distinctIds, persons: [] } }] };
    const given = { kind: 'paths', version: QUERY_VERSION, query: { range: 'today', people }, display: {} };
    expect(() => readDefinition(given as DefinitionInput)).toThrow('too long to save');
  });
});
