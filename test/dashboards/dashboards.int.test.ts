/** Dashboards over HTTP: who sees and changes which, in one project; their insights; what they keep. */
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
let people: Record<'viewer' | 'member' | 'admin' | 'stranger', Person>;
let otherProject: string;
let insight: number;

beforeAll(async () => {
  people = await joinEach(whole, ['viewer', 'member', 'admin']);
  const input = { team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.create', input).expect(200);
  otherProject = String(made.body.result.data.json.id);
  insight = (await saveInsight('Views')).id;
});

/** The answer of a call, or the status and code or field of its error. */
async function call(type: 'query' | 'mutation', as: { cookie: string }, name: string, input: object) {
  const { status, body } = await callsOf(whole)[type](as.cookie, name, { project: String(whole.project), ...input });
  return status === 200 ? body.result.data.json : [status, body.error.json.data.field ?? body.error.json.data.appCode];
}
const get = (as: Person, name: string, input: object = {}) => call('query', as, `dashboards.${name}`, input);
const change = (as: Person, name: string, input: object) => call('mutation', as, `dashboards.${name}`, input);

const saveInsight = (name: string, query: object = {}, input: object = {}) =>
  call('mutation', people.admin, 'insights.saved.create', {
    name,
    definition: {
      kind: 'trends',
      query: { range: 'last_7_days', series: [{ event: { event: '$pageview' } }], ...query },
    },
    ...input,
  });

const tile = (over: object = {}) => ({ id: 'a', width: 6, height: 2, kind: 'insight', insight, ...over });
const create = (name: string, tiles: object[], content: object = {}, as = people.member) =>
  change(as, 'create', { name, content: { tiles, ...content } });

it('is kept for the team with its tiles in their order, in its own project only', async () => {
  const tiles = [
    { id: 'n', width: 3, tabletWidth: 12, height: 1, kind: 'metric', metric: 'visitors' },
    tile(),
    { id: 't', width: 12, height: 1, kind: 'text', text: '**Plan**' },
    { id: 's', width: 12, height: 1, kind: 'separator' },
    { id: 'h', width: 8, height: 2, kind: 'heatmap' },
    { id: 'v', width: 4, height: 2, kind: 'vitals' },
  ];
  const made = await create('Store', tiles);
  expect(made).toMatchObject({
    name: 'Store',
    description: '',
    tags: [],
    revision: 1,
    tiles: 6,
    favorite: false,
    viewedAt: null,
    content: { tiles, range: 'last_28_days', compare: 'previous' },
    owner: { id: people.member.id, name: 'Rui' },
  });
  expect(made.insights).toMatchObject([{ id: insight, name: 'Views', kind: 'trends' }]);
  expect(await get(people.viewer, 'get', { dashboard: made.id })).toEqual(made);
  expect(await get(people.stranger, 'get', { dashboard: made.id })).toEqual([404, 'not_found']);
  const elsewhere = { dashboard: made.id, project: otherProject };
  expect(await get(people.admin, 'get', elsewhere)).toEqual([404, 'not_found']);
  for (const name of ['remove', 'viewed']) {
    expect(await change(people.admin, name, elsewhere)).toEqual([404, 'not_found']);
  }
  expect(await change(people.admin, 'update', { ...elsewhere, name: 'Taken' })).toEqual([404, 'not_found']);
  expect(await change(people.admin, 'favorite', { ...elsewhere, favorite: true })).toEqual([404, 'not_found']);
  expect(await get(people.admin, 'list', { project: otherProject })).toEqual([]);
  expect(await change(people.viewer, 'update', { dashboard: made.id, name: 'Taken' })).toEqual([403, 'forbidden']);
});

it('is refused with the part that cannot be', async () => {
  const refused: [object[], object, [number, string]][] = [
    [[tile({ width: 5 })], {}, [400, 'content.tiles.0.width']],
    [[tile({ tabletWidth: 3 })], {}, [400, 'content.tiles.0.tabletWidth']],
    [[tile({ kind: 'video' })], {}, [400, 'content.tiles.0.kind']],
    [[tile(), tile()], {}, [400, 'content.tiles']],
    [[tile({ insight: 999_999 })], {}, [400, 'content.tiles']],
    [[{ id: 'g', width: 3, height: 1, kind: 'goal', goal: 999_999, metric: 'revenue' }], {}, [400, 'content.tiles']],
    [[{ id: 'h', width: 12, height: 1, kind: 'heading', text: '' }], {}, [400, 'content.tiles.0.text']],
    [[], { range: 'ever' }, [400, 'content.range']],
    [Array.from({ length: 41 }, (_, at) => tile({ id: `t${at}` })), {}, [400, 'content.tiles']],
  ];
  for (const [tiles, content, error] of refused) expect(await create('Refused', tiles, content)).toEqual(error);
  expect((await get(people.viewer, 'list')).map(({ name }: { name: string }) => name)).not.toContain('Refused');
});

it('changes as a whole, and not over the change of someone else', async () => {
  const { id, content } = await create('Weekly', [tile()]);
  const moved = { ...content, tiles: [tile({ width: 12, own: true })] };
  expect(await change(people.admin, 'update', { dashboard: id, revision: 1, content: moved })).toMatchObject({
    revision: 2,
    content: moved,
  });
  expect(await change(people.member, 'update', { dashboard: id, revision: 1, content })).toEqual([409, 'revision']);
  // Nothing that differs is no change.
  expect(await change(people.member, 'update', { dashboard: id, revision: 2, content: moved })).toMatchObject({
    revision: 2,
  });
  await change(people.member, 'update', { dashboard: id, name: 'Monday', tags: ['team', 'team'] });
  expect(await get(people.viewer, 'get', { dashboard: id })).toMatchObject({
    name: 'Monday',
    tags: ['team'],
    content: moved,
  });
});

it('keeps a tile whose insight is gone or hidden, and shows no more of it', async () => {
  const byPlan = { match: 'all', of: [{ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] }] };
  const hidden = (await saveInsight('Paying', { filters: byPlan })).id;
  const gone = (await saveInsight('Gone')).id;
  const tiles = [tile(), tile({ id: 'b', insight: hidden }), tile({ id: 'c', insight: gone })];
  const { id, content } = await create('Mixed', tiles);
  await call('mutation', people.admin, 'insights.saved.archive', { insight: gone });
  await call('mutation', people.admin, 'insights.saved.remove', { insight: gone });
  const shownTo = async (as: Person) =>
    (await get(as, 'get', { dashboard: id })).insights.map((each: { id: number }) => each.id);
  expect(await shownTo(people.member)).toEqual([insight, hidden]);
  expect(await shownTo(people.viewer)).toEqual([insight]);
  expect((await get(people.viewer, 'get', { dashboard: id })).content).toEqual(content);
  // It can be arranged without its tile being taken away, but not be added to another.
  const arranged = { ...content, tiles: [...content.tiles].reverse() };
  expect(await change(people.member, 'update', { dashboard: id, content: arranged })).toMatchObject({ revision: 2 });
  expect(await create('Another', [tile({ insight: gone })])).toEqual([400, 'content.tiles']);
  const copy = await change(people.member, 'duplicate', { dashboard: id, name: 'Copy' });
  expect(copy.content.tiles.map((each: { id: string }) => each.id)).toEqual(['b', 'a']);
});

it('is hidden from viewers while its filters tell of persons', async () => {
  const byPlan = { match: 'all', of: [{ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] }] };
  const { id, content } = await create('Paying people', [tile()], { filters: byPlan });
  const names = async (as: Person) => (await get(as, 'list')).map(({ name }: { name: string }) => name);
  expect(await get(people.member, 'get', { dashboard: id })).toMatchObject({ tiles: 1, content: { filters: byPlan } });
  expect(await names(people.member)).toContain('Paying people');
  expect(await names(people.viewer)).not.toContain('Paying people');
  expect(await get(people.viewer, 'get', { dashboard: id })).toEqual([404, 'not_found']);
  expect(await change(people.viewer, 'favorite', { dashboard: id, favorite: true })).toEqual([404, 'not_found']);
  await change(people.member, 'update', { dashboard: id, content: { ...content, filters: undefined } });
  expect(await names(people.viewer)).toContain('Paying people');
});

it('is a favorite of one account, listed first, and noted in the log of the team', async () => {
  const first = (await create('First', [])).id;
  const second = (await create('Second', [])).id;
  const listed = async (as: Person): Promise<number[]> =>
    (await get(as, 'list')).map(({ id }: { id: number }) => id).slice(0, 2);
  await change(people.viewer, 'viewed', { dashboard: first });
  expect(await listed(people.viewer)).toEqual([first, expect.any(Number)]);
  await change(people.viewer, 'favorite', { dashboard: second, favorite: true });
  expect(await listed(people.viewer)).toEqual([second, first]);
  expect((await get(people.member, 'get', { dashboard: second })).favorite).toBe(false);
  expect(await change(people.viewer, 'remove', { dashboard: first })).toEqual([403, 'forbidden']);
  await change(people.member, 'remove', { dashboard: first });
  expect(await get(people.member, 'get', { dashboard: first })).toEqual([404, 'not_found']);
  const noted = await database.query(
    `select action from audit where project_id = $1 and details ->> 'name' = 'First' order by id`,
    [whole.project],
  );
  expect(noted.map(({ action }) => action)).toEqual(['dashboard.created', 'dashboard.deleted']);
});
