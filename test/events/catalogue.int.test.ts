/** What is entered beside the events: names, groups, definitions. */
import type { FinishedEvent } from '#src/events/contract.ts';
import { createDefinitions, typeOf } from '#src/events/definitions.ts';
import { createDictionary } from '#src/events/dictionary.ts';
import { createNumbers } from '#src/store/numbers.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
let deps: TestDeps;
beforeEach(() => {
  deps = testDeps(database.url);
});
afterEach(() => deps.close());

const event = (over: Partial<FinishedEvent> = {}): FinishedEvent => ({
  ...{ projectId: 1, uuid: '', event: 'ping', distinctId: 'd', ts: TEST_TIME, receivedAt: TEST_TIME, session: null },
  ...{ marks: 0, groups: {}, properties: {} },
  person: { process: false, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
  ...over,
});
const open = () => createDictionary(deps.write, createNumbers(deps.write));

describe('the dictionary', () => {
  it('gives equal groups one number, for any order of names and batches', async () => {
    const dictionary = open();
    const page = { $host: 'a.b', $pathname: '/' };
    const [one, other, third] = await dictionary.code([
      event({ groups: { page } }),
      event({ groups: { page: { $pathname: '/', $host: 'a.b' } } }),
      event({ groups: { page: { $pathname: '/c', $host: 'a.b' } } }),
    ]);
    const [again] = await open().code([event({ groups: { page: { ...page } } })]);
    const number = one?.groups.page;
    expect([other, again].map((coded) => coded?.groups.page)).toEqual([number, number]);
    const rows = await database.query('select number, properties from property_groups order by number');
    expect(rows.map((row) => row['number'])).toEqual([1, 2]);
    expect(rows.find((row) => row['number'] === number)?.['properties']).toEqual(page);
    expect(rows.find((row) => row['number'] === third?.groups.page)?.['properties']).toEqual({
      ...page,
      $pathname: '/c',
    });
  });

  it('keeps projects and kinds apart, for the same object too', async () => {
    const shared = { a: 1 };
    const dictionary = open();
    const coded = await dictionary.code([
      event({ groups: { page: { first: true } } }),
      event({ groups: { page: shared, device: shared } }),
      event({ projectId: 2, groups: { page: shared } }),
    ]);
    const entries = await database.query('select project_id, kind, number, properties from property_groups');
    const numberOf = (project: number, kind: number, properties: object) =>
      entries.find(
        (entry) =>
          entry['project_id'] === project &&
          entry['kind'] === kind &&
          JSON.stringify(entry['properties']) === JSON.stringify(properties),
      )?.['number'];
    expect(coded.map(({ groups }) => [groups.page, groups.device])).toEqual([
      [numberOf(1, 1, { first: true }), null],
      [numberOf(1, 1, shared), numberOf(1, 2, shared)],
      [numberOf(2, 1, shared), null],
    ]);
    expect(entries).toHaveLength(4);
  });

  it('agrees over processes that meet names and groups at the same moment', async () => {
    const batch = (offset: number) =>
      Array.from({ length: 60 }, (_, at) =>
        event({ event: `name ${(at + offset) % 60}`, groups: { page: { n: (at + offset) % 60 } } }),
      );
    const dictionaries = [open(), open(), open()];
    const results = await Promise.all(
      [0, 13, 31, 47, 5, 22].map((offset, at) => dictionaries[at % 3]?.code(batch(offset))),
    );
    const names = new Map<string, Set<number>>();
    const pages = new Map<unknown, Set<number | null>>();
    for (const coded of results.flatMap((each) => each ?? [])) {
      const { event: name, groups } = coded.event;
      names.set(name, (names.get(name) ?? new Set()).add(coded.name));
      pages.set(groups.page?.['n'], (pages.get(groups.page?.['n']) ?? new Set()).add(coded.groups.page));
    }
    for (const numbers of [...names.values(), ...pages.values()]) expect(numbers.size).toBe(1);
    expect(new Set([...pages.values()].flatMap((numbers) => [...numbers])).has(null)).toBe(false);
  });
});

describe('definitions', () => {
  const HOUR = 3_600_000;

  it('know names, types and when each was seen, to the hour', async () => {
    const definitions = createDefinitions(deps.write);
    const noted = async (at: number, properties: FinishedEvent['properties']) => {
      const batch = [event({ receivedAt: at, properties, groups: { page: { $host: 'a.b' } } })];
      await open().code(batch);
      await definitions.note(batch);
    };
    await noted(TEST_TIME, { price: 1, empty: null, ['x'.repeat(500)]: 1 });
    await noted(TEST_TIME + HOUR - 1, { price: 'one', tags: [1] });
    await noted(TEST_TIME + 2 * HOUR, { price: '2026-11-20' });
    const [named] = await database.query('select first_seen, last_seen from event_names');
    expect(named).toEqual({ first_seen: new Date(TEST_TIME), last_seen: new Date(TEST_TIME + 2 * HOUR) });
    const rows = await database.query(
      'select name, value_type as type, first_seen, last_seen from property_names order by 1',
    );
    const at = (hours: number) => new Date(TEST_TIME + hours * HOUR);
    expect(rows).toEqual([
      { name: '$host', type: 'string', first_seen: at(0), last_seen: at(2) },
      { name: 'price', type: 'datetime', first_seen: at(0), last_seen: at(2) },
      {
        name: 'tags',
        type: 'list',
        first_seen: new Date(TEST_TIME + HOUR - 1),
        last_seen: new Date(TEST_TIME + HOUR - 1),
      },
    ]);
  });

  it.each([
    [1.5, 'number'],
    [false, 'boolean'],
    ['', 'string'],
    ['2026-11-20T10:00:00.5Z', 'datetime'],
    ['2026', 'string'],
    [[], 'list'],
    [{}, 'object'],
    [null, null],
  ])('take %j for %s', (value, type) => expect(typeOf(value)).toBe(type));
});
