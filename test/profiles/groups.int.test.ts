/** Groups such as companies: what they are called, who is found, in which order, with which figures; and one of them. */
import { groupsInput } from '#src/profiles/groups/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { identify, MINUTE, openPeople, type PeopleScene, TEST_TIME } from './scene.ts';

const database = useDatabase();
let scene: PeopleScene;

beforeEach(async () => {
  scene = await openPeople(database.url);
});
afterEach(() => scene.close());

const at = TEST_TIME - 60 * MINUTE;
const of = (company: string) => ({ $groups: { company } });

/** Two described companies, one of which nobody used; and one that was only named. Ana is one person with two ids. */
async function arrange(): Promise<void> {
  const set = { name: 'Padaria São João', plan: 'pro', seats: 12 };
  await scene.tell(
    { id: 'ana', ts: at, event: '$groupidentify', groupIdentify: { type: 'company', key: 'acme', set } },
    {
      id: 'bia',
      ts: at,
      event: '$groupidentify',
      groupIdentify: { type: 'company', key: 'idle', set: { plan: 'free' } },
    },
    { id: 'phone', ts: at + 1, event: 'order', properties: of('acme') },
    { id: 'ana', ts: at + 2, event: 'order', properties: of('acme') },
    { id: 'bia', ts: at + 3, event: 'order', properties: of('acme') },
    identify('ana', 'phone', at + 4, {}),
    { id: 'caio', ts: at + 5, event: 'order', properties: of('2nd') },
  );
  scene.deps.clock.set(TEST_TIME);
}

const list = (asked: object = {}) => {
  const { project: _, ...input } = groupsInput.parse({ project: 'any', type: 0, ...asked });
  return scene.profiles.groups.list(scene.project.id, input);
};
const keys = async (asked: object = {}) => (await list(asked)).rows.map(({ key }) => key);

it('are listed with what they did, searched and put in order', async () => {
  await arrange();
  const { rows, total } = await list({ sort: 'events', columns: ['plan', 'missing'] });
  expect(total).toBe(3);
  expect(rows).toEqual([
    {
      key: 'acme',
      label: 'Padaria São João',
      events: 3,
      people: 2,
      firstSeen: at + 1,
      lastSeen: at + 3,
      properties: { plan: 'pro' },
    },
    { key: '2nd', label: null, events: 1, people: 1, firstSeen: at + 5, lastSeen: at + 5, properties: {} },
    { key: 'idle', label: null, events: 0, people: 0, firstSeen: null, lastSeen: null, properties: { plan: 'free' } },
  ]);
  expect(await keys({ sort: 'seen' })).toEqual(['2nd', 'acme', 'idle']);
  expect(await keys({ sort: 'key' })).toEqual(['2nd', 'acme', 'idle']);
  expect(await keys({ search: 'sao jo' })).toEqual(['acme']);
  expect(await keys({ search: '2ND' })).toEqual(['2nd']);
  expect(await keys({ search: 'padarias' })).toEqual([]);
  expect(await keys({ page: 2 })).toEqual([]);
  await expect(list({ type: 1 })).rejects.toMatchObject({ code: 'not_found' });

  const lines: unknown[][] = [];
  const asked = { type: 0, sort: 'people' as const, columns: ['seats'] };
  for await (const { cells } of await scene.profiles.groups.file(
    scene.project.id,
    asked,
    new AbortController().signal,
  )) {
    lines.push(...cells.map((row) => [...row]));
  }
  expect(lines.map(([key, , events, people]) => [key, events, people])).toEqual([
    ['key', 'events', 'people'],
    ['acme', 3, 2],
    ['2nd', 1, 1],
    ['idle', 0, 0],
  ]);
  expect(lines[1]?.[6]).toBe(12);
});

it('are looked at one by one, with when their properties changed; their types are named', async () => {
  await arrange();
  const { groups } = scene.profiles;
  const { id } = scene.project;
  expect(await groups.get(id, { type: 0, key: 'acme' })).toMatchObject({
    label: 'Padaria São João',
    events: 3,
    people: 2,
    describedAt: at,
    properties: expect.arrayContaining([{ name: 'plan', value: 'pro', changedAt: at }]),
  });
  expect(await groups.get(id, { type: 0, key: '2nd' })).toMatchObject({ describedAt: null, properties: [], events: 1 });
  await expect(groups.get(id, { type: 0, key: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });

  const [type] = await groups.types(id);
  expect(type).toEqual({ type: 0, name: 'company', singular: 'company', plural: 'company', groups: 2 });
  const named = { type: 0, singular: 'Empresa', plural: 'Empresas' };
  expect(await groups.nameType(id, named)).toMatchObject({ ...named, name: 'company' });
  await expect(groups.nameType(id, { ...named, type: 3 })).rejects.toMatchObject({ code: 'not_found' });

  const offered = await scene.insights.properties(scene.project, 'member');
  expect(offered.filter(({ about }) => about === 'group_0').map(({ name }) => name)).toEqual([
    '$group_key',
    'plan',
    'name',
    'seats',
  ]);
  expect((await scene.insights.properties(scene.project, 'viewer')).some(({ about }) => about === 'group_0')).toBe(
    false,
  );
  const values = { project: 'any', range: 'today' as const, about: 'group_0' as const, name: 'plan', search: '' };
  expect((await scene.insights.values(scene.project, 'member', values)).rows).toEqual([
    ['free', 1],
    ['pro', 1],
  ]);
  await expect(scene.insights.values(scene.project, 'viewer', values)).rejects.toMatchObject({ code: 'forbidden' });
});

/** A group that is described as clients do it: the event says it too. */
function described(ts: number, key: string, set: Record<string, string | number>) {
  const properties = { $group_type: 'company', $group_key: key, $group_set: set };
  return { id: 'ana', ts, event: '$groupidentify', groupIdentify: { type: 'company', key, set }, properties };
}

it('have a history of their properties, which can be deleted', async () => {
  await scene.tell(
    described(at, 'acme', { plan: 'free', seats: 3 }),
    described(at + 1, 'other', { plan: 'pro' }),
    described(at + 2, 'acme', { plan: 'pro', seats: 3 }),
    { id: 'ana', ts: at + 3, event: 'order', properties: of('acme') },
  );
  scene.deps.clock.set(TEST_TIME);
  const { groups } = scene.profiles;
  const { id } = scene.project;
  const acme = { type: 0, key: 'acme' };
  expect(await groups.changes(id, acme)).toEqual([
    { name: 'plan', value: 'pro', at: at + 2 },
    { name: 'seats', value: 3, at },
    { name: 'plan', value: 'free', at },
  ]);
  expect(await groups.changes(id, { type: 0, key: 'nobody' })).toEqual([]);

  const noted: string[] = [];
  const erase = (key: string) =>
    groups.erase(id, { type: 0, key }, async (_, type) => {
      noted.push(type);
    });
  await expect(
    groups.erase(id, acme, async () => {
      throw new Error('not noted');
    }),
  ).rejects.toThrow('not noted');
  expect(await groups.get(id, acme)).toMatchObject({ describedAt: at });
  await erase('acme');
  expect(noted).toEqual(['company']);
  expect(await groups.get(id, acme)).toMatchObject({ describedAt: null, properties: [], label: null, events: 1 });
  expect(await groups.changes(id, acme)).toEqual([]);
  await expect(erase('acme')).rejects.toMatchObject({ code: 'not_found' });
  // The others are as they were, and it can be described again, without its past.
  expect(await groups.get(id, { type: 0, key: 'other' })).toMatchObject({ describedAt: at + 1 });
  await scene.tell(described(at + 9, 'acme', { plan: 'team' }));
  expect(await groups.changes(id, acme)).toEqual([{ name: 'plan', value: 'team', at: at + 9 }]);
});
