/** The public API over a whole application: what it answers, to whom, and that its description is true. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Response } from 'supertest';
import { operations } from '#src/api/operations.ts';
import { readFlagRequest } from '#src/flags/flags.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { storeRecording } from '#test/kit/recording.ts';
import request from '#test/kit/request.ts';
import { filled } from '#test/kit/routes.ts';
import { until } from '#test/kit/until.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
let calls: ReturnType<typeof callsOf>;
/** The owner's, for everything. */
let key: string;
let ts: number;
let uuids: string[];
let person: string;
const annotation = 1_000_000;
const insight = 1_000_000;
const dashboard = 1_000_000;
const alert = 1_000_000;
const report = 1_000_000;
const cohort = 1_000_000;
const flag = 1_000_000;
const experiment = 1_000_000;
const issue = 1_000_000;
const session = '01900000-0000-7000-8000-000000000001';

beforeAll(async () => {
  calls = callsOf(whole);
  key = await newKey(whole.owner);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  ts = Math.floor((Date.now() - 3_600_000) / 1000) * 1000;
  uuids = Array.from({ length: 7 }, (_, at) => uuidV7(ts + (at % 2) * 1000));
  const session = uuidV7(ts);
  const batch = uuids.map((uuid, at) => ({
    ...{ uuid, event: at === 6 ? 'purchase' : '$pageview', distinct_id: at < 4 ? 'ana' : 'bia' },
    timestamp: new Date(ts + (at % 2) * 1000).toISOString(),
    properties: {
      ...{
        $session_id: session,
        $host: 'shop.example',
        $pathname: `/${at % 3}`,
        $current_url: 'https://shop.example/',
      },
      ...(at === 0 ? { $set: { email: 'Ana@Shop.example' } } : {}),
    },
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
  person = (await get('persons?search=ana@shop.example').expect(200)).body.persons[0].uuid;
}, 60_000);

const everything = { name: 'test', scopes: [...keyScopes], projects: null, days: 'never' };

async function newKey(cookie: string, over: object = {}): Promise<string> {
  const made = await calls.mutation(cookie, 'projects.apiKeys.create', { ...everything, ...over }).expect(200);
  return made.body.result.data.json.key;
}

function get(path: string, as = key) {
  return ask(`/api/v1/projects/${whole.project}/${path}`, as);
}

function ask(path: string, as = key) {
  return request(whole.app).get(path).set('Authorization', `Bearer ${as}`);
}

/** Every address of the list, about things that exist. */
function addresses(): { id: string; method: 'get' | 'post' | 'patch' | 'delete'; path: string }[] {
  const values = {
    project: whole.project,
    ts,
    annotation,
    insight,
    dashboard,
    alert,
    report,
    cohort,
    flag,
    experiment,
    issue,
    session,
    type: 0,
    key: 'acme',
    move: issue,
  };
  return operations.map(({ id, method = 'get', path }) => {
    const uuid = id === 'getPerson' ? person : (uuids[0] as string);
    const asked: Record<string, string> = {
      queryBreakdown: '?dimension=page',
      getFlagBootstrap: '?distinctId=ana',
      uploadSourceMap: '?file=a.js',
    };
    const query = asked[id] ?? '';
    return {
      id,
      method: method as 'get' | 'post' | 'patch' | 'delete',
      path: `/api/v1${filled(path, { ...values, uuid })}${query}`,
    };
  });
}

const views = { event: '$pageview' };

/** What is posted to queries. */
const queries: Record<string, object> = {
  queryTrends: { range: 'last_7_days', series: [{ event: views }], breakdown: { about: 'event', name: '$pathname' } },
  queryFunnel: { range: 'last_7_days', steps: [views, { event: 'purchase' }] },
  queryRetention: { range: 'last_7_days', startEvent: views, returningEvent: { event: null } },
  queryPaths: { range: 'last_7_days', stepType: 'all' },
  queryLifecycle: { range: 'last_7_days', event: views },
  queryStickiness: { range: 'last_7_days', event: views },
};

/** A number of the result of each. */
const points: Record<string, object> = {
  queryTrends: { series: 0, value: null },
  queryFunnel: { step: 2, dropped: true },
  queryRetention: { cohort: 0 },
  queryPaths: { step: 1, node: '/' },
  queryLifecycle: { interval: 0, state: 'new' },
  queryStickiness: { intervals: 1 },
};

const variants = [
  { key: 'control', rollout_percentage: 50 },
  { key: 'test', rollout_percentage: 50 },
];

const savedTrend = {
  name: 'Views',
  definition: { kind: 'trends', query: { range: 'last_7_days', series: [{ event: views }] } },
};

/** What is posted to each. */
const bodies: Record<string, object> = {
  createAnnotation: { text: 'Note' },
  updateAnnotation: { text: 'Changed' },
  createReport: { subject: { kind: 'summary' }, schedule: { frequency: 'weekly' } },
  updateReport: { active: false },
  updateDashboardShareLink: { theme: 'dark' },
  updateInsightShareLink: { theme: 'dark' },
  createInsight: savedTrend,
  updateInsight: { name: 'Renamed', archived: false },
  createDashboard: { name: 'Site', content: { tiles: [] } },
  updateDashboard: { name: 'Renamed' },
  createAlert: {
    name: 'Visitors',
    subject: { kind: 'metric', metric: 'visitors' },
    interval: 'day',
    condition: { kind: 'above', value: 1 },
  },
  updateAlert: { name: 'Renamed' },
  snoozeAlert: { hours: 1 },
  createCohort: { name: 'Posted', members: ['d1'] },
  updateCohort: { description: 'Changed' },
  createFlag: { key: 'posted', definition: { active: true, filters: { groups: [{ rollout_percentage: 100 }] } } },
  updateFlag: { active: false },
  createExperiment: {
    flag,
    name: 'Posted',
    definition: { goal: { kind: 'count', of: { event: 'purchase' } }, windowDays: 7 },
  },
  updateExperiment: { hypothesis: 'Changed' },
  endExperiment: { ship: null },
  createEarlyAccessFeature: { flag, name: 'Posted', stage: 'beta' },
  updateEarlyAccessFeature: { stage: 'alpha' },
  updateIssue: { status: 'resolved', assignee: null },
  mergeIssues: { issues: [issue + 1] },
  splitIssue: { fingerprints: [1] },
  updateErrorRules: { suppressionRules: [] },
  uploadSourceMap: { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' },
  ...queries,
  ...Object.fromEntries(Object.entries(points).map(([id, point]) => [`${id}People`, { query: queries[id], point }])),
};

type Address = ReturnType<typeof addresses>[number];

/** Whatever has an address can be asked for, again and again. */
async function askFor(address: Address, as = key) {
  await putThere(address);
  return send(address, as);
}

function send({ id, method, path }: Address, as = key) {
  const asked = request(whole.app)[method](path).set('Authorization', `Bearer ${as}`);
  return method === 'post' || method === 'patch' ? asked.send(bodies[id] ?? {}) : asked;
}

/** What the address is about. */
async function putThere({ id, path }: Address): Promise<void> {
  if (path.includes(`/annotations/${annotation}`)) {
    await database.query(
      `insert into annotations (id, project_id, day, text, created_at)
       values ($1, $2, '2026-01-01', 'Note', '2026-01-01') on conflict do nothing`,
      [annotation, whole.project],
    );
  }
  if (path.includes(`/insights/${insight}`)) {
    await database.query(
      `insert into insights
         (id, project_id, owner, kind, name, description, tags, definition, revision, created_at, changed_at)
       values ($1, $2, 1, 'trends', 'Views', '', '{}', $3, 1, '2026-01-01', '2026-01-01') on conflict do nothing`,
      [insight, whole.project, JSON.stringify({ ...savedTrend.definition, version: 1, segment: null, display: {} })],
    );
  }
  if (path.includes(`/reports/${report}`)) {
    await database.query(
      `insert into reports (id, project_id, created_by, kind, frequency, weekday, hour, active, revision, created_at, changed_at)
       values ($1, $2, 1, 'summary', 'weekly', 1, 8, true, 1, '2026-01-01', '2026-01-01') on conflict do nothing`,
      [report, whole.project],
    );
    // Viewers read reports that they receive.
    await database.query(
      `insert into report_recipients (report, project_id, account, language, time_zone, state, since)
       select $1, $2, id, 'en', 'UTC', 'active', '2026-01-01' from users
        where not exists (select from report_recipients where report = $1 and account = users.id)`,
      [report, whole.project],
    );
  }
  if (/^create.*ShareLink$/.test(id)) await database.query('delete from share_links');
  else if (path.includes('/share-link')) {
    await database.query(
      `insert into share_links (project_id, kind, object, seed, token_hash, created_by, created_at, open, theme, origins)
       select $1, kind, 1000000, kind, kind, 1, '2026-01-01', false, 'system', '{}' from unnest('{dashboard,insight}'::text[]) kind
       on conflict do nothing`,
      [whole.project],
    );
  }
  if (path.includes(`/alerts/${alert}`)) {
    await database.query(
      `insert into alerts (id, project_id, created_by, language, name, subject, interval, condition, active, since, state, state_at,
                           revision, created_at, changed_at)
       values ($1, $2, 1, 'en', 'Visitors', '{"kind": "metric", "metric": "visitors"}', 'day', '{"kind": "above", "value": 1}', true,
               '2026-01-01', 'firing', '2026-01-01', 1, '2026-01-01', '2026-01-01')
       on conflict (id) do update set state = 'firing'`,
      [alert, whole.project],
    );
  }
  if (path.includes(`/dashboards/${dashboard}`)) {
    await database.query(
      `insert into dashboards (id, project_id, owner, name, description, tags, content, revision, created_at, changed_at)
       values ($1, $2, 1, 'Site', '', '{}', '{"version": 1, "tiles": []}', 1, '2026-01-01', '2026-01-01')
       on conflict do nothing`,
      [dashboard, whole.project],
    );
  }
  if (/\/(?:flags|experiments|early-access)/.test(path)) {
    await database.query(`delete from flags where key = 'posted'`);
    await database.query(
      `insert into flags (id, project_id, key, description, version, definition, created_at, changed_at)
       values ($1, $2, 'known', '', 1, $3, '2026-01-01', '2026-01-01') on conflict do nothing`,
      [flag, whole.project, JSON.stringify({ active: true, filters: { groups: [], multivariate: { variants } } })],
    );
  }
  if (path.includes('/experiments')) {
    await database.query('delete from experiments');
    if (path.includes(`/experiments/${experiment}`)) {
      await database.query(
        `insert into experiments (id, project_id, flag, name, hypothesis, definition, started_at, created_by, changed_at)
         values ($1, $2, $3, 'Known', '', $4, '2026-01-01', 1, '2026-01-01')`,
        [
          experiment,
          whole.project,
          flag,
          JSON.stringify({ goal: { kind: 'conversion', of: { event: 'purchase' } }, windowDays: 7 }),
        ],
      );
    }
  }
  if (path.includes('/early-access/')) {
    await database.query(
      `insert into early_access_features (project_id, flag, name, description, stage, created_at, changed_at)
       values ($1, $2, 'Known', '', 'beta', '2026-01-01', '2026-01-01') on conflict do nothing`,
      [whole.project, flag],
    );
  }
  if (path.includes('/groups')) {
    await database.query(
      `insert into group_types (project_id, type_index, name) values ($1, 0, 'company') on conflict do nothing`,
      [whole.project],
    );
    await database.query(
      `insert into groups (project_id, type_index, key, properties, created_at)
       values ($1, 0, 'acme', '{"name": "Acme"}', '2026-01-01') on conflict do nothing`,
      [whole.project],
    );
  }
  if (path.includes('/cohorts')) {
    await database.query(`delete from cohorts where name = 'Posted'`);
    await database.query(
      `insert into cohorts (id, project_id, created_by, name, description, people, computed_at, computed_ms, created_at, changed_at)
       values ($1, $2, 1, 'Known', '', '{}', '2026-01-01', 0, '2026-01-01', '2026-01-01') on conflict do nothing`,
      [cohort, whole.project],
    );
  }
  if (/\/issue(s|-moves)\/1000000/.test(path)) {
    await database.query(
      `with seen as (
         insert into issue_hours
           (project_id, issue, hour, distinct_id, session_id, release, fingerprint, events, last_ts, last_uuid)
         select project_id, $1, ts, distinct_id, 0, '', fingerprint, 1, ts, uuid
           from events, generate_series(0, 1) as fingerprint where uuid = $2 on conflict do nothing)
       insert into issues (id, project_id, type, message, culprit, status, level, unhandled, grouped_by, events, first_seen, last_seen,
                           resolved_fingerprint, fingerprints, created_at, changed_at)
       select id, project_id, 'TypeError', 'x is undefined', '', 'active', 'error', true, '{"by": "message", "parts": []}', 1, ts, ts,
              false, 0, ts, ts from events, generate_series($1::int, $1 + 1) as id where uuid = $2 on conflict do nothing`,
      [issue, uuids[0]],
    );
    const isMerged = path.includes('issue-moves');
    await database.query('update issues set merged_into = $1 where id = $2', [isMerged ? issue : null, issue + 1]);
    await database.query(
      `insert into issue_moves (id, project_id, kind, source, target, fingerprints, events, source_before, target_before, at, account)
       select $1, project_id, 'merged', $1 + 1, $1, '{}', 0, before, before, '2026-01-01', 1
         from issues, jsonb_build_object('firstSeen', 0, 'firstRelease', null) as before where id = $1
       on conflict (id) do update set undone_at = null`,
      [issue],
    );
  }
  if (path.includes(`/replays/${session}`)) {
    await database.query('delete from replay_sessions');
    await database.query('delete from replay_blocks');
    await storeRecording(database, { project: whole.project, session, distinctId: 'ana', at: ts, seconds: 9 });
  }
}

describe('answers', () => {
  it('say which events have never been received, and what was meant, in the own project only', async () => {
    const goalOf = async (event: string) => {
      const rule = { kind: 'event', event, filters: { match: 'all', of: [] } };
      const input = { project: String(whole.project), name: event, rule, amount: null };
      return (await calls.mutation(whole.owner, 'insights.goals.create', input).expect(200)).body.result.data.json.id;
    };
    const goal: number = await goalOf('purchse');
    const unknown = { event: 'purchse', goal: null, suggestions: ['purchase'] };
    const named = { event: 'purchse' };
    const askedFor: Record<string, object> = {
      trends: { series: [{ event: named }, { event: { goal } }] },
      funnel: { steps: [views, { any: [named, { event: 'purchase' }] }] },
      retention: { startEvent: views, returningEvent: named },
      lifecycle: { event: named },
      stickiness: { event: named },
      paths: { stepType: 'events', startPoint: 'purchse' },
    };
    for (const [kind, body] of Object.entries(askedFor)) {
      const { body: answer } = await request(whole.app)
        .post(`/api/v1/projects/${whole.project}/query/${kind}`)
        .set('Authorization', `Bearer ${key}`)
        .send({ range: 'last_7_days', ...body })
        .expect(200);
      expect([kind, answer.caveats]).toEqual([kind, ['unknownEvents']]);
      expect(answer.unknownEvents[0]).toEqual({
        ...unknown,
        message: 'No event with this name has been received. Did you mean “purchase”?',
      });
      expect(answer.unknownEvents).toHaveLength(kind === 'trends' ? 2 : 1);
    }
    const people = encodeURIComponent(JSON.stringify({ match: 'all', of: [{ did: named }] }));
    for (const path of ['overview?', 'breakdown?dimension=page&', 'heatmap?', 'vitals?', 'goals?', 'movers?']) {
      const { body: answer } = await get(`query/${path}people=${people}`).expect(200);
      expect([path, answer.caveats.at(-1)]).toEqual([path, 'unknownEvents']);
      expect(answer.unknownEvents[0]).toMatchObject(unknown);
      expect(answer.unknownEvents).toHaveLength(path === 'goals?' ? 2 : 1);
    }
    const ofGoal = (await get(`query/overview?goal=${goal}`).expect(200)).body;
    expect(ofGoal.unknownEvents).toMatchObject([{ ...unknown, goal: { id: goal, name: 'purchse' } }]);
    expect((await get('events?event=purchse').expect(200)).body.unknownEvents).toMatchObject([unknown]);
    expect((await get('events?event=purchase').expect(200)).body.unknownEvents).toEqual([]);
    await calls.mutation(whole.owner, 'insights.goals.remove', { project: String(whole.project), goal }).expect(200);

    const input = { team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 };
    const made = await calls.mutation(whole.owner, 'projects.create', input).expect(200);
    const asked = { project: String(made.body.result.data.json.id), events: [named] };
    const { body } = await calls.query(whole.owner, 'insights.unknownEvents', asked).expect(200);
    expect(body.result.data.json).toEqual([{ ...unknown, suggestions: [] }]);
  });

  it('are what the schemas say, and nothing else', async () => {
    for (const [index, address] of addresses().entries()) {
      const { body, headers, status } = await askFor(address);
      expect([address.id, status]).toEqual([address.id, 200]);
      expect(body).toEqual(operations[index]?.answer.parse(body));
      expect(headers).toMatchObject({
        'luneta-version': '1',
        'cache-control': 'private, no-store',
        'ratelimit-limit': '240',
      });
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(JSON.stringify(body)).not.toMatch(/lnk_|lnt_|hash|password|token/);
    }
  });

  it('are files where they are asked for: tables, and charts of what can be saved', async () => {
    const ask = (kind: string, query: string) =>
      request(whole.app)
        .post(`/api/v1/projects/${whole.project}/query/${kind}?${query}`)
        .set('Authorization', `Bearer ${key}`)
        .send(queries[`query${kind[0]?.toUpperCase()}${kind.slice(1)}`] ?? {})
        .buffer(true)
        .parse((res, done) => {
          const pieces: Buffer[] = [];
          res.on('data', (piece: Buffer) => pieces.push(piece)).on('end', () => done(null, Buffer.concat(pieces)));
        });
    for (const kind of ['trends', 'funnel', 'retention', 'paths', 'lifecycle', 'stickiness']) {
      const svg = await ask(kind, 'format=svg&language=pt-BR&theme=dark').expect(200);
      expect([kind, svg.headers['content-type']]).toEqual([kind, 'image/svg+xml']);
      expect(String(svg.body)).toMatch(/^<svg xmlns=.*<\/svg>$/s);
      const csv = await ask(kind, 'format=csv').expect(200);
      expect([kind, csv.headers['content-type']]).toEqual([kind, 'text/csv; charset=utf-8']);
      expect([kind, String(csv.body).split('\n').length > 1]).toEqual([kind, true]);
    }
    const xlsx = await ask('trends', 'format=xlsx').expect(200);
    expect(xlsx.body.subarray(0, 2).toString()).toBe('PK');
    expect(xlsx.headers['content-disposition']).toBe('attachment; filename="trends.xlsx"');
    await ask('trends', 'format=png').expect(400);
    await get('query/heatmap?range=last_7_days&format=svg').expect(400);
    expect((await get('query/heatmap?range=last_7_days&format=csv').expect(200)).text).toContain('weekday,hour');

    await askFor({ id: 'createInsight', method: 'post', path: `/api/v1/projects/${whole.project}/insights` });
    const [saved] = (await get('insights').expect(200)).body.insights;
    const chart = await get(`insights/${saved.id}/result?format=svg`).expect(200);
    expect(String(chart.body)).toContain(saved.name);
  });

  it('have the same address without a version', async () => {
    const { body } = await ask(`/api/projects/${whole.project}`).expect(200);
    expect(body).toEqual((await ask(`/api/v1/projects/${whole.project}`).expect(200)).body);
    expect((await ask('/api/projects').expect(200)).body.projects).toContainEqual(body);
  });

  it('give events page by page, each once, the newest first', async () => {
    const seen: { ts: number; uuid: string }[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { body }: Response = await get(`events?limit=3${next && `&after=${next}`}`).expect(200);
      expect(body.events.length).toBeLessThanOrEqual(3);
      seen.push(...body.events);
      next = body.next;
    }
    expect(seen.map(({ uuid }) => uuid)).toEqual([...uuids].sort((a, b) => timeOf(b) - timeOf(a) || (a < b ? 1 : -1)));
  });

  it('filter events', async () => {
    const cases: [string, number][] = [
      ['event=purchase', 1],
      ['event=nothing', 0],
      [`from=${ts + 1000}`, 3],
      [`to=${new Date(ts + 1000).toISOString()}`, 4],
      [`from=${ts}&to=${ts + 2000}&event=$pageview`, 6],
      ['distinctId=ana', 4],
      ['distinctId=nobody', 0],
      [`person=${person}`, 4],
      [`person=${person}&distinctId=bia`, 0],
    ];
    for (const [query, events] of cases) {
      const { body } = await get(`events?${query}`).expect(200);
      expect([query, body.events.length]).toEqual([query, events]);
    }
  });

  /** Without the moment at which a range that goes on was asked for. */
  const untimed = (answer: object) =>
    JSON.parse(JSON.stringify(answer, (key, value) => (key === 'until' ? undefined : value)));

  /** What the public API says of the same question. */
  const asAnswered = (screen: object) => untimed({ caveats: [], waitingEvents: 0, unknownEvents: [], ...screen });

  it('hold the same numbers as the screens', async () => {
    const question = { range: 'last_7_days', compare: 'previous' };
    const query = new URLSearchParams(question).toString();
    const overview = await calls.query(whole.owner, 'insights.query.overview', {
      project: String(whole.project),
      ...question,
    });
    expect(overview.body.result.data.json.metrics.views.value).toBe(6);
    expect(untimed((await get(`query/overview?${query}`).expect(200)).body)).toEqual(
      asAnswered(overview.body.result.data.json),
    );
    const input = { project: String(whole.project), ...question, dimension: 'page', limit: 2 };
    const table = await calls.query(whole.owner, 'insights.query.breakdown', input);
    expect(untimed((await get(`query/breakdown?${query}&dimension=page&limit=2`).expect(200)).body)).toEqual(
      asAnswered(table.body.result.data.json),
    );
    expect(table.body.result.data.json.rows).toHaveLength(2);
    const asked7 = { project: input.project, range: 'last_7_days' };
    const hours = await calls.query(whole.owner, 'insights.query.heatmap', asked7);
    expect(hours.body.result.data.json.views.flat().reduce((sum: number, views: number) => sum + views)).toBe(6);
    expect(untimed((await get('query/heatmap?range=last_7_days').expect(200)).body)).toEqual(
      asAnswered(hours.body.result.data.json),
    );
    const vitals = await calls.query(whole.owner, 'insights.query.vitals', { ...asked7, vital: 'CLS', limit: 5 });
    expect(untimed((await get('query/vitals?range=last_7_days&vital=CLS&limit=5').expect(200)).body)).toEqual(
      asAnswered(vitals.body.result.data.json),
    );
    const dates = { from: '2026-01-01', to: '2026-01-05' };
    const compared = { project: input.project, range: 'last_7_days', compare: dates };
    const other = await calls.query(whole.owner, 'insights.query.overview', compared);
    const given = `range=last_7_days&compareFrom=${dates.from}&compareTo=${dates.to}`;
    expect(other.body.result.data.json.comparison).toMatchObject({ fromDate: dates.from, toDate: dates.to });
    expect(untimed((await get(`query/overview?${given}`).expect(200)).body)).toEqual(
      asAnswered(other.body.result.data.json),
    );
    const filters = { match: 'all', of: [{ about: 'event', name: '$pathname', operator: 'equals', values: ['/1'] }] };
    const some = await calls.query(whole.owner, 'insights.query.overview', {
      project: input.project,
      ...question,
      filters,
    });
    expect(some.body.result.data.json.metrics.views.value).toBe(2);
    const asked = `query/overview?${query}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
    expect(untimed((await get(asked).expect(200)).body)).toEqual(asAnswered(some.body.result.data.json));
  });

  it('join the lists of a segment with those of a question, as deep as they lie', async () => {
    const is = (name: string, value: string) => ({ about: 'event', name, operator: 'equals', values: [value] });
    const filters = {
      match: 'any',
      of: [is('$pathname', '/1'), { match: 'all', of: [is('$pathname', '/2'), is('$host', 'shop.example')] }],
    };
    const made = await calls
      .mutation(whole.owner, 'insights.segments.save', {
        project: String(whole.project),
        name: 'Deep',
        shared: true,
        filters,
      })
      .expect(200);
    const segment: number = made.body.result.data.json.id;
    const asked = (path: string) => request(whole.app).post(`/api/v1/projects/${whole.project}/query/${path}`);
    const trend = async (over: object) => {
      const question = { range: 'last_7_days', series: [{ event: views, measure: 'events' }], ...over };
      const { body } = await asked('trends').set('Authorization', `Bearer ${key}`).send(question).expect(200);
      return body.series[0].rows[0].total;
    };
    const own = { match: 'all', of: [is('$pathname', '/1')] };
    expect([await trend({}), await trend({ segment }), await trend({ segment, filters: own })]).toEqual([6, 4, 2]);
    const none = { range: 'last_7_days', series: [{ event: views }], segment: 999_999 };
    await asked('trends').set('Authorization', `Bearer ${key}`).send(none).expect(404);
  });

  it('say what is wrong with an address', async () => {
    const cases: [string, string][] = [
      ['events?limit=0', 'limit'],
      ['events?limit=1001', 'limit'],
      ['events?limit=1&limit=2', 'limit'],
      ['events?evnet=x', 'evnet'],
      ['events?from=yesterday', 'from'],
      ["events?person='", 'person'],
      ['events?after=1', 'after'],
      ['events?after=99999999999999999.x', 'after'],
      [`events?after=-999999999999999.${uuids[0]}`, 'after'],
      [`events?after=999999999999999.${uuids[0]}`, 'after'],
      ['events/0/none', 'uuid'],
      ['persons?after=x', 'after'],
      ['persons/none', 'uuid'],
      ['query/overview?from=2026-01-01', 'to'],
      ['query/overview?range=today&from=2026-01-01&to=2026-01-02', 'range'],
      ['query/overview?range=ever', 'range'],
      ['query/overview?compareTo=2026-01-01', 'compareFrom'],
      ['query/overview?compare=year&compareFrom=2026-01-01&compareTo=2026-01-02', 'compare'],
      ['query/heatmap?compare=year', 'compare'],
      ['query/vitals?vital=TTFB', 'vital'],
      ['query/breakdown', 'dimension'],
      ['query/overview?filters={', 'filters'],
      ['query/overview?filters={"match":"none","of":[]}', 'filters'],
      ...['\\ud83d', '\\u0000'].map((name) => {
        const condition = `{"about":"event","name":"${name}","operator":"isSet"}`;
        return [`query/overview?filters={"match":"all","of":[${condition}]}`, 'filters'] as [string, string];
      }),
    ];
    for (const [path, field] of cases) {
      const { body } = await get(path).expect(400);
      expect([path, body.error.code, body.error.field]).toEqual([path, 'invalid', field]);
    }
    const missing = [`events/${ts}/${uuidV7(ts)}`, `persons/${uuidV7(ts)}`, 'nothing', 'query/everything'];
    for (const path of missing) expect((await get(path).expect(404)).body.error.code).toBe('not_found');
  });

  it('leave nobody in the log', () => {
    expect(whole.lines.filter((line) => line.includes('/persons')).length).toBeGreaterThan(0);
    expect(whole.lines.filter((line) => /ana@shop/i.test(line))).toEqual([]);
  });

  it('take text as text', async () => {
    for (const text of ["' or 1=1 --", '%', '\\', '"; drop table events', '$1', '?', ':a', 'é'.repeat(300)]) {
      const value = encodeURIComponent(text);
      expect((await get(`events?event=${value}`).expect(200)).body.events).toEqual([]);
      expect((await get(`persons?search=${value}`).expect(200)).body.persons).toEqual([]);
      expect((await get(`events?distinctId=${value}`).expect(200)).body.events).toEqual([]);
    }
    await get('events?event=%00').expect(400);
    await get('persons?search=%00').expect(400);
  });

  it('list events with uuids of any version', async () => {
    const uuid = '0a1b2c3d-0000-0000-0000-00000000000f';
    const event = { uuid, event: 'odd', distinct_id: 'caio', timestamp: new Date(ts).toISOString(), properties: {} };
    const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
      whole.project,
    ]);
    await request(whole.app)
      .post('/ingest/batch/')
      .send({ api_key: row?.token, batch: [event] })
      .expect(200);
    expect((await get('events?event=odd').expect(200)).body.events).toMatchObject([{ uuid }]);
    expect((await get(`events/${ts}/${uuid}`).expect(200)).body).toMatchObject({ uuid, event: 'odd' });
  });
});

describe('rights', () => {
  it('come with a key only: no cookie, no query, no other scheme', async () => {
    for (const { method, path } of addresses()) {
      await forgetRates();
      const asked = () => request(whole.app)[method](path);
      const without = [
        asked(),
        asked().set('Cookie', whole.owner).set('Sec-Fetch-Site', 'same-origin'),
        asked().set('Authorization', `Basic ${key}`),
        asked().set('Authorization', `Bearer ${'lnk_'.padEnd(44, 'x')}`),
        asked().set('Authorization', `Bearer ${key}x`),
      ];
      for (const asked of without) {
        const { body, headers } = await asked.expect(401);
        expect(body.error.code).toBe('unauthenticated');
        expect(headers['www-authenticate']).toBe('Bearer');
      }
    }
    await forgetRates();
  });

  it.each([
    ['', /^Missing API key/],
    ['Bearer', /^Missing API key/],
    ['Bearer lnt_abc', /^This is a project token/],
    ['Bearer lnk_wrong', /^Invalid API key/],
    [`Bearer ${'lnk_'.padEnd(44, 'x')}`, /^Unknown API key/],
  ])('say what is wrong with the header "%s"', async (header, message) => {
    await forgetRates();
    const { body } = await request(whole.app).get('/api/v1/projects').set('Authorization', header).expect(401);
    expect(body.error.message).toMatch(message);
  });

  it('never exceed the role of the owner of the key, as it is now', async () => {
    const { team, owner } = whole;
    const member = await joinTeam(whole, { team, role: 'member', name: 'Rui', cookie: owner });
    const of = await newKey(member.cookie);
    await expectStatuses(of, ({ minRole }) => (minRole === 'admin' ? 403 : 200));
    await calls.mutation(owner, 'accounts.teams.changeRole', { team, user: member.id, role: 'viewer' });
    await database.query("update members set role = 'viewer' where user_id = $1", [member.id]);
    await expectStatuses(of, ({ minRole }) => (minRole === 'viewer' ? 200 : 403));
    const refused = await database.query(
      "select details, project_id from audit where action = 'access.refused' and user_id = $1",
      [member.id],
    );
    expect(refused).toContainEqual({ details: { what: 'api.listEvents' }, project_id: whole.project });
    await database.query('delete from members where user_id = $1', [member.id]);
    await expectStatuses(of, ({ path }) => (path.includes(':project') ? 404 : 200));
    await database.query('update users set disabled_at = $2 where id = $1', [member.id, new Date(ts)]);
    await expectStatuses(of, () => 401);
  });

  it('are those of the scopes', async () => {
    for (const scope of keyScopes) {
      const of = await newKey(whole.owner, { scopes: [scope] });
      const isEnough = (each: (typeof operations)[number]) => each.scope === scope && each.alsoNeeds === undefined;
      await expectStatuses(of, (each) => (isEnough(each) ? 200 : 403));
    }
  });

  it('lead from a cohort to its people, in the own project only', async () => {
    const builtIn = whole.parts.ownProject()?.id as number;
    const cohorts = (path = '', of = whole.project) => `/api/v1/projects/${of}/cohorts${path}`;
    const send = (method: 'post' | 'patch', path: string, body: object) =>
      request(whole.app)[method](path).set('Authorization', `Bearer ${key}`).send(body);
    const did = { match: 'all', of: [{ did: views }] };
    const made = (await send('post', cohorts(), { name: 'Viewers', conditions: did }).expect(200)).body;
    expect(made).toMatchObject({ name: 'Viewers', conditions: did, sizes: [{ size: made.size }] });
    expect(made.size).toBeGreaterThan(0);
    const { people } = (await ask(cohorts(`/${made.id}/people`)).expect(200)).body;
    expect(people).toHaveLength(Math.min(made.size, 50));
    expect(
      (await send('patch', cohorts(`/${made.id}`), { name: 'Readers' }).expect(200)).body.conditions,
    ).toMatchObject(did);
    const circle = { match: 'all', of: [{ has: { name: '$cohort', operator: 'equals', values: ['Readers'] } }] };
    const refused = await send('patch', cohorts(`/${made.id}`), { conditions: circle }).expect(400);
    expect(refused.body.error.field).toBe('conditions');
    await send('post', cohorts(), { name: 'Both', conditions: did, members: ['d1'] }).expect(400);
    await send('post', cohorts(), { name: 'Bad', conditions: { match: 'all', of: [{ did: 1 }] } }).expect(400);
    const unknown = { match: 'all', of: [{ did: views, tims: 2 }] };
    const named = await send('post', cohorts(), { name: 'Bad', conditions: unknown }).expect(400);
    expect(named.body.error.field).toBe('conditions.of.0.tims');
    const query = { range: 'last_7_days', series: [{ event: views }], peple: {} };
    const wrong = { name: 'Bad', definition: { kind: 'trends', query } };
    expect((await send('post', `/api/v1/projects/${whole.project}/insights`, wrong)).body.error.field).toBe(
      'query.peple',
    );
    const members = [
      people[0].distinctId,
      ...Array.from({ length: 4_000 }, (_, at) => `nobody ${at} ${'.'.repeat(80)}`),
    ];
    const fixed = (await send('post', cohorts(), { name: 'Fixed', members }).expect(200)).body;
    expect(fixed.list).toMatchObject({ given: 4_001, matched: 1 });
    expect(fixed.list.notFound).toHaveLength(100);
    expect(made.list).toBeNull();
    for (const path of ['', '/people']) await ask(cohorts(`/${made.id}${path}`, builtIn)).expect(404);
    await send('patch', cohorts(`/${made.id}`, builtIn), { name: 'Elsewhere' }).expect(404);
    const gone = request(whole.app)
      .delete(cohorts(`/${made.id}`, builtIn))
      .set('Authorization', `Bearer ${key}`);
    await gone.expect(404);
    await ask(cohorts(`/${made.id}`)).expect(200);
  });

  it('lead to flags: what is changed by a key is what visitors get, in the own project only', async () => {
    const flags = (path = '', of = whole.project) => `/api/v1/projects/${of}/flags${path}`;
    const send = (method: 'post' | 'patch' | 'delete', path: string, body: object = {}) =>
      request(whole.app)[method](path).set('Authorization', `Bearer ${key}`).send(body);
    const values = async () => (await ask(flags('/bootstrap?distinctId=ana')).expect(200)).body;
    /** Other processes and this one hear of a change within a second. */
    const versionNow = async () => {
      const project = whole.parts.rooms.projects.byRef(String(whole.project));
      const { list } = await whole.parts.rooms.flags.answer(
        (await project) as NonNullable<Awaited<typeof project>>,
        readFlagRequest({ distinct_id: 'ana' }, true),
      );
      const found = list.find((each) => each.key === 'checkout');
      return found && JSON.parse(`{${String(found.member).slice(1)}}`).checkout.metadata.version;
    };
    const definition = { active: true, filters: { groups: [{}], payloads: { true: '{"price":1}' } } };
    const made = (await send('post', flags(), { key: 'checkout', definition }).expect(200)).body;
    await until(async () => (await versionNow()) === made.version);
    expect(await values()).toEqual({
      distinctID: 'ana',
      featureFlags: expect.objectContaining({ checkout: true }),
      featureFlagPayloads: { checkout: { price: 1 } },
    });

    const one = flags(`/${made.id}`);
    const unknown = { active: true, filters: { groups: [{ variant: 'blue' }] } };
    expect((await send('patch', one, { definition: unknown }).expect(400)).body.error.field).toBe(
      'filters.groups.0.variant',
    );
    await send('patch', one, { active: false, definition }).expect(400);
    await send('patch', one, { description: 'Late', version: made.version + 1 }).expect(409);
    const off = (await send('patch', one, { active: false, note: 'Fails on Safari' }).expect(200)).body;
    expect(off).toMatchObject({ version: made.version + 1, definition: { active: false } });
    await until(async () => (await versionNow()) === off.version);
    expect((await values()).featureFlags).toMatchObject({ checkout: false });
    const input = { project: String(whole.project), flag: made.id };
    const { body } = await calls.query(whole.owner, 'flags.history', input).expect(200);
    expect(body.result.data.json[0]).toMatchObject({ note: 'Fails on Safari', by: { name: expect.any(String) } });

    const elsewhere = flags(`/${made.id}`, whole.parts.ownProject()?.id);
    await ask(elsewhere).expect(404);
    await send('patch', elsewhere, { active: true }).expect(404);
    await send('delete', elsewhere).expect(404);
    await send('delete', one).expect(200);
    await ask(one).expect(404);
  });

  it('end at the chosen projects; another one is as good as none', async () => {
    const builtIn = whole.parts.ownProject()?.id as number;
    const of = await newKey(whole.owner, { projects: [builtIn] });
    expect((await ask('/api/v1/projects', of).expect(200)).body.projects).toMatchObject([{ id: builtIn }]);
    await ask(`/api/v1/projects/${builtIn}`, of).expect(200);
    const answers = await Promise.all(
      [whole.project, 999_999].map(
        async (id) => (await ask(`/api/v1/projects/${id}/events`, of).expect(404)).body.error,
      ),
    );
    expect(answers[0].message).toBe(answers[1].message);
  });

  it('end with another team', async () => {
    const [team] = await database.query<{ id: number }>(
      "insert into teams (name, created_at) values ('B', '2026-01-01') returning id",
    );
    const b = await joinTeam(whole, { team: whole.team, role: 'member', name: 'Bento', cookie: whole.owner });
    await database.query('update members set team_id = $1 where user_id = $2', [team?.id, b.id]);
    const of = await newKey(b.cookie);
    const answers = await Promise.all(
      [whole.project, 999_999].map(async (id) => (await ask(`/api/v1/projects/${id}/events`, of)).body.error),
    );
    expect(answers.map(({ code, message }) => [code, message])).toEqual([
      ['not_found', answers[0].message],
      ['not_found', answers[0].message],
    ]);
    await calls.mutation(b.cookie, 'projects.apiKeys.create', { ...everything, projects: [whole.project] }).expect(400);
  });

  it('are for reading, but for notes', async () => {
    const notes = `/api/v1/projects/${whole.project}/annotations`;
    expect((await request(whole.app).put(notes).expect(405)).headers['allow']).toBe('GET, HEAD, POST');
    expect((await ask(`${notes}/1`).expect(405)).headers['allow']).toBe('PATCH, DELETE');
    for (const method of ['post', 'options'] as const) {
      const { headers } = await request(whole.app)
        [method]('/api/v1/projects')
        .set('Origin', 'https://evil.example')
        .expect(405);
      expect(headers['allow']).toBe('GET, HEAD');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  /** All operations, several times: more than a key may ask, or a network address be refused, in a minute. */
  const forgetRates = () => database.query('delete from rate_limits');

  /** What is refused for its rights need not be there. */
  async function expectStatuses(
    of: string,
    expected: (operation: (typeof operations)[number]) => number,
  ): Promise<void> {
    await forgetRates();
    const wanted = operations.map(expected);
    const all: number[] = [];
    for (const [at, address] of addresses().entries()) {
      if (wanted[at] === 200 || wanted[at] === 404) await putThere(address);
      all.push((await send(address, of)).status);
    }
    expect(all).toEqual(wanted);
  }
});

describe('keys', () => {
  it('are shown once, stored as a hash, and end when they are revoked or expire', async () => {
    const made = await newKey(whole.owner, { name: 'Sheet', days: 'month' });
    expect(made).toMatch(/^lnk_[0-9A-Za-z]{40}$/);
    const list = await calls.query(whole.owner, 'projects.apiKeys.list').expect(200);
    const [row] = list.body.result.data.json;
    expect(row).toMatchObject({ name: 'Sheet', hint: made.slice(0, 8), lastUsedAt: null });
    expect(JSON.stringify(list.body)).not.toContain(made);
    const stored = await database.query<{ text: string }>('select api_keys::text as text from api_keys');
    expect(stored.map(({ text }) => text).join()).not.toContain(made.slice(8));
    expect(whole.lines.join('\n')).not.toContain(made);

    await ask('/api/v1/projects', made).expect(200);
    const [used] = (await calls.query(whole.owner, 'projects.apiKeys.list')).body.result.data.json;
    expect(Date.now() - used.lastUsedAt).toBeLessThan(60_000);
    await database.query("update api_keys set expires_at = now() - interval '1 s' where id = $1", [row.id]);
    await ask('/api/v1/projects', made).expect(401);
    await database.query('update api_keys set expires_at = null where id = $1', [row.id]);
    await ask('/api/v1/projects', made).expect(200);
    await calls.mutation(whole.owner, 'projects.apiKeys.revoke', { id: row.id }).expect(200);
    await ask('/api/v1/projects', made).expect(401);
    const audit = await database.query(
      "select action, details from audit where action like 'key.%' order by id desc limit 2",
    );
    expect(audit).toEqual([
      { action: 'key.revoked', details: { name: 'Sheet' } },
      { action: 'key.created', details: { name: 'Sheet', scopes: [...keyScopes] } },
    ]);
  });

  it('are their own person’s only', async () => {
    const other = await joinTeam(whole, { team: whole.team, role: 'owner', name: 'Caio', cookie: whole.owner }).catch(
      () => joinTeam(whole, { team: whole.team, role: 'admin', name: 'Davi', cookie: whole.owner }),
    );
    const [{ id }] = (await calls.query(whole.owner, 'projects.apiKeys.list')).body.result.data.json;
    expect((await calls.query(other.cookie, 'projects.apiKeys.list')).body.result.data.json).toEqual([]);
    await calls.mutation(other.cookie, 'projects.apiKeys.revoke', { id }).expect(404);
    await ask('/api/v1/projects').expect(200);
  });

  it('are limited to 240 requests a minute', async () => {
    const of = await newKey(whole.owner);
    const answers: number[] = [];
    for (let sent = 0; sent < 241; sent++) answers.push((await ask('/api/v1/projects', of)).status);
    expect(answers).toEqual([...Array(240).fill(200), 429]);
    const { headers, body } = await ask('/api/v1/projects', of).expect(429);
    expect(headers).toMatchObject({ 'ratelimit-remaining': '0', 'retry-after': expect.stringMatching(/^\d+$/) });
    expect(body.error.code).toBe('rate_limited');
    await ask('/api/v1/projects').expect(200);
  }, 60_000);
});

describe('the description', () => {
  it('has every route, its parameters, and its answer', async () => {
    const { body } = await request(whole.app).get('/api/openapi.json').expect(200);
    expect(body.openapi).toBe('3.1.0');
    const paths = operations.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
    expect(Object.keys(body.paths)).toEqual([...new Set(paths)]);
    for (const [index, operation] of operations.entries()) {
      const described = body.paths[paths[index] as string][operation.method ?? 'get'];
      const names = [...Object.keys(operation.params.shape), ...Object.keys(operation.query.shape)];
      expect(described.operationId).toBe(operation.id);
      expect(described.parameters?.map(({ name }: { name: string }) => name) ?? []).toEqual(
        expect.arrayContaining(names),
      );
      const { $ref } = described.responses[200].content['application/json'].schema;
      expect(body.components.schemas[$ref.split('/').at(-1)].type).toBe('object');
    }
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.filter((name) => !((name as string) in body.components.schemas))).toEqual([]);
  });

  it('is described in a document with working examples', async () => {
    const server: Server = whole.app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const examples = [...readFileSync('docs/api.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
      ([, text = '']) => text,
    );
    expect(examples.length).toBeGreaterThan(6);
    await askFor({ id: 'createDashboardShareLink', method: 'get', path: `/dashboards/${dashboard}` });
    try {
      for (const example of examples) {
        const env = {
          PATH: process.env['PATH'],
          KEY: key,
          LUNETA: `http://127.0.0.1:${port}`,
          PROJECT: String(whole.project),
          DASHBOARD: String(dashboard),
        };
        const { stdout } = await promisify(execFile)('sh', ['-ec', example.replaceAll('PERSON', person)], { env });
        expect([example, JSON.parse(stdout).error]).toEqual([example, undefined]);
      }
    } finally {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    }
  });
});

function timeOf(uuid: string): number {
  return ts + (uuids.indexOf(uuid) % 2) * 1000;
}
