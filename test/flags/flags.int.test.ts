/** Flags from their store to real clients: posthog-node, evaluating here and there, and plain HTTP. */
import { PostHog, type PostHogOptions } from 'posthog-node';
import type { Accounts } from '#src/accounts/accounts.ts';
import type { FlagDefinition, FlagFilters, ScheduledChange } from '#src/flags/contract.ts';
import { flagDefinition } from '#src/flags/contract.ts';
import { type Author, createFlagStore } from '#src/flags/flags.ts';
import type { FlagStore } from '#src/flags/store.ts';
import { systemClock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { createPeople } from '#src/persons/people.ts';
import { createApiKeys } from '#src/projects/api-keys/api-keys.ts';
import type { Project } from '#src/projects/projects.ts';
import { CHROME } from '#test/collect/context.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { until } from '#test/kit/until.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { sampleFlags } from './samples.ts';

const database = useDatabase({ between: 'nothing' });
const TEAM = 1;
const author: Author = { id: 1, name: 'Ana', note: async () => undefined };
const reader = { id: 1, teams: [{ id: TEAM, role: 'member' }] } as unknown as Awaited<ReturnType<Accounts['reader']>>;

let collector: TestCollector;
/** Another process on the same database. */
let other: TestCollector;
let project: Project;
let key: string;

beforeAll(async () => {
  const options = { clock: systemClock, accounts: { reader: async () => reader } };
  collector = await startCollector(database.url, options);
  other = await startCollector(database.url, options);
  await database.query(
    `insert into teams (id, name, created_at) overriding system value values (${TEAM}, 'Loja', now())`,
  );
  await database.query(
    `insert into users (id, uuid, email, email_key, name, language, time_zone, created_at) overriding system value
     values (1, gen_random_uuid(), 'ana@example.com', 'ana@example.com', 'Ana', 'en', 'UTC', now())`,
  );
  const keys = createApiKeys(collector.deps);
  key = (await keys.create(1, { name: 'server', scopes: ['flags:read'], projects: null, days: 'never' }, [])).key;
});
afterAll(async () => {
  await collector.stop();
  await other.stop();
});
beforeEach(async () => {
  project = await collector.projects.create({ name: 'Loja', timeZone: 'UTC', teamId: TEAM });
});

function definition(filters: Partial<FlagFilters>, rest: Partial<FlagDefinition> = {}): FlagDefinition {
  return flagDefinition.parse({ active: true, filters: { groups: [{}], ...filters }, ...rest });
}

const create = (name: string, own: FlagDefinition) =>
  collector.flags.create(project.id, { key: name, description: '', definition: own }, author);

async function flagsOf(body: JsonObject, { at = collector, path = '/flags/?v=2' } = {}) {
  const response = await fetch(`${at.url}/ingest${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: project.token, ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as {
    flags: Record<string, { enabled: boolean; variant: string | null; failed?: boolean; reason: JsonObject }>;
    errorsWhileComputingFlags: boolean;
    hasFeatureFlags?: boolean;
  };
}

async function withNode<Result>(options: PostHogOptions, use: (client: PostHog) => Promise<Result>): Promise<Result> {
  const client = new PostHog(project.token, { host: `${collector.url}/ingest`, flushInterval: 100, ...options });
  try {
    return await use(client);
  } finally {
    await client.shutdown();
  }
}

const AB: Partial<FlagFilters> = {
  multivariate: {
    variants: [
      { key: 'control', rollout_percentage: 50 },
      { key: 'test', rollout_percentage: 50 },
    ],
  },
  payloads: { test: '{"color":"green"}' },
};

it('are the same for posthog-node remotely and locally, and over HTTP, with what is stored of the person', async () => {
  await create('everyone', definition({}));
  await create('checkout', definition(AB));
  await create(
    'pro',
    definition({
      groups: [
        { properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }], rollout_percentage: null },
      ],
    }),
  );
  await create('company', definition({ groups: [{ properties: [], rollout_percentage: null }] }));
  await withNode({}, async (client) => client.identify({ distinctId: 'ana', properties: { plan: 'Pro' } }));

  const { flags, errorsWhileComputingFlags } = await flagsOf({ distinct_id: 'ana' });
  expect(errorsWhileComputingFlags).toBe(false);
  expect(flags['everyone']).toMatchObject({
    enabled: true,
    variant: null,
    reason: { code: 'condition_match', condition_index: 0 },
  });
  expect(flags['pro']).toMatchObject({ enabled: true });
  const { flags: ofBob } = await flagsOf({ distinct_id: 'bob' });
  expect(ofBob['pro']).toMatchObject({ enabled: false, reason: { code: 'no_condition_match' } });

  const variant = flags['checkout']?.variant;
  expect(['control', 'test']).toContain(variant);
  const remote = await withNode({}, (client) => client.getAllFlags('ana'));
  expect(remote).toEqual({ everyone: true, checkout: variant, pro: true, company: true });
  const local = await withNode({ personalApiKey: key, featureFlagsPollingInterval: 1e6 }, async (client) => ({
    // Without the property it asks for all of them, with it it need not.
    asked: await client.getAllFlags('ana'),
    decided: await client.getAllFlags('ana', { onlyEvaluateLocally: true, personProperties: { plan: 'pro' } }),
  }));
  expect(local).toEqual({ asked: remote, decided: remote });
  // With a secret key of the project it does the same.
  const { key: secretKey } = await collector.projects.secrets.rotate(project.id, 1);
  const bySecret = await withNode({ secretKey, featureFlagsPollingInterval: 1e6 }, (client) =>
    client.getAllFlags('ana', { onlyEvaluateLocally: true, personProperties: { plan: 'pro' } }),
  );
  expect(bySecret).toEqual(remote);
  const tester = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'].map((id) => flagsOf({ distinct_id: id }));
  const payloads = (await Promise.all(tester)).map(({ flags: { checkout } }) => checkout);
  for (const each of payloads) {
    const payload = each?.variant === 'test' ? '{"color":"green"}' : null;
    expect(each).toMatchObject({ metadata: { payload, version: 1 } });
  }
});

it('know who is in a cohort, which servers ask us for', async () => {
  await withNode({}, async (client) => {
    for (const id of ['in-1', 'in-2', 'out']) client.identify({ distinctId: id, properties: { plan: 'pro' } });
  });
  const numbered = await database.query<{ id: string; person: number }>(
    'select distinct_id as id, person from distinct_ids where project_id = $1',
    [project.id],
  );
  const people = numbered.filter(({ id }) => id.startsWith('in-')).map(({ person }) => person);
  const insert = async (projectId: number, name: string) => {
    const [row] = await database.query<{ id: number }>(
      `insert into cohorts (project_id, created_by, name, description, people, computed_at, computed_ms, created_at, changed_at)
       values ($1, 1, $2, '', $3, now(), 0, now(), now()) returning id`,
      [projectId, name, people],
    );
    return row?.id as number;
  };
  const cohort = await insert(project.id, 'Beta');
  const foreign = await insert((await collector.projects.create({ name: 'Other', timeZone: 'UTC' })).id, 'Beta');
  const within = (id: number, operator: 'in' | 'not_in', rest: Partial<FlagFilters> = {}) =>
    definition({
      groups: [{ properties: [{ key: 'id', type: 'cohort', operator, value: id }], rollout_percentage: null }],
      ...rest,
    });
  await create('beta', within(cohort, 'in'));
  await create('others', within(cohort, 'not_in'));
  const expected: Record<string, object> = {
    'in-1': { beta: true, others: false },
    'in-2': { beta: true, others: false },
    out: { beta: false, others: true },
    stranger: { beta: false, others: true },
  };
  const values = await withNode({}, (client) =>
    Promise.all(Object.keys(expected).map(async (id) => [id, await client.getAllFlags(id)])),
  );
  expect(Object.fromEntries(values)).toEqual(expected);
  // A server does not know cohorts: it asks, and never decides by itself. Its library says so.
  jest.spyOn(console, 'warn').mockImplementation();
  const local = await withNode({ personalApiKey: key, featureFlagsPollingInterval: 1e6 }, async (client) => [
    await client.getAllFlags('in-1'),
    await client.getAllFlags('in-1', { onlyEvaluateLocally: true }),
  ]);
  expect(local).toEqual([expected['in-1'], {}]);

  const draft = { key: 'draft', definition: within(cohort, 'in') };
  const tried = (distinctId: string) => collector.flags.tryFor(project.id, { ...draft, distinctId });
  expect((await tried('in-1')).result).toMatchObject({ value: true, reason: 'condition_match' });
  expect((await tried('out')).result).toMatchObject({ value: false });
  await expect(create('elsewhere', within(foreign, 'in'))).rejects.toMatchObject({ code: 'invalid' });
  const mixed = { groups: [{ properties: [{ key: 'id', type: 'person', operator: 'in', value: cohort }] }] };
  await expect(create('mixed', definition(mixed as Partial<FlagFilters>))).rejects.toMatchObject({ code: 'invalid' });
});

it('change in every process, and in servers at their next poll: off is off', async () => {
  const flag = await create('kill', definition({}));
  for (const at of [collector, other])
    expect((await flagsOf({ distinct_id: 'a' }, { at })).flags['kill']?.enabled).toBe(true);
  await withNode({ personalApiKey: key, featureFlagsPollingInterval: 100 }, async (client) => {
    const here = () => client.getAllFlags('a', { onlyEvaluateLocally: true });
    await until(async () => (await here())['kill'] === true);
    await collector.flags.setActive(project.id, flag.id, false, author);
    await until(async () => (await here())['kill'] === false);
  });
  await until(async () => (await flagsOf({ distinct_id: 'a' }, { at: other })).flags['kill']?.enabled === false);
  const config = await fetch(`${other.url}/ingest/array/${project.token}/config`);
  expect(await config.json()).not.toHaveProperty('hasFeatureFlags');
});

it('keep their value across sign-in, on every device of the person', async () => {
  await create('sticky', definition(AB, { ensure_experience_continuity: true }));
  const variantOf = async (body: JsonObject) => (await flagsOf(body)).flags['sticky']?.variant;
  for (let nth = 0; nth < 6; nth++) {
    const before = await variantOf({ distinct_id: `anon-${nth}` });
    expect(await variantOf({ distinct_id: `user-${nth}`, $anon_distinct_id: `anon-${nth}` })).toBe(before);
    // On another device, and on a server.
    expect(await variantOf({ distinct_id: `user-${nth}`, $anon_distinct_id: `phone-${nth}` })).toBe(before);
    expect(await variantOf({ distinct_id: `user-${nth}` })).toBe(before);
  }
});

it('are read by servers with a key for it, again only when they changed', async () => {
  await create('local', definition({ payloads: { true: '{"limit":3}' } }));
  const definitions = (headers: Record<string, string> = {}, path = '/flags/definitions?send_cohorts') =>
    fetch(`${collector.url}/ingest${path}&token=${project.token}`, { headers });
  const bearer = { Authorization: `Bearer ${key}` };
  expect((await definitions()).status).toBe(401);
  expect((await definitions({ Authorization: 'Bearer lnk_nobodys' })).status).toBe(401);
  const first = await definitions(bearer);
  expect(await first.json()).toMatchObject({
    flags: [{ key: 'local', active: true }],
    cohorts: {},
    group_type_mapping: {},
  });
  const etag = first.headers.get('ETag') ?? '';
  const again = { ...bearer, 'If-None-Match': `W/${etag}` };
  expect((await definitions(again, '/api/feature_flag/local_evaluation?x')).status).toBe(304);
  const payload = await withNode({ personalApiKey: key }, (client) => client.getRemoteConfigPayload('local'));
  expect(payload).toEqual({ limit: 3 });
  await create('second', definition({}));
  await until(async () => (await definitions(again)).status === 200);

  const elsewhere = await collector.projects.create({ name: 'Other', timeZone: 'UTC' });
  const foreign = await fetch(`${collector.url}/ingest/flags/definitions?token=${elsewhere.token}`, {
    headers: bearer,
  });
  expect(foreign.status).toBe(403);
});

it('answer by the last definitions while PostgreSQL is away, and never with a wrong "off"', async () => {
  await create('plain', definition({}));
  await create(
    'pro',
    definition({
      groups: [
        { properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }], rollout_percentage: null },
      ],
    }),
  );
  const away = await startCollector(database.url, { clock: systemClock });
  try {
    await flagsOf({ distinct_id: 'a' }, { at: away });
    jest.spyOn(away.deps.write, 'query').mockImplementation(() => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    const { flags, errorsWhileComputingFlags } = await flagsOf({ distinct_id: 'a' }, { at: away });
    expect([flags['plain']?.enabled, errorsWhileComputingFlags]).toEqual([true, true]);
    expect(flags['pro']).toMatchObject({ failed: true, reason: { code: 'properties_unavailable' } });
    const given = await flagsOf({ distinct_id: 'a', person_properties: { plan: 'pro' } }, { at: away });
    expect(given.flags['pro']).toMatchObject({ enabled: true });
  } finally {
    await away.stop();
  }
});

it('refuse what makes no sense, and two who change the same', async () => {
  const base = await create('base', definition(AB));
  const dependsOn = (name: string, value: boolean | string = true) =>
    definition({
      groups: [
        { properties: [{ key: name, type: 'flag', operator: 'flag_evaluates_to', value }], rollout_percentage: null },
      ],
    });
  const above = await create('above', dependsOn('base', 'test'));
  const change = (id: number, own: FlagDefinition, version = 1) =>
    collector.flags.change(project.id, id, { version, definition: own }, author);
  await expect(change(base.id, dependsOn('above'))).rejects.toMatchObject({ code: 'conflict' });
  await expect(change(base.id, definition({}))).rejects.toMatchObject({ code: 'conflict' });
  await expect(collector.flags.remove(project.id, base.id, author)).rejects.toMatchObject({ code: 'conflict' });
  await expect(create('above', definition({}))).rejects.toMatchObject({ code: 'conflict', field: 'key' });
  await expect(create('bad', dependsOn('nothing'))).rejects.toMatchObject({ code: 'invalid' });
  const changed = await change(above.id, dependsOn('base', false));
  expect(changed.version).toBe(2);
  await expect(change(above.id, definition({}))).rejects.toMatchObject({ code: 'conflict', field: 'version' });
  const reverted = await collector.flags.revert(project.id, above.id, 1, author);
  expect(reverted).toMatchObject({ version: 3, definition: above.definition });
  const history = await collector.flags.history(project.id, above.id);
  expect(history.map(({ version, by }) => [version, by.name])).toEqual([
    [3, 'Ana'],
    [2, 'Ana'],
    [1, 'Ana'],
  ]);
});

it('change by themselves when they should, each change once, and say what could not be made', async () => {
  let now = Date.now();
  const clock = { ...systemClock, now: () => now };
  const deps = { ...collector.deps, clock };
  const [one, two] = [1, 2].map(() => createFlagStore(deps, createPeople(deps)));
  const store = one as FlagStore;
  const everyone = { properties: [], rollout_percentage: null };
  const flag = await create('launch', definition({ groups: [everyone, everyone] }, { active: false }));
  const add = (at: number, change: ScheduledChange) =>
    store.schedules.add(project.id, { flag: flag.id, at: now + at, change }, author);
  await add(60_000, { active: true });
  await add(120_000, { condition: 1, rollout: 25 });
  const gone = await add(180_000, { active: false });
  const late = await add(240_000, { condition: 1, rollout: 50 });
  await expect(add(-1, { active: true })).rejects.toMatchObject({ code: 'invalid', field: 'at' });
  await expect(add(400 * 86_400_000, { active: true })).rejects.toMatchObject({ code: 'invalid', field: 'at' });
  await expect(add(1_000, { condition: 2, rollout: 1 })).rejects.toMatchObject({ code: 'invalid' });
  await store.schedules.cancel(project.id, flag.id, gone.id, author);
  await expect(store.schedules.cancel(project.id, flag.id, gone.id, author)).rejects.toMatchObject({
    code: 'not_found',
  });

  await store.schedules.work();
  expect((await store.get(project.id, flag.id)).version).toBe(1);
  now += 130_000;
  // Two workers at once.
  await Promise.all([one, two].map((each) => each?.schedules.work()));
  const changed = await store.get(project.id, flag.id);
  expect(changed).toMatchObject({ version: 3, definition: { active: true } });
  expect(changed.definition.filters.groups.map((each) => each.rollout_percentage)).toEqual([null, 25]);
  expect((await store.history(project.id, flag.id))[0]).toMatchObject({ by: { id: 1, name: 'Ana' } });
  expect((await store.schedules.list(project.id, flag.id)).map(({ id }) => id)).toEqual([late.id]);

  await store.change(project.id, flag.id, { version: 3, definition: definition({}) }, author);
  now += 200_000;
  await store.schedules.work();
  await store.schedules.work();
  const [failed] = await store.schedules.list(project.id, flag.id);
  expect(failed).toMatchObject({ id: late.id, problem: 'There is no condition 2 any more.' });
  expect((await store.get(project.id, flag.id)).version).toBe(4);
  const elsewhere = await collector.projects.create({ name: 'Other', timeZone: 'UTC' });
  await expect(store.schedules.list(elsewhere.id, flag.id)).rejects.toMatchObject({ code: 'not_found' });
  await store.schedules.cancel(project.id, flag.id, late.id, author);
  await store.remove(project.id, flag.id, author);
});

it('are copied to another project without what that one does not have, off, or over the flag with the same key', async () => {
  const target = await collector.projects.create({ name: 'Teste', timeZone: 'UTC', teamId: TEAM });
  await database.query(
    `insert into group_types (project_id, type_index, name) values ($1, 0, 'company'), ($1, 1, 'store'), ($2, 0, 'store')`,
    [project.id, target.id],
  );
  const [cohort] = await database.query<{ id: number }>(
    `insert into cohorts (project_id, created_by, name, description, people, computed_at, computed_ms, created_at, changed_at)
     values ($1, 1, 'Beta', '', '{}', now(), 0, now(), now()) returning id`,
    [project.id],
  );
  await create('base', definition(AB));
  const own = {
    properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
    rollout_percentage: 40,
  };
  const conditions = [
    own,
    { properties: [{ key: 'id', type: 'cohort', operator: 'in', value: cohort?.id }], rollout_percentage: 100 },
    {
      properties: [{ key: 'base', type: 'flag', operator: 'flag_evaluates_to', value: 'test' }],
      rollout_percentage: 100,
    },
    { properties: [], rollout_percentage: 50, aggregation_group_type_index: 0 },
    { properties: [], rollout_percentage: 60, aggregation_group_type_index: 1 },
  ] as FlagFilters['groups'];
  const flag = await create('copied', definition({ groups: conditions }));
  const { copies } = collector.flags;
  const leftOut = [
    { condition: 1, reason: 'cohort', name: 'Beta' },
    { condition: 2, reason: 'flag', name: 'base' },
    { condition: 3, reason: 'groupType', name: 'company' },
  ];
  expect(await copies.plan(project.id, flag.id, target.id)).toEqual({ existing: null, leftOut, blocked: null });
  const copy = await copies.copy(project.id, flag.id, target.id, null, author);
  expect(copy).toMatchObject({ key: 'copied', version: 1, definition: { active: false } });
  expect(copy.definition.filters.groups).toMatchObject([
    own,
    { aggregation_group_type_index: 0, rollout_percentage: 60 },
  ]);

  // A second time it is over that flag, which stays off; not over one that changed meanwhile.
  await expect(copies.copy(project.id, flag.id, target.id, null, author)).rejects.toMatchObject({ code: 'conflict' });
  const { existing } = await copies.plan(project.id, flag.id, target.id);
  expect(existing).toEqual({ id: copy.id, version: 1 });
  const again = await copies.copy(project.id, flag.id, target.id, 1, author);
  expect(again).toMatchObject({ id: copy.id, version: 2, definition: { active: false } });

  // A condition may keep people from later ones, and the unit of a flag must be there.
  const exiting = await create('exiting', definition({ groups: conditions, early_exit: true }));
  const unit = await create('unit', definition({ aggregation_group_type_index: 0 }));
  for (const [{ id }, reason] of [
    [exiting, 'earlyExit'],
    [unit, 'groupType'],
  ] as const) {
    expect((await copies.plan(project.id, id, target.id)).blocked).toMatchObject({ reason });
    await expect(copies.copy(project.id, id, target.id, null, author)).rejects.toMatchObject({ code: 'invalid' });
  }
});

it('say before they are saved who would get them, and why', async () => {
  const now = Date.now();
  const batch = Array.from({ length: 20 }, (_, nth) => ({
    event: '$pageview',
    distinct_id: `visitor-${nth}`,
    timestamp: new Date(now - 60_000).toISOString(),
    properties: { $session_id: uuidV7(now - 60_000), $set: { plan: nth < 5 ? 'pro' : 'free' } },
  }));
  await fetch(`${collector.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'User-Agent': CHROME },
    body: JSON.stringify({ api_key: project.token, batch }),
  });
  const pro = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' } as const;
  const draft = { key: 'draft', definition: definition({ groups: [{ properties: [pro], rollout_percentage: null }] }) };
  expect(await collector.flags.preview(project.id, draft)).toEqual({
    people: 20,
    sampled: 20,
    values: [
      { value: false, people: 15 },
      { value: true, people: 5 },
    ],
    conditions: [5],
  });
  expect(await collector.flags.tryFor(project.id, { ...draft, distinctId: 'visitor-1' })).toMatchObject({
    isKnown: true,
    result: { value: true, reason: 'condition_match', condition: 0 },
  });
  expect(await collector.flags.tryFor(project.id, { ...draft, distinctId: 'nobody' })).toMatchObject({
    isKnown: false,
    conditions: [{ outcome: 'no_match', properties: [false] }],
  });
});

it('answer any request with flags within their types, and refuse any other definition by name', async () => {
  await withNode({}, async (client) => {
    for (const groupType of ['company', 'team']) client.groupIdentify({ groupType, groupKey: 'acme' });
  });
  const [samples = []] = fc.sample(sampleFlags, { numRuns: 1, seed: 7 });
  const made = new Map<string, string[]>();
  for (const { key: name, definition: own } of samples) {
    // Some make no sense: a text where a number is needed.
    const flag = await create(name, own).catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
    if (flag) made.set(name, own.filters.multivariate?.variants.map((each) => each.key) ?? []);
  }
  expect(made.size).toBeGreaterThan(0);

  const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
  const id = fc.oneof(fc.constantFrom<JsonValue>('ana', '', 7, null, '\u0000', '\ud800', 'x'.repeat(5_000)), anything);
  const body = fc.record(
    {
      distinct_id: id,
      $anon_distinct_id: id,
      $device_id: id,
      person_properties: fc.oneof(anything, fc.dictionary(fc.constantFrom('plan', 'age', '__proto__'), anything)),
      groups: anything,
      group_properties: anything,
      flag_keys_to_evaluate: anything,
      evaluation_contexts: anything,
      disable_flags: anything,
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom('/flags/?v=2', '/flags/?v=1', '/decide/?v=3', '/flags/'),
      async (given, path) => {
        const response = await fetch(`${collector.url}/ingest${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...given, token: project.token }),
        });
        expect([path, response.status < 500]).toEqual([path, true]);
        if (response.status !== 200) return;
        const { flags = {} } = (await response.json()) as { flags?: Record<string, { variant: string | null }> };
        for (const [name, { variant }] of Object.entries(flags)) {
          const variants = made.get(name) ?? [];
          expect([name, variant === null || variants.includes(variant) || /^holdout-/.test(variant)]).toEqual([
            name,
            true,
          ]);
        }
      },
    ),
    { numRuns: 150 },
  );

  const changed = fc.tuple(fc.constantFrom('groups', 'multivariate', 'payloads', 'holdout', 'early_exit'), anything);
  await fc.assert(
    fc.asyncProperty(changed, async ([name, value]) => {
      const read = flagDefinition.safeParse({ active: true, filters: { groups: [], [name]: value } });
      if (!read.success) return;
      const tried = { key: 'fuzz', definition: read.data, distinctId: 'ana' };
      const answer = await collector.flags
        .tryFor(project.id, tried)
        .catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
      if (answer) expect(['boolean', 'string']).toContain(typeof answer.result.value);
    }),
    { numRuns: 60 },
  );
});

it('lets people turn on a feature for themselves, before its conditions, while it is offered', async () => {
  const nobody = definition({ groups: [{ properties: [], rollout_percentage: 0 }] });
  const { id } = await create('new-checkout', nobody);
  const others = await create('others', nobody);
  const { earlyAccess } = collector.flags;
  const feature = {
    flag: id,
    name: 'New checkout',
    description: 'One page',
    documentationUrl: 'https://example.com/b',
  };
  await earlyAccess.save(project.id, { ...feature, stage: 'concept' }, author);
  const offered = async (query = '') => {
    const response = await fetch(`${collector.url}/ingest/api/early_access_features/?token=${project.token}${query}`);
    return ((await response.json()) as { earlyAccessFeatures: JsonObject[] }).earlyAccessFeatures;
  };
  await until(async () => (await offered()).length === 1);
  expect(await offered()).toEqual([
    {
      name: 'New checkout',
      description: 'One page',
      stage: 'concept',
      documentationUrl: 'https://example.com/b',
      imageUrl: null,
      payload: {},
      flagKey: 'new-checkout',
    },
  ]);
  expect(await offered('&stage=beta&stage=alpha')).toEqual([]);

  const choose = (distinctId: string, chosen: boolean) =>
    withNode({}, async (client) => {
      client.capture({
        distinctId,
        event: '$feature_enrollment_update',
        properties: {
          $feature_flag: 'new-checkout',
          $feature_enrollment: chosen,
          $set: { '$feature_enrollment/new-checkout': chosen },
        },
      });
    });
  await choose('in', true);
  await choose('out', false);
  const valueFor = async (distinct_id: string) => {
    const { flags } = await flagsOf({ distinct_id });
    const { enabled, reason } = flags['new-checkout'] ?? {};
    return [enabled, reason?.['code']];
  };
  const rolledOut = [false, 'out_of_rollout_bound'];
  // Interest alone gives nothing.
  expect(await valueFor('in')).toEqual(rolledOut);
  await earlyAccess.save(project.id, { ...feature, stage: 'beta' }, author);
  await until(async () => (await valueFor('in'))[0] === true);
  expect(await valueFor('in')).toEqual([true, 'super_condition_value']);
  expect(await valueFor('nobody')).toEqual(rolledOut);
  await collector.flags.change(
    project.id,
    id,
    { version: 1, definition: definition({ groups: [{ properties: [], rollout_percentage: 100 }] }) },
    author,
  );
  await until(async () => (await valueFor('nobody'))[0] === true);
  expect(await valueFor('out')).toEqual([false, 'super_condition_value']);
  expect(await earlyAccess.list(project.id)).toEqual([
    { ...feature, stage: 'beta', flagKey: 'new-checkout', active: true, optedIn: 1, optedOut: 1 },
  ]);
  // What the request says goes before what is stored.
  const given = { '$feature_enrollment/new-checkout': true };
  expect((await flagsOf({ distinct_id: 'out', person_properties: given })).flags['new-checkout']).toMatchObject({
    enabled: true,
  });

  const elsewhere = await collector.projects.create({ name: 'Another', timeZone: 'UTC', teamId: TEAM });
  await expect(earlyAccess.save(elsewhere.id, { ...feature, stage: 'beta' }, author)).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(earlyAccess.remove(project.id, others.id, author)).rejects.toMatchObject({ code: 'not_found' });
  await collector.flags.setActive(project.id, id, false, author);
  await until(async () => (await offered()).length === 0);
  await earlyAccess.remove(project.id, id, author);
  expect(await earlyAccess.list(project.id)).toEqual([]);
});
