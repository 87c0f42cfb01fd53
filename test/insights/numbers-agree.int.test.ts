/**
 * One history, asked in every way there is: the screen as the server draws it, the calls of the browser, the REST API, the table as a file;
 * and its raw events, taken out as a file and counted by the plain script below. All say the same.
 */
import request from 'supertest';
import { type Breakdown, breakdownDimensions, type Overview } from '#src/insights/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf } from '#test/kit/people.ts';
import type { TEST_TEAM } from '#test/kit/reader.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { en } from '#views/words/en.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const dayMs = 86_400_000;
const day = (back: number): string => new Date(Date.now() - back * dayMs).toISOString().slice(0, 10);
const range = { from: day(4), to: day(2) };
let project: Project;
let key = '';

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function history(): object[] {
  const pick = numbers(7);
  const events: object[] = [];
  for (let visit = 0; visit < 120; visit++) {
    let ts = Date.parse(`${day(5)}T18:00:00Z`) + pick(4 * 24 * 60) * 60_000;
    const session = uuidV7(ts);
    const browser = `browser ${pick(25)}`;
    const domain = ['$direct', 'wa.me', 'blog.example', 'www.google.com'][pick(4)];
    for (let step = pick(5); step >= 0; step--) {
      const event = ['$pageview', '$pageview', '$pageview', '$autocapture', 'order', '$identify'][pick(6)] as string;
      const path = ['/', '/a', '/b', '/c/d', '/é "x", y'][pick(5)];
      const isIdentify = event === '$identify';
      events.push({
        ...{ event, distinct_id: isIdentify ? `user of ${browser}` : browser, uuid: uuidV7(ts) },
        timestamp: new Date(ts).toISOString(),
        properties: {
          ...{
            $session_id: session,
            $host: 'shop.example',
            $current_url: `https://shop.example${path}`,
            $pathname: path,
          },
          ...{ $referring_domain: domain, $referrer: domain === '$direct' ? domain : `https://${domain}/` },
          ...(isIdentify ? { $anon_distinct_id: browser } : {}),
        },
      });
      ts += [2_000, 9_000, 30_000, 200_000][pick(4)] as number;
    }
  }
  return events;
}

beforeAll(async () => {
  const teamId = whole.team as typeof TEST_TEAM;
  project = await whole.parts.rooms.projects.create({ name: 'agree', timeZone: 'America/Sao_Paulo', teamId });
  const batch = history();
  for (let at = 0; at < batch.length; at += 40) {
    const some = batch.slice(at, at + 40);
    await request(whole.app).post('/ingest/batch/').send({ api_key: project.token, batch: some }).expect(200);
  }
  const input = { name: 'agree', scopes: [...keyScopes], projects: null, days: 'never' };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.apiKeys.create', input).expect(200);
  key = made.body.result.data.json.key;
}, 60_000);

async function asked<Answer>(path: string, more: object): Promise<Answer> {
  const input = { project: String(project.id), range, compare: 'none', ...more };
  return (await callsOf(whole).query(whole.owner, path, input).expect(200)).body.result.data.json;
}

async function byKey(path: string) {
  const { body } = await request(whole.app)
    .get(`/api/v1/projects/${project.id}/query/${path}from=${range.from}&to=${range.to}&compare=none`)
    .set('Authorization', `Bearer ${key}`)
    .expect(200);
  return body;
}

async function page(path: string): Promise<string> {
  const { text } = await request(whole.app)
    .get(`/project/${project.id}/${path}`)
    .set('Cookie', whole.owner)
    .set('Accept-Language', 'en')
    .expect(200);
  return text;
}

interface Exported {
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, string | undefined>;
}

/** What the definitions say, of a list of events and nothing else. */
function counted(all: Exported[]) {
  const local = ({ timestamp }: Exported): string =>
    new Date(Date.parse(timestamp) - 3 * 3_600_000).toISOString().slice(0, 10);
  const within = (event: Exported): boolean => local(event) >= range.from && local(event) <= range.to;
  const users = new Map(
    all
      .filter(({ event }) => event === '$identify')
      .map((each) => [each.properties['$anon_distinct_id'], each.distinct_id]),
  );
  const views = all.filter(({ event }) => event === '$pageview');
  const person = ({ distinct_id }: Exported): string => users.get(distinct_id) ?? distinct_id;
  const visits = Object.values(Object.groupBy(all, ({ properties }) => properties['$session_id'] ?? ''))
    .map((events) => (events ?? []).toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp)))
    .filter((events) => events.some(({ event }) => event === '$pageview') && within(events[0] as Exported))
    .map((events) => {
      const ms = Date.parse(events.at(-1)?.timestamp ?? '') - Date.parse(events[0]?.timestamp ?? '');
      const done = events.filter(({ event }) => event === '$pageview' || event === '$autocapture').length;
      return {
        ms,
        isBounce: done === 1 && ms < 10_000,
        views: events.filter(({ event }) => event === '$pageview').length,
      };
    });
  const seen = views.filter(within);
  const sum = (figure: (visit: (typeof visits)[number]) => number): number =>
    visits.reduce((total, visit) => total + figure(visit), 0);
  return {
    visitors: new Set(seen.map(person)).size,
    visits: visits.length,
    views: seen.length,
    viewsPerVisit: sum((visit) => visit.views) / visits.length,
    bounceRate: visits.filter(({ isBounce }) => isBounce).length / visits.length,
    visitDuration: sum(({ ms }) => ms) / 1000 / visits.length,
    pages: Object.fromEntries(
      Object.entries(Object.groupBy(seen, ({ properties }) => properties['$pathname'] ?? '')).map(
        ([path, own = []]) => [path, [new Set(own.map(person)).size, own.length]],
      ),
    ),
  };
}

async function exported(): Promise<Exported[]> {
  const { text } = await request(whole.app)
    .get(`/project/${project.id}/events/export?format=ndjson&from=${day(6)}&to=${day(0)}`)
    .set('Cookie', whole.owner)
    .buffer(true)
    .parse((answer, done) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => done(null, Buffer.concat(pieces).toString()));
    })
    .expect(200)
    .then(({ body }) => ({ text: body as string }));
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('shows the figures that a script counts in the raw events', async () => {
  const all = await exported();
  expect(all).toHaveLength(history().length);
  const { pages, ...figures } = counted(all);
  const { metrics } = await asked<Overview>('insights.overview', {});
  expect(figures.visits).toBeGreaterThan(50);
  for (const [name, value] of Object.entries(figures)) {
    const { value: shown } = metrics[name as keyof Overview['metrics']];
    expect([name, shown?.toFixed(9)]).toEqual([name, value.toFixed(9)]);
  }
  const { rows } = await asked<Breakdown>('insights.breakdown', { dimension: 'page' });
  expect(Object.fromEntries(rows.map(([path, visitors, count]) => [path, [visitors, count]]))).toEqual(pages);
});

it('says the same by the API', async () => {
  const { metrics, series } = await asked<Overview>('insights.overview', {});
  expect(await byKey('overview?')).toMatchObject({ metrics, series });
  for (const dimension of breakdownDimensions) {
    const { rows, total, others } = await asked<Breakdown>('insights.breakdown', { dimension, limit: 1000 });
    expect(await byKey(`breakdown?dimension=${dimension}&limit=1000&`)).toMatchObject({ rows, total, others });
  }
});

it('draws the same on the server', async () => {
  const { metrics } = await asked<Overview>('insights.overview', {});
  const html = await page(`overview?from=${range.from}&to=${range.to}&compare=none`);
  const text = html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ');
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain(` ${en.metrics.visitors} ${metrics.visitors.value} `);
  expect(words).toContain(` ${en.metrics.visits} ${metrics.visits.value} `);
  expect(words).toContain(` ${en.metrics.views} ${metrics.views.value} `);
  expect(words).toContain(` ${metrics.bounceRate.parts?.numerator} of ${metrics.bounceRate.parts?.denominator} `);
  const { rows } = await asked<Breakdown>('insights.breakdown', { dimension: 'channel' });
  for (const [channel, , count] of rows) expect(words).toContain(` ${channel} ${count} `);
});

it('writes the same into files', async () => {
  for (const dimension of ['page', 'entryPage', 'referringDomain', 'event']) {
    const csv = await page(`overview/table.csv?details=${dimension}&from=${range.from}&to=${range.to}&compare=none`);
    const { rows } = await asked<Breakdown>('insights.breakdown', { dimension, limit: 1000 });
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength(rows.length);
    for (const [value, visitors, count] of rows) {
      const cell = /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
      expect(lines).toContainEqual(expect.stringContaining(`${cell},${visitors},${count},`));
    }
  }
});
