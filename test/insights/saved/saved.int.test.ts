/** Saved insights over HTTP: who sees and changes which, in one project; what they name; their history. */
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { finishedEvent, sessionId } from '../histories.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
let people: Record<'viewer' | 'member' | 'admin' | 'stranger', Person>;
let otherProject: string;
const now = Date.now();

beforeAll(async () => {
  people = await joinEach(whole, ['viewer', 'member', 'admin']);
  const input = { team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.create', input).expect(200);
  otherProject = String(made.body.result.data.json.id);
  const views = [0, 1, 2].map((at) =>
    finishedEvent(whole.project, {
      ...{ uuid: uuidV7(now - 1000 * at), event: '$pageview', distinctId: `d${at}`, session: sessionId(`s${at}`) },
      ...{ ts: now - 60_000 - at, bot: false, path: '/a', referringDomain: '$direct', country: 'BR' },
    }),
  );
  await whole.parts.rooms.events.store(views);
});

const project = () => String(whole.project);

/** The answer of a call, or the status and code of its error. */
async function call(type: 'query' | 'mutation', as: { cookie: string }, name: string, input: object) {
  const { status, body } = await callsOf(whole)[type](as.cookie, `insights.${name}`, { project: project(), ...input });
  return status === 200 ? body.result.data.json : [status, body.error.json.data.field ?? body.error.json.data.appCode];
}
const get = (as: Person, name: string, input: object = {}) => call('query', as, `saved.${name}`, input);
const change = (as: Person, name: string, input: object) => call('mutation', as, `saved.${name}`, input);

const trend = (over: object = {}, more: object = {}) => ({
  kind: 'trends',
  query: { range: 'last_7_days', series: [{ event: { event: '$pageview' } }], ...over },
  ...more,
});
const create = (name: string, over: object = {}, as = people.member) =>
  change(as, 'create', { name, definition: trend(), ...over });
const names = async (as: Person, asked: object = {}) =>
  (await get(as, 'list', asked)).items.map(({ name }: { name: string }) => name);

const byPlan = { match: 'all', of: [{ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] }] };

it('is kept for the team with its query as its kind reads it, in its own project only', async () => {
  const made = await create('Views', { description: 'By day', tags: ['web', 'web'] });
  expect(made).toMatchObject({
    ...{ kind: 'trends', name: 'Views', description: 'By day', tags: ['web'], revision: 1, version: 1, segment: null },
    query: { range: 'last_7_days', compare: 'none', limit: 25, series: [{ measure: 'events' }] },
    owner: { id: people.member.id, name: 'Rui' },
    ...{ favorite: false, viewedAt: null, archivedAt: null },
  });
  expect(await get(people.viewer, 'get', { insight: made.id })).toEqual(made);
  expect(await get(people.admin, 'get', { insight: made.id, project: otherProject })).toEqual([404, 'not_found']);
  expect(await get(people.stranger, 'get', { insight: made.id })).toEqual([404, 'not_found']);
  expect(await names(people.admin, { project: otherProject })).toEqual([]);
  for (const name of ['archive', 'restore', 'remove', 'viewed']) {
    expect(await change(people.admin, name, { insight: made.id, project: otherProject })).toEqual([404, 'not_found']);
  }
  const renamed = { insight: made.id, change: { name: 'Taken over' } };
  expect(await change(people.admin, 'update', { ...renamed, project: otherProject })).toEqual([404, 'not_found']);
  expect(await change(people.viewer, 'update', renamed)).toEqual([403, 'forbidden']);
  expect((await get(people.member, 'get', { insight: made.id })).name).toBe('Views');
});

it('is refused with the part of the query that its kind refuses', async () => {
  const refused: [object, [number, string]][] = [
    [trend({ range: 'ever' }), [400, 'query.range']],
    [trend({ series: [{ event: { event: '' } }] }), [400, 'query.series.0.event.event']],
    [trend({ steps: [] }), [400, 'query.steps']],
    [trend({}, { version: 2 }), [400, 'definition.version']],
    [trend({}, { kind: 'overview' }), [400, 'definition.kind']],
    [trend({ goal: 1 }), [400, 'query.goal']],
    [trend({ series: [{ event: { goal: 999 } }] }), [404, 'not_found']],
    [trend({}, { segment: 999 }), [404, 'not_found']],
  ];
  for (const [definition, wanted] of refused) {
    expect(await create('Refused', { definition })).toEqual(wanted);
  }
  expect(await names(people.member, { search: 'Refused' })).toEqual([]);
});

it('exists for viewers unless it tells of persons', async () => {
  await create('Anyone', { tags: ['seen'] });
  const personal = await create('Pro plan', { tags: ['seen'], definition: trend({ filters: byPlan }) });
  const shared = { shared: true, filters: byPlan };
  const segment = (await call('mutation', people.member, 'segments.save', { name: 'Pro', ...shared })).id;
  await create('In Pro', { tags: ['seen'], definition: trend({}, { segment }) });
  expect(await names(people.member, { tag: 'seen' })).toEqual(['In Pro', 'Pro plan', 'Anyone']);
  expect(await names(people.viewer, { tag: 'seen' })).toEqual(['Anyone']);
  expect(await get(people.viewer, 'get', { insight: personal.id })).toEqual([404, 'not_found']);
  expect(await change(people.viewer, 'favorite', { insight: personal.id, favorite: true })).toEqual([404, 'not_found']);
});

it('is offered by the page of a group, those about it first', async () => {
  const ofAcme = { about: 'group_0', name: '$group_key', operator: 'equals', values: ['acme'] };
  const series = [{ event: { event: '$pageview', filters: { match: 'any', of: [ofAcme] } } }];
  const { id } = await create('Of Acme', { tags: ['group'], definition: trend({ series }) });
  await create('Of all', { tags: ['group'] });
  const archived = await create('Of Acme, archived', { definition: trend({ series }) });
  await change(people.member, 'archive', { insight: archived.id });
  const offered = (key: string) => get(people.member, 'ofGroup', { type: 0, key });
  const [first, ...others] = await offered('acme');
  expect(first).toMatchObject({ id, named: true, query: { series: [{ measure: 'events' }] } });
  expect(others.map(({ named }: { named: boolean }) => named)).not.toContain(true);
  expect(others.map(({ name }: { name: string }) => name)).toContain('Of all');
  expect((await offered('other')).some(({ named }: { named: boolean }) => named)).toBe(false);
  expect(await names(people.member, { group: { type: 0, key: 'acme' } })).toEqual(['Of Acme']);
  expect(await names(people.member, { group: { type: 1, key: 'acme' } })).toEqual([]);
  expect(await get(people.viewer, 'ofGroup', { type: 0, key: 'acme' })).toEqual([403, 'forbidden']);
});

it('keeps the goals and segments that it names, as long as it is in use', async () => {
  const rule = { kind: 'page', pages: ['/a'] };
  const goal = (await call('mutation', people.member, 'goals.create', { name: 'Goal', rule, amount: null })).id;
  const save = (name: string, shared: boolean) =>
    call('mutation', people.member, 'segments.save', { name, shared, filters: { match: 'all', of: [] } });
  const own = (await save('Mine', false)).id;
  const segment = (await save('Ours', true)).id;
  expect(await create('Own segment', { definition: trend({}, { segment: own }) })).toEqual([400, 'segment']);
  const definition = trend({ series: [{ event: { goal } }] }, { segment });
  const { id } = await create('With both', { definition });
  expect((await call('query', people.member, 'goals.uses', { goal })).insights).toEqual([{ id, name: 'With both' }]);
  expect(await call('mutation', people.member, 'goals.remove', { goal })).toEqual([409, 'uses']);
  expect(await call('mutation', people.member, 'segments.remove', { segment })).toEqual([409, 'uses']);
  await change(people.member, 'archive', { insight: id });
  await call('mutation', people.member, 'goals.remove', { goal });
  expect(await change(people.member, 'restore', { insight: id })).toEqual([404, 'not_found']);
  const rescued = { insight: id, change: { definition: trend() } };
  expect(await change(people.member, 'update', rescued)).toMatchObject({ segment: null });
  expect(await change(people.member, 'restore', { insight: id })).toMatchObject({ archivedAt: null });
  expect(await call('mutation', people.member, 'segments.remove', { segment })).toBeNull();
});

it('keeps the cohorts that it names', async () => {
  const named = (name: string) => ({
    match: 'all',
    of: [{ about: 'person', name: '$cohort', operator: 'equals', values: [name] }],
  });
  const definition = trend({ filters: named('Buyers') });
  expect(await create('No cohort', { definition })).toEqual([404, 'not_found']);
  const list = { name: 'Buyers', list: 'd0' };
  const cohort = (await call('mutation', people.member, 'cohorts.createFromList', list)).id;
  const { id } = await create('Of buyers', { definition });
  expect((await call('query', people.member, 'cohorts.list', {}))[0].usedBy).toEqual(['Of buyers']);
  expect(await call('mutation', people.member, 'cohorts.remove', { cohort })).toEqual([409, 'conflict']);
  await change(people.member, 'archive', { insight: id });
  expect(await call('mutation', people.member, 'cohorts.remove', { cohort })).toBeNull();
});

it('has a history, each revision of which can come back', async () => {
  const { id } = await create('First', { definition: trend({}, { display: { chart: 'line' } }) });
  const update = (as: Person, over: object) => change(as, 'update', { insight: id, change: over });
  expect(await update(people.member, { name: 'First', tags: [] })).toMatchObject({ revision: 1 });
  await update(people.admin, { name: 'Second', definition: trend({ interval: 'week' }) });
  expect(await update(people.member, { revision: 1, name: 'Lost' })).toEqual([409, 'revision']);
  await change(people.member, 'archive', { insight: id });
  await change(people.member, 'restore', { insight: id });
  const back = await change(people.admin, 'revert', { insight: id, revision: 1 });
  expect(back).toMatchObject({ name: 'First', revision: 5, display: { chart: 'line' } });
  expect(back.query.interval).toBeUndefined();
  const history = await get(people.member, 'history', { insight: id });
  expect(history.map((each: { by: { name: string } }) => ({ ...each, at: 0, by: each.by.name }))).toEqual([
    {
      revision: 5,
      action: 'reverted',
      by: 'Ada',
      changed: ['name', 'query', 'display'],
      name: 'First',
      kind: 'trends',
      at: 0,
    },
    { revision: 4, action: 'restored', by: 'Rui', changed: [], name: 'Second', kind: 'trends', at: 0 },
    { revision: 3, action: 'archived', by: 'Rui', changed: [], name: 'Second', kind: 'trends', at: 0 },
    {
      revision: 2,
      action: 'changed',
      by: 'Ada',
      changed: ['name', 'query', 'display'],
      name: 'Second',
      kind: 'trends',
      at: 0,
    },
    { revision: 1, action: 'created', by: 'Rui', changed: [], name: 'First', kind: 'trends', at: 0 },
  ]);
  const old = await get(people.member, 'revision', { insight: id, revision: 2 });
  expect(old).toMatchObject({ name: 'Second', query: { interval: 'week' }, revision: 2 });
  expect(await get(people.viewer, 'history', { insight: id })).toEqual([403, 'forbidden']);
  const noted = await database.query(
    `select action from audit where project_id = $1 and details ->> 'name' in ('First', 'Second') order by id`,
    [whole.project],
  );
  expect(noted.map(({ action }) => action)).toEqual([
    'insight.created',
    'insight.changed',
    'insight.archived',
    'insight.restored',
    'insight.changed',
  ]);
});

it('is deleted from the archive by its owner or an admin, with all that belongs to it', async () => {
  const { id } = await create('Old');
  await change(people.viewer, 'favorite', { insight: id, favorite: true });
  expect(await change(people.member, 'remove', { insight: id })).toEqual([409, 'conflict']);
  await change(people.member, 'archive', { insight: id });
  expect(await names(people.member, { archived: true })).toContain('Old');
  expect(await names(people.member)).not.toContain('Old');
  await change(people.admin, 'remove', { insight: id });
  for (const [table, column] of [
    ['insights', 'id'],
    ['insight_marks', 'insight'],
    ['insight_changes', 'insight'],
  ]) {
    expect(await database.query(`select 1 from ${table} where ${column} = $1`, [id])).toEqual([]);
  }
});

it('is listed with the marks of each account, a preview once it was viewed, and what can be filtered by', async () => {
  const { id } = await create('Compras e retenção', { tags: ['list'] });
  const copy = await change(people.admin, 'duplicate', { insight: id, name: 'Copy' });
  expect(copy).toMatchObject({ name: 'Copy', tags: ['list'], owner: { name: 'Ada' }, revision: 1 });
  await change(people.viewer, 'favorite', { insight: id, favorite: true });
  await change(people.viewer, 'viewed', { insight: copy.id });
  expect(await names(people.viewer, { tag: 'list' })).toEqual(['Compras e retenção', 'Copy']);
  expect(await names(people.member, { tag: 'list' })).toEqual(['Copy', 'Compras e retenção']);
  const { items, facets, total } = await get(people.viewer, 'list', { tag: 'list', offset: 1, limit: 1 });
  expect(items).toMatchObject([{ name: 'Copy', preview: { shape: 'lines' }, favorite: false }]);
  expect(Math.max(...items[0].preview.lines[0])).toBe(1);
  expect(Date.now() - items[0].viewedAt).toBeLessThan(60_000);
  expect([total, facets.favorites, facets.tags.includes('list')]).toEqual([2, 1, true]);
  const asked = { tag: 'list' };
  expect(await names(people.viewer, { ...asked, search: 'RETENCAO' })).toEqual(['Compras e retenção']);
  expect(await names(people.viewer, { ...asked, owner: people.admin.id })).toEqual(['Copy']);
  expect(await names(people.viewer, { ...asked, favorites: true })).toEqual(['Compras e retenção']);
  expect(await names(people.viewer, { ...asked, kind: 'funnel' })).toEqual([]);
  expect(await names(people.viewer, { ...asked, event: '$pageview' })).toHaveLength(2);
  expect(await names(people.viewer, { ...asked, event: 'purchase' })).toEqual([]);
  // Another query has no preview until it is viewed.
  await change(people.member, 'update', { insight: copy.id, change: { name: 'Copied' } });
  const preview = async () => (await get(people.viewer, 'list', { ...asked, search: 'Copied' })).items[0].preview;
  expect(await preview()).toMatchObject({ shape: 'lines' });
  await change(people.member, 'update', { insight: copy.id, change: { definition: trend({ interval: 'hour' }) } });
  expect(await preview()).toBeNull();
});
