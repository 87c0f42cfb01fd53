/** The list of people: who is found by what, in which order, page by page, and by whom. */

import { goalInput } from '#src/insights/goals/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { type PeopleInput, peopleInput } from '#src/profiles/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { alias } from '../persons/history.ts';
import { identify, MINUTE, openPeople, type PeopleScene, TEST_TIME } from './scene.ts';

const database = useDatabase();
let scene: PeopleScene;

beforeEach(async () => {
  scene = await openPeople(database.url);
});
afterEach(() => scene.close());

const find = async (asked: Partial<PeopleInput> = {}) => {
  const { project: _, ...input } = peopleInput.parse({ project: 'any', ...asked });
  const page = await scene.profiles.list(scene.project.id, input);
  const { parts } = await scene.profiles.explainList(scene.project.id, input);
  const [explained] = await database.query<{ people: string }>(parts[0]?.sql ?? '');
  if (page.total !== null) expect(Number(explained?.people)).toBe(page.total);
  return page;
};
const names = async (asked: Partial<PeopleInput> = {}) =>
  (await find(asked)).rows.map(({ label, distinctId }) => label ?? distinctId);

const geo = { geo: { $geoip_country_code: 'BR' } };

async function arrange(): Promise<void> {
  const at = TEST_TIME - 60 * MINUTE;
  await scene.tell(
    { event: '$pageview', id: 'anon-ana', ts: at, visit: 'first', groups: geo, person: { process: false } },
    identify('user-ana', 'anon-ana', at + 1, {
      email: 'Ana.Souza@shop.example',
      name: 'Ana Souza',
      plan: 'Pro',
      age: 31,
    }),
    { id: 'bia', ts: at + 2, person: { set: { email: 'bia@shop.example', plan: 'free' } } },
    { id: 'visitor', ts: at + 3, person: { process: false } },
    { event: '$pageview', id: 'user-ana', ts: at + 10, visit: 'second', groups: geo },
  );
}

const MORE = 5_101;
/** More people than are put in order one by one, none of them with an event. */
const manyMore = () =>
  database.query(
    `insert into persons (project_id, number, uuid, has_profile, created_at)
     select $1, n, gen_random_uuid(), true, '2026-01-01' from generate_series(100001, 100000 + $2::int) n`,
    [scene.project.id, MORE],
  );

describe('People', () => {
  it('lists who has a profile, last seen first, with what is known of them', async () => {
    await arrange();
    const { rows, total, next } = await find();
    expect({ total, next }).toEqual({ total: 2, next: null });
    const at = TEST_TIME - 60 * MINUTE;
    expect(rows).toEqual([
      {
        ...{
          uuid: await scene.whoIs('user-ana'),
          identified: true,
          label: 'Ana Souza',
          email: 'Ana.Souza@shop.example',
        },
        ...{ distinctId: 'user-ana', firstSeen: at, lastSeen: at + 10, visits: 2, country: 'BR' },
        ...{ did: null, properties: {} },
      },
      {
        ...{ uuid: await scene.whoIs('bia'), identified: false, label: 'bia@shop.example', email: 'bia@shop.example' },
        ...{ distinctId: 'bia', firstSeen: at + 2, lastSeen: at + 2, visits: 0, country: null },
        ...{ did: null, properties: {} },
      },
    ]);
    expect(await names({ everybody: true })).toEqual(['Ana Souza', 'visitor', 'bia@shop.example']);
    expect(await names({ sort: 'created' })).toEqual(['bia@shop.example', 'Ana Souza']);
  });

  it('orders by what people did in a range, within a cohort, with chosen properties as columns', async () => {
    await arrange();
    const { insights, project } = scene;
    const seesAll = { ...project, seesPersons: true };
    const draft = { rule: { kind: 'event', event: 'paid', filters: { match: 'all', of: [] } } } as const;
    const amount = { property: 'value', currencyProperty: null, currency: 'BRL' };
    await insights.goals.create(seesAll.id, goalInput.parse({ name: 'Paid', ...draft, amount }));
    const at = TEST_TIME - 30 * MINUTE;
    const pay = (id: string, ts: number, value: number) => ({ event: 'paid', id, ts, properties: { value } });
    await scene.tell(
      pay('bia', at, 12.5),
      pay('bia', at + 1, 0.1),
      pay('user-ana', at, 900),
      pay('bia', TEST_TIME - 90 * 1_440 * MINUTE, 5_000),
    );
    const page = await find({ sort: 'events', columns: ['plan', 'age'] });
    expect(page.rows.map(({ label, did, properties }) => ({ label, did, properties }))).toEqual([
      {
        label: 'Ana Souza',
        did: { events: 4, visits: 2, revenue: [{ currency: 'BRL', sum: 900 }] },
        properties: { plan: 'Pro', age: 31 },
      },
      {
        label: 'bia@shop.example',
        did: { events: 3, visits: 0, revenue: [{ currency: 'BRL', sum: 12.6 }] },
        properties: { plan: 'free' },
      },
    ]);
    expect(await names({ sort: 'revenue', range: 'last_12_months' })).toEqual(['bia@shop.example', 'Ana Souza']);
    expect(await names({ sort: 'visits', everybody: true })).toEqual(['Ana Souza', 'visitor', 'bia@shop.example']);
    const cohort = await insights.cohorts.createFromList(seesAll, { name: 'Free', description: '', list: 'bia' }, 1);
    expect(await names({ sort: 'events', cohort: cohort.id })).toEqual(['bia@shop.example']);
    const other = await scene.projects.create({ name: 'Other', timeZone: 'UTC' });
    await expect(scene.profiles.list(other.id, { everybody: true, sort: 'seen', cohort: cohort.id })).rejects.toThrow(
      'Cohort not found',
    );
    await expect(find({ sort: 'events', after: { at, number: 1 } })).rejects.toThrow('another order');
    await expect(find({ after: { value: 1, number: 1 } })).rejects.toThrow('another order');
  });

  it('finds by id, by any value, and by a piece of an address or name', async () => {
    await arrange();
    for (const search of [
      'user-ana',
      'anon-ana',
      'ana',
      'ANA.SOUZA@',
      'ana souza',
      'pro',
      '31',
      'SOUZA',
      'a.s',
      'an',
    ]) {
      expect([search, await names({ search })]).toEqual([search, ['Ana Souza']]);
    }
    // A piece is three letters; fewer are looked for at the beginning. Of ids and values, only whole ones are found.
    for (const search of ['USER-ANA', 'user', 'so', '%', 'a_s', '%na', 'visitor', '\0', 'BR', 'ser']) {
      expect([search, await names({ search })]).toEqual([search, []]);
    }
    expect(await names({ search: '@shop' })).toEqual(['Ana Souza', 'bia@shop.example']);
    expect(await names({ search: 'visitor', everybody: true })).toEqual(['visitor']);
  });

  it('finds names and values without regard to case and accents', async () => {
    const at = TEST_TIME - MINUTE;
    await scene.tell({
      id: 'user-joao',
      ts: at,
      person: { set: { name: 'João Ávila', plan: 'Avançado', city: 'sa\u0303o' } },
    });
    for (const search of ['joao', 'JOÃO', 'joa\u0303o', 'avila', 'jo', 'Jó', 'avancado', 'AVANÇADO', 'são', 'SAO']) {
      expect([search, await names({ search })]).toEqual([search, ['João Ávila']]);
    }
    expect(await names({ property: { name: 'plan', operator: 'equals', value: 'Avançado' } })).toEqual(['João Ávila']);
    expect(await names({ property: { name: 'plan', operator: 'equals', value: 'avancado' } })).toEqual([]);
    const letters = fc.constantFrom(
      'a',
      'Ã',
      'e\u0301',
      'ç',
      'Ñ',
      'Ω',
      'й',
      '茶',
      '한',
      '%',
      '_',
      '\\',
      ' ',
      'ß',
      '😀',
    );
    const texts = fc.sample(fc.array(letters, { maxLength: 8 }), 200).map((each) => each.join(''));
    const keys = await database.query<{ key: string }>(
      'select search_key(text) as key from unnest($1::text[]) with ordinality as one (text, place) order by place',
      [texts],
    );
    expect(keys.map(({ key }) => key.normalize('NFC'))).toEqual(texts.map((text) => searchable(text).normalize('NFC')));
  });

  it('finds by uuid, a merged person as the current one', async () => {
    await arrange();
    await scene.tell({ id: 'phone', ts: TEST_TIME - 2 }, { id: 'user-ana', ts: TEST_TIME - 2 });
    const before = await scene.whoIs('phone');
    await scene.tell(alias('user-ana', 'phone', TEST_TIME - 1, 'dangerously'));
    const ana = await scene.whoIs('user-ana');
    expect(before).not.toBe(ana);
    for (const search of [ana, before, ana.toUpperCase()]) {
      expect([search, await names({ search })]).toEqual([search, ['Ana Souza']]);
    }
    const visitor = await scene.whoIs('visitor');
    expect(await names({ search: visitor })).toEqual([]);
    expect(await names({ search: visitor, everybody: true })).toEqual(['visitor']);
    for (const search of [ana.slice(0, 35), '00000000-0000-4000-8000-000000000000']) {
      expect(await names({ search })).toEqual([]);
    }
    const other = await scene.projects.create({ name: 'Other', timeZone: 'UTC' });
    const found = await scene.profiles.list(other.id, { search: ana, everybody: true, sort: 'seen' });
    expect(found.rows).toEqual([]);
    await manyMore();
    expect(await names({ search: before })).toEqual(['Ana Souza']);
  });

  it('filters by a property', async () => {
    await arrange();
    expect(await names({ property: { name: 'plan', operator: 'equals', value: 'Pro' } })).toEqual(['Ana Souza']);
    expect(await names({ property: { name: 'plan', operator: 'equals', value: 'pro' } })).toEqual([]);
    expect(await names({ property: { name: 'age', operator: 'equals', value: '31' } })).toEqual(['Ana Souza']);
    expect(await names({ property: { name: 'plan', operator: 'contains', value: 'RE' } })).toEqual([
      'bia@shop.example',
    ]);
    expect(await names({ property: { name: 'plan', operator: 'isSet', value: '' } })).toHaveLength(2);
    expect(await names({ property: { name: 'age', operator: 'isSet', value: '' }, search: 'bia' })).toEqual([]);
  });

  it('says whom it leaves out', async () => {
    await arrange();
    await scene.tell({ id: 'phone', ts: TEST_TIME - 1 }, { id: 'user', ts: TEST_TIME - 1 });
    await scene.tell(identify('user', 'phone', TEST_TIME));
    const leftOut = async (everybody: boolean) =>
      (await scene.profiles.explainList(scene.project.id, { everybody, sort: 'seen' })).left;
    const merged = { what: 'merged', count: 1 };
    expect(await leftOut(false)).toEqual([{ what: 'withoutProfile', count: 1 }, merged]);
    expect(await leftOut(true)).toEqual([merged]);
  });

  it('goes on where the page before ended, each person once', async () => {
    const at = TEST_TIME - 60 * MINUTE;
    const all = Array.from({ length: 120 }, (_, n) => ({ id: `p${n}`, ts: at + Math.floor(n / 3) }));
    await scene.tell(...all);
    for (const sort of ['seen', 'created'] as const) {
      const found: string[] = [];
      let after: PeopleInput['after'];
      do {
        const page = await find({ sort, after });
        found.push(...page.rows.map(({ distinctId }) => distinctId));
        after = page.next ?? undefined;
      } while (after);
      expect(found).toHaveLength(120);
      expect(new Set(found).size).toBe(120);
      expect(found.slice(0, 3).sort()).toEqual(['p117', 'p118', 'p119']);
    }
  });

  it('finds the same people in the same order when there are more than are looked up one by one', async () => {
    const at = TEST_TIME - 60 * MINUTE;
    const plan = (n: number) => (n % 3 === 0 ? 'pro' : 'free');
    // More than a step of events, some of one moment, some of months ago; every tenth comes again later.
    const all = Array.from({ length: 1_100 }, (_, n) => ({
      ...{ id: `p${n}`, ts: (n % 7 === 0 ? at - 100 * 24 * 60 * MINUTE : at) + Math.floor(n / 40) },
      person: { set: { plan: plan(n), email: `p${n}@shop.example` } },
    }));
    const first = all.map(({ id }, n) => ({ id, ts: at - 200 * 24 * 60 * MINUTE + n }));
    const batches = [...first, ...all];
    for (let from = 0; from < batches.length; from += 1_100) await scene.tell(...batches.slice(from, from + 1_100));
    const again = all.filter((_, n) => n % 10 === 0).map(({ id }, n) => ({ id, ts: at + 1_000 + n }));
    await scene.tell(...again, identify('joined', 'p13', at + 5_000));
    const last = new Map(all.map(({ id, ts }) => [id, ts]));
    for (const { id, ts } of again) last.set(id, ts);
    last.set('joined', at + 5_000);
    last.delete('p13');
    const walk = async (asked: Partial<PeopleInput>) => {
      const found: [string, number][] = [];
      let after: PeopleInput['after'];
      do {
        const page = await find({ ...asked, after });
        found.push(...page.rows.map(({ distinctId, lastSeen }) => [distinctId, lastSeen ?? 0] as [string, number]));
        after = page.next ?? undefined;
      } while (after);
      return found;
    };
    const everybody = await walk({});
    expect(new Map(everybody)).toEqual(last);
    expect(everybody.map(([, ts]) => ts)).toEqual([...last.values()].sort((one, other) => other - one));
    const pro = await walk({ property: { name: 'plan', operator: 'equals', value: 'pro' } });
    expect(pro).toEqual(everybody.filter(([id]) => id !== 'joined' && plan(Number(id.slice(1))) === 'pro'));
    expect(await walk({ search: '@shop' })).toEqual(everybody);
    await manyMore();
    const many = await walk({});
    expect(many.slice(0, everybody.length)).toEqual(everybody);
    expect(many.slice(everybody.length)).toEqual(Array.from({ length: MORE }, () => ['', 0]));
  });

  it('goes through the events when there are too many people to put in order', async () => {
    await manyMore();
    const at = TEST_TIME - 60 * MINUTE;
    const all = Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, ts: at + Math.floor(n / 2) }));
    await scene.tell(...all, { id: 'p0', ts: at + 1_000 }, identify('user', 'p1', at + 900));
    const first = await find();
    expect(first).toMatchObject({ total: null, searchedTo: null });
    const second = await find({ after: first.next ?? undefined });
    const shown = [...first.rows, ...second.rows];
    const seen = shown.filter(({ lastSeen }) => lastSeen !== null);
    const found = seen.map(({ distinctId, lastSeen }) => [distinctId, Number(lastSeen) - at]);
    expect(found.slice(0, 2)).toEqual([
      ['p0', 1_000],
      ['user', 900],
    ]);
    expect(found).toHaveLength(60);
    expect(new Set(found.map(([id]) => id)).size).toBe(60);
    // Who has no event comes last.
    expect(shown.findIndex(({ lastSeen }) => lastSeen === null)).toBe(60);
    expect(shown).toHaveLength(100);
    expect(second.next).toMatchObject({ number: 100_000 + MORE - 39, alone: true });
  });

  it('knows nobody of another project', async () => {
    await arrange();
    const other = await scene.projects.create({ name: 'Other', timeZone: 'UTC' });
    await scene.tell({ id: 'user-ana', ts: TEST_TIME - MINUTE, person: { set: { plan: 'Pro' } }, of: other });
    expect((await find({ search: 'Pro' })).rows).toHaveLength(1);
    const found = await scene.profiles.list(other.id, { search: 'Pro', everybody: false, sort: 'seen' });
    expect(found.rows.map(({ visits, label }) => [visits, label])).toEqual([[0, null]]);
    expect(await scene.profiles.get(other.id, await scene.whoIs('user-ana'))).toBeNull();
  });
});
