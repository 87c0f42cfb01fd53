/** Our answers against those of the installed posthog-node, which evaluates the definitions that we hand out by itself. */
import { createHash } from 'node:crypto';
import { PostHog } from 'posthog-node';
import { checkDefinition } from '#src/flags/check.ts';
import type { Flag, FlagSubject } from '#src/flags/contract.ts';
import { type CompiledFlags, compileFlags } from '#src/flags/evaluation/compile.ts';
import { createEvaluation, payloadOf } from '#src/flags/evaluation/evaluate.ts';
import { localDefinitions } from '#src/flags/local.ts';
import { enrollmentProperty } from '#src/flags/values.ts';
import fc from '#test/kit/fast-check.ts';
import { type SampleFlag, type SamplePerson, sampleFlags, samplePerson } from './samples.ts';

const groupTypes = new Map([
  [0, 'company'],
  [1, 'team'],
]);

// The client's own hash goes through the thread pool: the same digest, at once.
beforeAll(() => {
  jest.spyOn(globalThis.crypto.subtle, 'digest').mockImplementation(
    async (_name, data) =>
      new Uint8Array(
        createHash('sha1')
          .update(data as Uint8Array)
          .digest(),
      ).buffer,
  );
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterAll(() => jest.restoreAllMocks());

/** As the store would keep them. */
function kept(samples: readonly SampleFlag[], stages: readonly Flag['earlyAccess'][] = []): Flag[] {
  const numbers = new Set(groupTypes.keys());
  return samples.map(({ key, definition }, at) => ({
    id: at + 1,
    key,
    description: '',
    version: 1,
    definition: checkDefinition(definition, {
      key,
      others: samples.slice(0, at),
      groupTypes: numbers,
      cohorts: new Set(),
    }),
    earlyAccess: definition.filters.aggregation_group_type_index == null ? (stages[at] ?? null) : null,
    createdAt: 0,
    changedAt: 0,
  }));
}

function localClient(flags: readonly Flag[], compiled: CompiledFlags): PostHog {
  const { body } = localDefinitions({ flags, earlyAccess: [], compiled, groupTypes });
  return new PostHog('lnt_test', {
    host: 'http://localhost:1',
    personalApiKey: 'lnk_test',
    featureFlagsPollingInterval: 1e8,
    disableGeoip: true,
    fetch: async () => new Response(body, { status: 200 }) as never,
  });
}

function subjectOf({ distinctId, deviceId, properties, groups, groupProperties }: SamplePerson): FlagSubject {
  return { distinctId, deviceId, firstId: null, personProperties: properties, groups, groupProperties };
}

async function askLocally(client: PostHog, person: SamplePerson) {
  const device = person.deviceId === null ? {} : { $device_id: person.deviceId };
  return client.getAllFlagsAndPayloads(person.distinctId, {
    onlyEvaluateLocally: true,
    personProperties: { ...person.properties, ...device } as Record<string, string>,
    groups: person.groups,
    groupProperties: person.groupProperties as Record<string, Record<string, string>>,
  });
}

const stages = fc.array(fc.constantFrom(null, null, 'beta' as const, 'concept' as const));
/** Some have chosen whether to have features. */
const choosingPerson = fc
  .tuple(
    samplePerson,
    fc.dictionary(
      fc.constantFrom('flag-0', 'flag-1', 'flag-2', 'flag-3'),
      fc.constantFrom(true, false, 'true', 'False', 'perhaps'),
    ),
  )
  .map(([person, chosen]) => ({
    ...person,
    properties: {
      ...person.properties,
      ...Object.fromEntries(Object.entries(chosen).map(([key, value]) => [enrollmentProperty(key), value])),
    },
  }));

it('is what posthog-node gives, wherever that decides by itself', async () => {
  const seen = { asked: 0, decided: 0, values: new Set<unknown>() };
  await fc.assert(
    fc.asyncProperty(
      sampleFlags,
      fc.array(choosingPerson, { minLength: 10, maxLength: 10 }),
      stages,
      async (samples, people, own) => {
        const flags = kept(samples, own);
        const compiled = compileFlags(flags, groupTypes);
        const client = localClient(flags, compiled);
        for (const person of people) {
          const { featureFlags = {}, featureFlagPayloads = {} } = await askLocally(client, person);
          const evaluation = createEvaluation(
            compiled,
            subjectOf(person),
            { person: {}, groups: {}, cohorts: new Set<number>() },
            Date.now(),
          );
          const ours = compiled.list
            .filter(({ key }) => key in featureFlags)
            .map((flag) => [flag.key, evaluation.flag(flag).value]);
          expect(Object.fromEntries(ours)).toEqual(featureFlags);
          for (const [key, payload] of Object.entries(featureFlagPayloads)) {
            const flag = compiled.byKey.get(key);
            expect(flag && JSON.parse(payloadOf(flag, featureFlags[key] ?? false) ?? 'null')).toEqual(payload);
          }
          seen.asked += flags.length;
          seen.decided += ours.length;
          for (const [, value] of ours) seen.values.add(value);
        }
        await client.shutdown();
      },
    ),
    { numRuns: 130 },
  );
  expect(seen.asked).toBeGreaterThanOrEqual(10_000);
  // Most are decided there, with every kind of value.
  expect(seen.decided).toBeGreaterThan(seen.asked / 2);
  expect([...seen.values]).toEqual(expect.arrayContaining([true, false, 'v0', 'v1', 'v2', 'holdout-3']));
});

it('never leaves the type of the flag, for any query', () => {
  fc.assert(
    fc.property(
      sampleFlags,
      fc.array(samplePerson, { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      (samples, people, isAway) => {
        const flags = kept(samples);
        const compiled = compileFlags(flags, groupTypes);
        for (const person of people) {
          const known = { person: {}, groups: {}, cohorts: new Set<number>() };
          const stored = isAway ? { person: null, groups: null, cohorts: null } : known;
          const evaluation = createEvaluation(compiled, subjectOf(person), stored, 0);
          for (const flag of compiled.list) {
            const { value, failed } = evaluation.flag(flag);
            const variants = flag.variants.map(({ key }) => key);
            const allowed = variants.length > 0 ? variants : [true];
            expect([false, 'holdout-3', ...allowed]).toContain(value);
            if (failed) expect([value, isAway]).toEqual([false, true]);
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});
