/** Cohorts over HTTP: lists, points and conditions as sets of people, used in filters; merges, erasure, rights. */
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { finishedEvent, sessionId } from './histories.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const now = Date.now();
const project = () => String(whole.project);
let viewer: string;

/** d0 to d5 view; the even ones also order; d1 to d3 identify with an email address. */
beforeAll(async () => {
  viewer = (await joinTeam(whole, { team: whole.team, role: 'viewer', name: 'Vera', cookie: whole.owner })).cookie;
  let at = 0;
  const event = (distinctId: string, name: string) => ({
    ...finishedEvent(whole.project, {
      ...{ uuid: uuidV7(now - 1000 * at), event: name, distinctId, session: sessionId(distinctId) },
      ...{ ts: now - 60_000 + at++, bot: false, path: '/', referringDomain: '$direct', country: 'BR' },
    }),
  });
  const people = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5'];
  await whole.parts.rooms.events.store([
    ...people.map((id) => event(id, '$pageview')),
    ...['d0', 'd2', 'd4'].map((id) => event(id, 'order')),
  ]);
  await database.query(
    `update persons p set properties = jsonb_build_object('email', d.distinct_id || '@Serrana.example'), has_profile = true
       from distinct_ids d where d.project_id = p.project_id and d.person = p.number and d.distinct_id in ('d1', 'd2', 'd3')`,
  );
});

async function ask<Answer>(kind: 'query' | 'mutation', path: string, input: object, status = 200): Promise<Answer> {
  const answer = await callsOf(whole)[kind](whole.owner, path, { project: project(), ...input });
  expect([path, answer.status, status === 200 ? answer.body.error?.json?.message : undefined]).toEqual([
    path,
    status,
    undefined,
  ]);
  return answer.body.result?.data.json as Answer;
}

interface Made {
  id: number;
  size: number;
  source: unknown;
  usedBy: string[];
}

const create = (path: string, input: object, status?: number) =>
  ask<Made>('mutation', `insights.cohorts.${path}`, input, status);

function inCohort(name: string, operator = 'equals') {
  return { about: 'person', name: '$cohort', operator, values: [name] };
}

/** Visitors of *Overview*, and people of the list, that are in it. */
async function counts(name: string, operator?: string): Promise<[visitors: number, listed: number, rows: number]> {
  const filters = { match: 'all', of: [inCohort(name, operator)] };
  const scope = { range: 'last_7_days', filters };
  const overview = await ask<{ metrics: { visitors: { value: number } } }>('query', 'insights.query.overview', {
    ...scope,
    compare: 'none',
  });
  const listed = await ask<{ total: number }>('query', 'profiles.list', {
    property: { name: '$cohort', operator: 'equals', value: name },
    everybody: true,
  });
  const events = await ask<{ rows: { person: unknown }[] }>('query', 'explorer.page', {
    ...scope,
    names: ['$pageview'],
  });
  return [overview.metrics.visitors.value, listed.total, events.rows.length];
}

it('holds a list of ids and addresses, and says what did not match', async () => {
  const list =
    '\uFEFFname;email\r\nAna;"D1@serrana.example"\r\nBia;d2@SERRANA.example\r\nCaio;nobody@serrana.example\r\n';
  const made = await create('createFromList', { name: 'Wholesale', list });
  expect(made.size).toBe(2);
  expect(made.source).toEqual({ from: 'list', given: 3, matched: 2, notFound: ['nobody@serrana.example'] });
  expect(await counts('wholesale')).toEqual([2, 2, 2]);
  expect((await counts('Wholesale', 'notEquals'))[0]).toBe(4);
  await create('createFromList', { name: 'WHOLESALE', list: 'd0' }, 409);
  await create('createFromList', { name: 'None', list: ' \n' }, 400);
  const filters = { match: 'all', of: [inCohort('Nobody made this')] };
  await ask('query', 'insights.query.overview', { range: 'today', compare: 'none', filters }, 400);
});

it('holds the people behind a point as they are then', async () => {
  const steps = [{ event: '$pageview' }, { event: 'order' }];
  const query = { range: 'last_7_days', steps };
  const point = { step: 2, dropped: true };
  const behind = await ask<{ value: number; people: number; rows: { uuid: string; events: number }[] }>(
    'query',
    'profiles.behind.funnel',
    { query, point, search: 'd1@' },
  );
  expect([behind.value, behind.people, behind.rows.length]).toEqual([3, 3, 1]);
  const made = await create('createFromPoint', { name: 'Left', kind: 'funnel', query, point });
  expect(made.size).toBe(behind.people);
  expect(await counts('Left')).toEqual([3, 3, 3]);
  await create('createFromPoint', { name: 'Wrong', kind: 'funnel', query, point: { step: 9 } }, 400);
});

it('computes conditions again, on other cohorts too, and refuses circles', async () => {
  const did = { match: 'all' as const, of: [{ did: { event: 'order' } }] };
  const buyers = await create('create', { name: 'Buyers', people: did });
  expect(buyers.size).toBe(3);
  const others = {
    match: 'all',
    of: [{ did: { event: '$pageview' } }, { has: { name: '$cohort', operator: 'notEquals', values: ['Buyers'] } }],
  };
  const lookers = await create('create', { name: 'Lookers', people: others });
  expect(lookers.size).toBe(3);
  const circle = { match: 'all', of: [{ has: { name: '$cohort', operator: 'equals', values: ['Lookers'] } }] };
  await create('change', { cohort: buyers.id, name: 'Buyers', people: circle }, 400);
  // Filters by a former name go on.
  await create('change', { cohort: buyers.id, name: 'Customers', people: did });
  expect((await counts('Buyers'))[0]).toBe(3);
  await create('createFromList', { name: 'Buyers', list: 'd0' }, 409);
  const values = { about: 'person', name: '$cohort', range: 'last_7_days' };
  await create('change', { cohort: buyers.id, name: 'Clientes fiéis', people: did });
  const offered = await ask<{ rows: unknown[] }>('query', 'insights.values', { ...values, search: 'FIEIS' });
  expect(offered.rows).toEqual([['Clientes fiéis', 3]]);
  await create('change', { cohort: buyers.id, name: 'Customers', people: did });
  await create('remove', { cohort: buyers.id }, 409);
  await whole.parts.rooms.events.store([
    finishedEvent(whole.project, {
      ...{ uuid: uuidV7(now), event: 'order', distinctId: 'd1', session: sessionId('d1') },
      ...{ ts: now - 1000, bot: false, path: '/', referringDomain: '$direct', country: 'BR' },
    }),
  ]);
  expect((await create('recompute', { cohort: buyers.id })).size).toBe(4);
  await database.query(`update cohorts set computed_at = computed_at - interval '1 hour'`);
  const { projects, insights } = whole.parts.rooms;
  const projectOf = async (id: number) => {
    const found = await projects.get(id);
    return found && { ...found, seesPersons: true };
  };
  await insights.cohorts.work(projectOf);
  expect((await counts('Lookers'))[0]).toBe(2);
  const preview = await ask<{ size: number }>('query', 'insights.cohorts.preview', { people: did });
  expect(preview.size).toBe(4);
});

it('follows merges, forgets who is erased, and is not for viewers', async () => {
  await create('createFromList', { name: 'Two', list: 'd3\nd5' });
  const merging = finishedEvent(whole.project, {
    ...{ uuid: uuidV7(now + 1), event: '$identify', distinctId: 'd3', anonymousId: 'd5', session: null },
    ...{ ts: now - 500, bot: false, path: null, referringDomain: null, country: null },
  });
  await whole.parts.rooms.events.store([merging]);
  expect((await counts('Two')).slice(0, 2)).toEqual([1, 1]);
  const [person] = await database.query<{ number: number }>(
    `select person as number from distinct_ids where project_id = ${whole.project} and distinct_id = 'd3'`,
  );
  const { cohorts } = whole.parts.rooms.insights;
  await cohorts.erase({ projectId: whole.project, persons: [person?.number ?? 0] });
  const rest = (await ask<(Made & { name: string })[]>('query', 'insights.cohorts.list', {})).find(
    ({ name }) => name === 'Two',
  );
  expect(rest?.size).toBeLessThan(2);
  const input = { project: project() };
  await callsOf(whole).query(viewer, 'insights.cohorts.list', input).expect(403);
  const filters = { match: 'all', of: [inCohort('Two')] };
  const asked = { ...input, range: 'today', compare: 'none', filters };
  await callsOf(whole).query(viewer, 'insights.query.overview', asked).expect(403);
  const query = { range: 'today', event: { event: null } };
  const behind = { ...input, query, point: { intervals: 1 } };
  await callsOf(whole).query(viewer, 'profiles.behind.stickiness', behind).expect(403);
});
