/** Filters that were stored before operators had the names of the API. */
import { filters } from '#src/columns/contract.ts';
import { filterOperators } from '#src/columns/filters/operators.ts';
import { goalDefinition } from '#src/insights/goals/contract.ts';
import { segmentDefinition } from '#src/insights/segments/contract.ts';
import { down, up } from '#src/store/migrations/0029-operator-names.ts';
import * as fieldNames from '#src/store/migrations/0032-field-names.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
let deps: TestDeps;
beforeAll(() => {
  deps = testDeps(database.url);
});
afterAll(() => deps.close());

const former = ['is', 'isNot', 'contains', 'containsNot', 'matches', 'matchesNot', 'above', 'below', 'isSet'];
const present = ['equals', 'notEquals', 'contains', 'notContains', 'regex', 'notRegex', 'gt', 'lt', 'isSet'];
// A value may look like a condition.
const values = ['is', '"operator": "is"', '\\"operator": "is"'];
const asked = (operators: readonly string[]) => ({
  match: 'all' as const,
  of: operators.map((operator) => ({ about: 'event' as const, name: 'plan', operator, values })),
});

it('are read with their present names', () => {
  expect(filters.parse(asked(former))).toEqual(asked(present));
  expect(filters.safeParse(asked(['constructor'])).success).toBe(false);
  for (const operator of filterOperators) expect(filters.parse(asked([operator]))).toEqual(asked([operator]));
});

it('get their present names and those of fields of visits, and their former ones again', async () => {
  const people = { match: 'all', of: [{ has: { name: 'plan', operator: 'is', values } }] };
  const rule = (operators: readonly string[]) => ({ kind: 'event', event: 'a', filters: asked(operators) });
  await database.query(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), 'ana@shop.example', 'ana@shop.example', 'Ana', 'en', 'UTC', to_timestamp(0))`,
  );
  await database.query(`insert into projects (name, created_at) values ('P', to_timestamp(0))`);
  await database.query(
    `insert into goals (project_id, name, definition, created_at, changed_at)
     select id, 'G', $1, to_timestamp(0), to_timestamp(0) from projects where name = 'P'`,
    [JSON.stringify({ version: 1, rule: rule(former), amount: null })],
  );
  await database.query(
    `insert into segments (project_id, owner, shared, name, definition, created_at, changed_at)
     select projects.id, users.id, true, 'S', $1, to_timestamp(0), to_timestamp(0) from projects, users where projects.name = 'P'`,
    [JSON.stringify({ version: 2, filters: asked(former), people })],
  );
  const stored = async () => {
    const [row] = await database.query<{ goal: unknown; segment: unknown }>(
      'select goals.definition as goal, segments.definition as segment from goals, segments',
    );
    return row;
  };
  const before = await stored();
  await up(deps.db);
  const after = await stored();
  expect(after?.goal).toEqual({ version: 2, rule: rule(present), amount: null });
  expect(after?.segment).toEqual({
    version: 3,
    filters: asked(present),
    people: { match: 'all', of: [{ has: { name: 'plan', operator: 'equals', values } }] },
  });
  expect(goalDefinition.parse(before?.goal).rule).toEqual(goalDefinition.parse(after?.goal).rule);
  expect(segmentDefinition.parse(before?.segment).filters).toEqual(segmentDefinition.parse(after?.segment).filters);
  await down(deps.db);
  expect(await stored()).toEqual(before);

  const lookalike = ['"name": "system", "about": "session"'];
  const about = (subject: 'event' | 'session', name: string) => ({
    about: subject,
    name,
    operator: 'equals',
    values: lookalike,
  });
  const of = (os: string, width: string) => [about('session', os), about('event', 'system'), about('session', width)];
  const definition = (version: number, names: [string, string]) => ({
    version,
    filters: { match: 'all', of: [{ match: 'any', of: of(...names) }] },
  });
  const storedSegment = async () =>
    (await database.query<{ definition: unknown }>('select definition from segments'))[0];
  await database.query('update segments set definition = $1', [
    JSON.stringify(definition(3, ['system', 'screenSize'])),
  ]);
  await fieldNames.up(deps.db);
  expect(await storedSegment()).toEqual({ definition: definition(4, ['os', 'viewportWidth']) });
  await fieldNames.down(deps.db);
  expect(await storedSegment()).toEqual({ definition: definition(3, ['system', 'screenSize']) });
});
