/**
 * What is named in a question and cannot be found is an error at every door, never everybody's numbers. The doors are read off the router, the
 * operations of the API and the routes themselves, so that a new one is tried as well.
 */
import type { AnyTRPCProcedure } from '@trpc/server';
import { operations } from '#src/api/operations.ts';
import * as insightKinds from '#src/insights/kinds/kinds.ts';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import { appRouter } from '#src/router.ts';
import { samples } from '#test/accounts/access-samples.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf } from '#test/kit/people.ts';
import request from '#test/kit/request.ts';
import { filled, httpRoutes } from '#test/kit/routes.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const whole = useWholeApp(useDatabase({ between: 'nothing' }));

const NOT_THERE = 999_999;
const reachedGoal = { match: 'all', of: [{ did: { goal: NOT_THERE } }] };
const noGoal = { match: 'any', of: [{ did: { goal: NOT_THERE }, not: true }] };
/** By the field of a question that names it. */
const references: Readonly<Record<string, readonly unknown[]>> = {
  segment: [NOT_THERE],
  goal: [NOT_THERE],
  people: [reachedGoal, noGoal],
  person: ['00000000-0000-4000-8000-000000000000'],
  annotation: [NOT_THERE],
  insight: [NOT_THERE],
  flag: [NOT_THERE],
  invitation: [NOT_THERE],
};
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>);

/** Names of the fields that the procedure's parsers know. */
function fieldsOf(procedure: AnyTRPCProcedure): string[] {
  const { inputs } = procedure._def as unknown as { inputs: { shape?: object; def?: { shape?: object } }[] };
  return inputs.flatMap((input) => Object.keys(input.shape ?? input.def?.shape ?? {}));
}

/** Who is not in the team any more still stands in its log. */
const NAMES_NOTHING = 'accounts.teams.activity';

/** A question with each reference that its fields can hold. */
function withReferences(fields: readonly string[]): { field: string; value: unknown }[] {
  return Object.entries(references).flatMap(([field, values]) =>
    fields.includes(field) ? values.map((value) => ({ field, value })) : [],
  );
}

describe('of calls', () => {
  const cases = procedures.flatMap(([path, procedure]) =>
    path === NAMES_NOTHING
      ? []
      : withReferences(fieldsOf(procedure)).map((reference) => ({ path, procedure, ...reference })),
  );

  test.each(cases)('$path, by $field', async ({ path, procedure, field, value }) => {
    const { query, mutation } = callsOf(whole);
    const call = procedure._def.type === 'mutation' ? mutation : query;
    const fields = fieldsOf(procedure);
    const input = {
      ...samples[path],
      ...(fields.includes('project') && { project: String(whole.project) }),
      ...(fields.includes('team') && { team: whole.team }),
      [field]: value,
    };
    const { status, body } = await call(whole.owner, path, input);
    // Neither a segment nor a cohort is saved with a goal that is gone: that is a field of the form.
    const isForm = /^insights\.(segments\.save|cohorts\.(preview|create))$/.test(path);
    expect([status, body.error?.json.data.appCode]).toEqual(isForm ? [400, 'invalid'] : [404, 'not_found']);
  });

  test('are found', () => {
    expect(cases.length).toBeGreaterThan(30);
  });
});

/** What is posted besides the reference, by the end of the address. */
const bodies: Readonly<Record<string, object>> = {
  experiments: { name: 'Price', definition: { goal: { kind: 'count', of: { event: 'paid' } }, windowDays: 7 } },
  'early-access': { name: 'Checkout', stage: 'beta' },
};

describe('of the API', () => {
  let key: string;
  beforeAll(async () => {
    const input = { name: 'test', scopes: [...keyScopes], projects: null, days: 'month' };
    const made = await callsOf(whole).mutation(whole.owner, 'projects.apiKeys.create', input).expect(200);
    key = made.body.result.data.json.key;
  });

  /** What a query needs besides its reference. */
  const neededBy = (path: string) =>
    samples[`insights.query.${path.split('/').at(-1)}`] ?? bodies[path.split('/').at(-1) ?? ''] ?? {};
  const cases = operations.flatMap((operation) => {
    // `people` of an issue is a number.
    const fields =
      operation.id === 'updateIssue' ? [] : Object.keys({ ...operation.query.shape, ...operation.body?.shape });
    return withReferences(fields).map((reference) => ({ id: operation.id, operation, ...reference }));
  });

  test.each(cases)('$id, by $field', async ({ operation, field, value }) => {
    const path = `/api/v1${filled(operation.path, { project: whole.project })}`;
    const asked: Record<string, unknown> = { ...neededBy(operation.path), [field]: value };
    const texts = Object.entries(asked).map(([name, each]): [string, string] => [
      name,
      typeof each === 'string' ? each : JSON.stringify(each),
    ]);
    const sent =
      operation.method === 'post'
        ? request(whole.app).post(path).send(asked)
        : request(whole.app).get(`${path}?${new URLSearchParams(texts)}`);
    const { status, body } = await sent.set('Authorization', `Bearer ${key}`);
    expect([status, body.error?.code, body.error?.field]).toEqual([404, 'not_found', undefined]);
  });

  test('are found', () => {
    expect(cases.length).toBeGreaterThan(8);
  });
});

describe('of files', () => {
  const asked: Record<string, string[]> = {
    segment: [`segment=${NOT_THERE}`],
    who: [`who=goal:today:1:${NOT_THERE}`, `who=goal:today:1:x`],
    people: [reachedGoal, noGoal].map((people) => `people=${encodeURIComponent(JSON.stringify(people))}`),
    goal: [`goal=${NOT_THERE}`],
    input: [],
  };
  const inputOf = (kind: string, reference: object) =>
    `input=${encodeURIComponent(JSON.stringify({ ...samples[`insights.query.${kind}`], ...reference }))}`;
  const pointOf = (kind: string) => {
    const { point } = (samples[`profiles.behind.${kind}`] ?? {}) as { point?: unknown };
    return point === undefined ? '' : `&point=${encodeURIComponent(JSON.stringify(point))}`;
  };
  const overviewFiles = ['table', 'figures', 'goals', 'hours', 'vitals'];
  /** What each kind of file is asked by; people are listed by what is known of them, which names nothing. */
  const kinds: [pattern: RegExp, references: (keyof typeof asked)[]][] = [
    [/\/overview\/(table|figures)\.csv$/, ['segment', 'who', 'goal']],
    [/\/overview\/\w+\.csv$/, ['segment', 'who']],
    [/\/query\/\w+((\/people)?\.csv|\.(xlsx|svg))$/, ['input']],
    [/\/events\/export$/, ['segment', 'people']],
    [/\/((persons|groups)\/export|events\/export\/:id|replay\/:session\/blocks)$/, []],
    [/\/reports\//, []],
  ];

  test('each door', async () => {
    const doors = httpRoutes(whole.app as never).filter(({ path }) => path.startsWith('/project/'));
    expect(doors.length).toBeGreaterThan(4);
    const files = doors.flatMap(({ method, path }) => {
      const all = path.includes(':file') ? overviewFiles : path.includes(':kind') ? Object.keys(insightKinds) : [''];
      return all.map((name) => ({ method, path: path.replace(/:(file|kind)\b/, name), name }));
    });
    for (const { method, path, name } of files) {
      const kind = kinds.find(([pattern]) => pattern.test(path));
      if (kind === undefined) throw new Error(`${method} ${path}: say which references it takes`);
      const address = filled(path, { project: whole.project });
      const searches = kind[1].includes('input')
        ? [{ segment: NOT_THERE }, { people: reachedGoal }, { people: noGoal }].map((each) => inputOf(name, each))
        : kind[1].flatMap((each) => asked[each] ?? []);
      for (const search of searches) {
        const { status } = await request(whole.app)
          .get(`${address}?range=today&format=csv&details=page&${search}${pointOf(name)}`)
          .set('Cookie', whole.owner)
          .set('Sec-Fetch-Site', 'same-origin');
        expect([path, search, status]).toEqual([path, search, 404]);
      }
    }
  });

  test.each(Object.keys(insightKinds))('without any: %s', async (kind) => {
    const file = await request(whole.app)
      .get(`/project/${whole.project}/query/${kind}.csv?${inputOf(kind, {})}`)
      .set('Cookie', whole.owner)
      .set('Sec-Fetch-Site', 'same-origin')
      .expect(200);
    expect(file.headers['content-disposition']).toMatch(
      /^attachment; filename="\w+-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head = '', ...lines] = file.text.trimEnd().split('\r\n');
    for (const line of lines) expect(line.split(',')).toHaveLength(head.split(',').length);
    const workbook = await request(whole.app)
      .get(`/project/${whole.project}/query/${kind}.xlsx?${inputOf(kind, {})}`)
      .set('Cookie', whole.owner)
      .set('Sec-Fetch-Site', 'same-origin')
      .responseType('blob')
      .expect(200);
    expect(workbook.headers['content-disposition']).toMatch(/\.xlsx"$/);
    expect(workbook.body.subarray(0, 2).toString()).toBe('PK');
  });
});
