/** Issues over a whole application: exactly-once grouping, what people do with issues, whose they are, and what erasure and retention leave. */
import request from 'supertest';
import { createErrors } from '#src/errors/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { buildCorpus } from './corpus.ts';

const database = useDatabase({ between: 'nothing' });
let now = Date.now();
const clock = { now: () => now, elapsed: () => performance.now() };
const whole = useWholeApp(database, {}, { clock });
let people: Record<'viewer' | 'member' | 'stranger', Person>;
let otherProject: string;
let token: string;

beforeAll(async () => {
  people = await joinEach(whole, ['viewer', 'member']);
  const input = { team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.create', input).expect(200);
  otherProject = String(made.body.result.data.json.id);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  token = row?.token as string;
});

const frame = (name: string, over: object = {}) => ({
  ...{ platform: 'web:javascript', filename: 'https://shop.example/src/cart.ts', function: name },
  ...{ lineno: 4, colno: 9, in_app: true, ...over },
});
const session = uuidV7(now - 120_000);

interface Thrown {
  type?: string;
  value?: string;
  at?: string;
  by?: string;
  release?: string;
  ago?: number;
  properties?: object;
}

async function send(...thrown: Thrown[]): Promise<void> {
  const batch = thrown.map(({ type = 'TypeError', value = 'x is undefined', at = 'total', by = 'ana', ...rest }) => ({
    ...{ uuid: uuidV7(now), event: '$exception', timestamp: new Date(now - (rest.ago ?? 0)).toISOString() },
    properties: {
      ...{ distinct_id: by, $session_id: session, $browser: 'Chrome', $browser_version: 142, $os: 'Linux' },
      $current_url: 'https://shop.example/checkout',
      $pathname: '/checkout',
      ...(rest.release && { $app_version: rest.release }),
      $exception_level: 'error',
      $exception_list: [
        { type, value, mechanism: { handled: false }, stacktrace: { type: 'raw', frames: [frame('main'), frame(at)] } },
      ],
      ...rest.properties,
    },
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: token, batch }).expect(200);
}
const group = () => whole.parts.rooms.errors.group();
/** Of a second process. */
const errorsParts = () => {
  const { deps, history, people: persons, events, insights, projects } = whole.parts.rooms;
  const secrets = { keys: () => Promise.resolve([Buffer.alloc(32)]) };
  const columns = { persons: () => Promise.reject(new Error('no people chosen')) };
  return { deps, parts: { history, people: persons, notices: events.notices, insights, projects, secrets, columns } };
};

async function call(type: 'query' | 'mutation', as: { cookie: string }, name: string, input: object = {}) {
  const path = `errors.${name}`;
  const { status, body } = await callsOf(whole)[type](as.cookie, path, { project: String(whole.project), ...input });
  return status === 200 ? body.result.data.json : [status, body.error.json.data.field ?? body.error.json.data.appCode];
}
const list = (input: object = {}) => call('query', people.member, 'list', { status: 'all', ...input });
const get = (issue: number) => call('query', people.member, 'get', { issue });
const change = (issues: number[], made: object, as: { cookie: string } = people.member) =>
  call('mutation', as, 'change', { issues, change: made });

async function issueOf(at: string): Promise<{ id: number; events: number; status: string; people: number }> {
  const found = (await list({ search: `${at} ·` })).issues;
  expect(found).toHaveLength(1);
  return found[0];
}

it('groups each stored exception once, whatever ends in between', async () => {
  const messages = Array.from({ length: 300 }, (_, at) => ({
    value: `Order ${at} of user${at % 7}@mail.example failed`,
  }));
  await send(...messages.map((each, at) => ({ ...each, at: 'loop', by: `p${at % 3}` })));
  await send({ value: 'other', at: 'pay' }, { value: 'other', at: 'pay', ago: 3_600_000 });
  const before = await database.query<{ n: number }>('select count(*)::int as n from new_exceptions');
  expect(before).toEqual([{ n: 302 }]);

  const { deps, parts } = errorsParts();
  // A process that ends in the middle: its transaction is not committed, those before it are.
  const ending = new AbortController();
  await database.query(`
    create function fail_once() returns trigger language plpgsql as $$ begin
      if (select count(*) from new_exceptions) <= 150 then raise exception 'killed'; end if; return new; end $$`);
  await database.query(
    'create trigger fail_once before insert on issue_hours for each row execute function fail_once()',
  );
  await expect(createErrors(deps, parts).group(ending.signal)).rejects.toThrow();
  await database.query('drop function fail_once cascade');
  // Two at once: each takes its own.
  await Promise.all([createErrors(deps, parts).group(), createErrors(deps, parts, { batch: 20 }).group()]);
  await group();

  expect(await database.query('select count(*)::int as n from new_exceptions')).toEqual([{ n: 0 }]);
  expect(await issueOf('loop')).toMatchObject({
    type: 'TypeError',
    events: 300,
    people: 3,
    sessions: 1,
    unhandled: true,
  });
  expect(await issueOf('pay')).toMatchObject({ events: 2, people: 1, culprit: 'pay · src/cart.ts:4' });
  const { issues, counts } = await list();
  expect([issues.length, counts]).toEqual([2, { active: 2, resolved: 0, ignored: 0 }]);
  const [sums] = await database.query(
    'select sum(events)::int as kept, (select sum(events)::int from issue_hours) as counted from issues',
  );
  expect(sums).toEqual({ kept: 302, counted: 302 });
});

it('says why, where and for whom, in its own project and to members only', async () => {
  await request(whole.app)
    .post('/ingest/batch/')
    .send({
      api_key: token,
      batch: ['$pageview', 'added to cart'].map((event, at) => ({
        ...{ uuid: uuidV7(now), event, timestamp: new Date(now - 60_000 + at).toISOString() },
        properties: { distinct_id: 'bia', $session_id: session, $pathname: '/checkout', name: 'Coffee' },
      })),
    })
    .expect(200);
  const cause = { type: 'RangeError', value: 'no rate', mechanism: { type: 'chained', parent_id: 0 } };
  const list2 = [
    {
      type: 'Error',
      value: 'no price',
      stacktrace: {
        frames: [frame('lib', { in_app: false }), frame('price', { context_line: 'throw e', pre_context: ['a', 'b'] })],
      },
    },
    cause,
  ];
  await send({ by: 'bia', at: 'price', release: '1.4.2', properties: { $exception_list: list2 } });
  await group();
  const { id } = await issueOf('price');
  expect(await get(id)).toMatchObject({
    ...{ type: 'Error', message: 'no price', firstRelease: '1.4.2', lastRelease: '1.4.2', allEvents: 1 },
    grouping: { by: 'frames', parts: ['Error', 'src/cart.ts price', 'RangeError'] },
    occurrences: [{ events: 1, browser: 'Chrome 142', os: 'Linux', person: { distinctId: 'bia' } }],
    properties: [
      { name: 'page', values: [{ value: '/checkout', events: 1 }] },
      { name: 'browser', values: [{ value: 'Chrome', events: 1 }] },
      { name: 'os' },
      { name: 'release', values: [{ value: '1.4.2' }] },
    ],
    notes: [{ action: 'created', by: null }],
    releases: [{ version: '1.4.2', events: 1, commit: null }],
    similar: [],
  });
  const occurrence = await call('query', people.member, 'occurrence', { issue: id });
  expect(occurrence).toMatchObject({
    page: '/checkout',
    breadcrumbs: [{ event: '$pageview' }, { event: 'added to cart' }],
    exceptions: [
      {
        type: 'Error',
        frames: [
          { function: 'lib', inApp: false },
          { function: 'price', source: { before: ['a', 'b'], line: 'throw e' } },
        ],
      },
      { type: 'RangeError', isCause: true, frames: [] },
    ],
  });
  const at = { ts: occurrence.ts, uuid: occurrence.uuid };
  const elsewhere = { project: otherProject, issue: id };
  for (const [name, input] of [
    ['get', {}],
    ['occurrence', {}],
    ['occurrence', { at }],
  ] as const) {
    expect(await call('query', people.member, name, { ...elsewhere, ...input })).toEqual([404, 'not_found']);
    expect(await call('query', people.viewer, name, { issue: id, ...input })).toEqual([403, 'forbidden']);
    expect(await call('query', people.stranger, name, { issue: id, ...input })).toEqual([404, 'not_found']);
  }
  const another = (await issueOf('pay')).id;
  expect(await call('query', people.member, 'occurrence', { issue: another, at })).toEqual([404, 'not_found']);
  const stolen = { project: otherProject, issues: [id], change: { to: 'resolved' } };
  expect(await call('mutation', people.member, 'change', stolen)).toEqual([404, 'not_found']);
  expect(await change([id], { to: 'resolved' }, people.viewer)).toEqual([403, 'forbidden']);
  expect(await change([id, 999_999], { to: 'resolved' })).toEqual([404, 'not_found']);
  expect(await change([id], { to: 'assigned', assignee: people.stranger.id })).toEqual([400, 'change.assignee']);
  expect((await list({ project: otherProject })).issues).toEqual([]);
  expect((await list({ search: 'NO PRICE' })).issues).toHaveLength(1);
  expect((await list({ release: '1.4.2', order: 'people' })).issues).toHaveLength(1);
  expect((await list({ order: 'events' })).issues[0].events).toBe(300);
});

it('is resolved until it comes back, or until a later release', async () => {
  await send({ at: 'ship', release: '2.0.0' });
  await group();
  const { id } = await issueOf('ship');
  await change([id], { to: 'assigned', assignee: people.member.id });
  await change([id], { to: 'resolved' });
  now += 60_000;
  // One that happened before it was resolved arrives late.
  await send({ at: 'ship', ago: 120_000 });
  await group();
  expect(await get(id)).toMatchObject({ status: 'resolved', assignee: { name: 'Rui' } });
  await send({ at: 'ship' });
  await group();
  expect(await get(id)).toMatchObject({ status: 'active', regressedAt: now });

  await change([id], { to: 'resolved', until: 'next_release' });
  expect(await get(id)).toMatchObject({ status: 'resolved', resolvedRelease: '2.0.0', regressedAt: null });
  now += 60_000;
  await send({ at: 'ship', release: '2.0.0' }, { at: 'ship' });
  await group();
  expect(await get(id)).toMatchObject({ status: 'resolved' });
  await send({ at: 'ship', release: '2.0.1' });
  await group();
  const back = await get(id);
  expect(back).toMatchObject({ status: 'active', lastRelease: '2.0.1', firstRelease: '2.0.0' });
  expect(back.notes.map(({ action }: { action: string }) => action)).toEqual([
    ...['regressed', 'resolved_in_next_release', 'regressed', 'resolved', 'assigned', 'created'],
  ]);
});

it('is ignored until so many more, a date, or someone reopens it', async () => {
  await send({ at: 'beep' });
  await group();
  const { id } = await issueOf('beep');
  await change([id], { to: 'ignored', events: 2 });
  expect(await get(id)).toMatchObject({ status: 'ignored', ignoredEventsLeft: 2 });
  await send({ at: 'beep' });
  await group();
  expect(await get(id)).toMatchObject({ status: 'ignored', ignoredEventsLeft: 1 });
  await send({ at: 'beep' });
  await group();
  expect(await get(id)).toMatchObject({ status: 'active', ignoredEventsLeft: null, regressedAt: null });
  await change([id], { to: 'ignored', days: 1 });
  now += 86_400_001;
  await group();
  expect(await get(id)).toMatchObject({ status: 'active', ignoredUntil: null });
  await change([id], { to: 'ignored' });
  await change([id], { to: 'active' });
  expect(await get(id)).toMatchObject({ status: 'active' });
  expect(await call('mutation', people.member, 'change', { issues: [id], change: { to: 'gone' } })).toEqual([
    400,
    'change.to',
  ]);
});

it('reads built code with maps that come late, and keeps it one issue', async () => {
  const builds = await Promise.all([0, 1].map((number) => buildCorpus(number, true, 5, 1)));
  const thrown = builds.map(({ errors }) => errors.find(({ cause }) => cause === 2)?.properties as JsonObject);
  const { errors } = whole.parts.rooms;
  await send({ properties: thrown[0] as object, release: '3.0.0' });
  await group();
  const [built] = (await list({ release: '3.0.0' })).issues;
  expect((await get(built.id)).grouping.by).toBe('built');
  const upload = async ({ maps }: (typeof builds)[number], release?: string) => {
    for (const [file, text] of maps) await errors.upload(whole.project, { file, release }, Buffer.from(text));
  };
  await upload(builds[0] as (typeof builds)[number], '3.0.0');
  await group();
  expect((await get(built.id)).grouping).toMatchObject({
    by: 'sources',
    parts: expect.arrayContaining(['src/cart.ts readKakamit']),
  });
  const { exceptions } = await call('query', people.member, 'occurrence', { issue: built.id });
  expect(exceptions[0].frames.at(-1)).toMatchObject({
    file: 'src/cart.ts',
    source: { line: expect.stringContaining('throw new') },
  });
  // The next build comes with its maps.
  await upload(builds[1] as (typeof builds)[number]);
  await send({ properties: thrown[1] as object, release: '3.1.0' });
  await group();
  expect((await list({ release: '3.1.0' })).issues).toMatchObject([
    { id: built.id, events: 2, culprit: expect.stringContaining('src/cart.ts') },
  ]);
  const elsewhere = { project: otherProject, release: '3.0.0' };
  expect((await list(elsewhere)).issues).toEqual([]);
  await expect(errors.upload(whole.project, { file: 'a.js' }, Buffer.from('{}'))).rejects.toMatchObject({
    field: 'map',
  });
});

it('puts what is too much into one issue, and goes on after what it cannot read', async () => {
  const { deps, parts } = errorsParts();
  const issues = (await list()).total;
  await send({ at: 'many1' }, { at: 'many2' }, { at: 'many3' }, { properties: { $exception_list: 7 } });
  await createErrors(deps, parts, { maxIssues: issues + 1 }).group();
  const { total, issues: found } = await list({ order: 'first_seen' });
  expect(total).toBe(issues + 2);
  const overflow = await Promise.all(found.map(({ id }: { id: number }) => get(id)));
  expect(overflow.filter(({ grouping }) => grouping.by === 'overflow')).toMatchObject([{ allEvents: 3 }]);
});

it('loses what is erased and expired', async () => {
  await send({ at: 'erased', by: 'eva', value: 'No card of eva@mail.example' });
  await send({ at: 'shared', by: 'leo', ago: 1_000 }, { at: 'shared', by: 'eva', value: 'No seat 7 for "Eva"' });
  await group();
  const shared = (await issueOf('shared')).id;
  expect(await get(shared)).toMatchObject({ people: 2, events: 2, message: 'No seat 7 for "Eva"' });
  const [eva] = await database.query<{ uuid: string }>(
    "select p.uuid from persons p join distinct_ids d on d.project_id = p.project_id and d.person = p.number where d.distinct_id = 'eva'",
  );
  const { privacy, projects } = whole.parts.rooms;
  const project = (await projects.byRef(String(whole.project)))?.id as ProjectId;
  await privacy.erase(project, eva?.uuid as string, { id: people.member.id, name: 'Rui' });
  await privacy.work();
  expect(await get(shared)).toMatchObject({ people: 1, events: 1, message: 'No seat <number> for <text>' });
  expect((await list({ search: 'erased ·' })).issues).toEqual([]);
  const text = JSON.stringify(await database.query('select * from issues'));
  expect(text).not.toContain('eva@mail.example');

  await whole.parts.rooms.errors.retire({ projectId: whole.project, before: now + 3_600_000 });
  expect((await list()).total).toBe(0);
  for (const table of ['issues', 'issue_hours', 'issue_fingerprints', 'issue_notes']) {
    expect(await database.query(`select from ${table}`)).toEqual([]);
  }
});

it('merges and splits with undo, and later occurrences follow', async () => {
  const move = (name: 'merge' | 'split' | 'undo', input: object) => call('mutation', people.member, name, input);
  await send({ at: 'left' }, { at: 'left', by: 'eva' }, { at: 'right', by: 'eva' });
  await group();
  const [left, right] = [await issueOf('left'), await issueOf('right')];
  const [merge] = await move('merge', { issues: [left.id, right.id] });
  await send({ at: 'right', by: 'leo' }, { at: 'left', by: 'leo' });
  await group();
  // The old address leads to where it is now.
  const both = await get(right.id);
  expect(both).toMatchObject({
    id: left.id,
    events: 5,
    people: 3,
    allEvents: 5,
    moves: [{ id: merge, kind: 'merged' }],
  });
  expect(both.groups.map(({ events, culprit }: { events: number; culprit: string }) => [events, culprit])).toEqual([
    [3, expect.stringContaining('left')],
    [2, expect.stringContaining('right')],
  ]);
  expect(await move('undo', { move: merge, project: otherProject })).toEqual([404, 'not_found']);
  await move('undo', { move: merge });
  expect(await move('undo', { move: merge })).toEqual([404, 'not_found']);
  await send({ at: 'right', by: 'leo' });
  await group();
  expect(await get(left.id)).toMatchObject({ id: left.id, events: 3, allEvents: 3, moves: [], groups: [] });
  expect(await get(right.id)).toMatchObject({ id: right.id, events: 3, allEvents: 3, people: 2 });

  await move('merge', { issues: [left.id, right.id] });
  const { groups } = await get(left.id);
  const chosen = groups.find(({ culprit }: { culprit: string }) => culprit.startsWith('right'));
  const all = groups.map(({ fingerprint }: { fingerprint: number }) => fingerprint);
  expect(await move('split', { issue: left.id, fingerprints: all })).toEqual([400, 'fingerprints']);
  const split = await move('split', { issue: left.id, fingerprints: [chosen.fingerprint] });
  await send({ at: 'right', by: 'leo' });
  await group();
  expect(await get(split.issue)).toMatchObject({ events: 4, allEvents: 4, culprit: expect.stringContaining('right') });
  expect(await get(left.id)).toMatchObject({ events: 3, allEvents: 3 });
  await move('undo', { move: split.move });
  expect(await get(split.issue)).toMatchObject({ id: left.id, events: 7, allEvents: 7 });
  const sums = await database.query('select sum(events)::int as n from issue_hours where issue = any($1::int[])', [
    [left.id, right.id, split.issue],
  ]);
  expect(sums).toEqual([{ n: 7 }]);
});

it('groups by the rules of the project, which say before what they would group, and drops what is suppressed', async () => {
  const of = [{ field: 'message', operator: 'contains', value: 'gateway' }];
  await send(
    { at: 'rule1', value: 'Gateway 502' },
    { at: 'rule2', value: 'bad gateway' },
    { at: 'rule3', value: 'other' },
  );
  await group();
  const preview = await call('query', people.member, 'previewRule', { match: 'all', of });
  expect(preview).toMatchObject({ matching: 2, becomes: 1, events: 2 });
  const rule = { id: 'gateway', name: 'Gateways', match: 'all', of, by: 'one' };
  const suppressed = { id: 'noise', match: 'any', of: [{ field: 'type', operator: 'equals', value: 'NoiseError' }] };
  const rules = { groupingRules: [rule], suppressionRules: [suppressed] };
  expect(await call('mutation', people.member, 'saveRules', rules)).toEqual(rules);
  expect(await call('mutation', people.viewer, 'saveRules', rules)).toEqual([403, 'forbidden']);
  expect(await call('query', people.member, 'rules', { project: otherProject })).toEqual({
    groupingRules: [],
    suppressionRules: [],
  });
  await send(
    { at: 'rule4', value: 'Gateway down', ago: 5 },
    { at: 'rule5', value: 'gateway up' },
    { at: 'rule6', type: 'NoiseError', value: 'ResizeObserver' },
  );
  await group();
  const [found] = (await list({ search: 'rule5 ·' })).issues;
  const issue = await get(found.id);
  expect(issue).toMatchObject({ events: 2, grouping: { by: 'rule', parts: ['Gateways'] } });
  const [last] = issue.occurrences;
  expect(await call('query', people.member, 'issueOf', { ts: last.ts, uuid: last.uuid })).toBe(found.id);
  expect((await list({ search: 'NoiseError' })).issues).toEqual([]);
  const config = await request(whole.app).get(`/ingest/array/${token}/config`).expect(200);
  expect(config.body.errorTracking.suppressionRules).toEqual([
    {
      type: 'OR',
      values: [
        ...[{ key: '$exception_types', operator: 'exact', value: 'NoiseError', type: 'error_tracking_issue_property' }],
      ],
    },
  ]);
  await call('mutation', people.member, 'saveRules', { groupingRules: [], suppressionRules: [] });

  // Filters and range of Overview; ignored until so many people.
  const filters = { match: 'all', of: [{ about: 'event', name: '$browser', operator: 'equals', values: ['Chrome'] }] };
  const within = { range: 'last_7_days', filters };
  expect((await list({ ...within, search: 'rule5 ·' })).issues).toMatchObject([{ events: 2 }]);
  const none = { ...filters, of: [{ ...filters.of[0], values: ['Safari'] }] };
  expect(await list({ ...within, filters: none })).toMatchObject({ issues: [], total: 0, totals: { events: 0 } });
  expect(await call('query', people.member, 'overview', within)).toMatchObject({
    totals: { people: expect.any(Number) },
  });
  await change([found.id], { to: 'ignored', people: 2 });
  now += 1_000;
  await call('mutation', people.member, 'saveRules', { groupingRules: [rule] });
  await send({ value: 'gateway', by: 'p1' }, { value: 'gateway', by: 'p1' });
  await group();
  expect(await get(found.id)).toMatchObject({ status: 'ignored', ignoredPeopleLeft: 1 });
  await send({ value: 'gateway', by: 'p2' });
  await group();
  expect(await get(found.id)).toMatchObject({ status: 'active', ignoredPeopleLeft: null });
  expect(await change([found.id], { to: 'ignored', until: '2020-01-01' })).toEqual([400, 'change.until']);
  await call('mutation', people.member, 'saveRules', { groupingRules: [] });
});
