/** Viewers see numbers, and nothing of persons: not by what they filter by, either. */
import request from 'supertest';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const byEmail = { about: 'person', name: 'email', operator: 'regex', values: ['^a'] };
const byPath = { about: 'event', name: '$pathname', operator: 'equals', values: ['/'] };
const cookies = {} as Record<'viewer' | 'member', string>;

beforeAll(async () => {
  const people = await joinEach(whole, ['viewer', 'member']);
  for (const role of ['viewer', 'member'] as const) cookies[role] = people[role].cookie;
});

it.each([
  ['at the top', (condition: object) => ({ match: 'all', of: [byPath, condition] })],
  ['in a list', (condition: object) => ({ match: 'any', of: [{ match: 'all', of: [byPath, condition] }] })],
])('filters by persons are for members (%s)', async (_, filtersWith) => {
  const question = { project: String(whole.project), range: 'last_7_days', compare: 'none' };
  const more = { dimension: 'page', vital: 'LCP' };
  for (const path of [
    'insights.query.overview',
    'insights.query.breakdown',
    'insights.query.heatmap',
    'insights.query.vitals',
  ]) {
    for (const [cookie, condition, status] of [
      [cookies.viewer, byEmail, 403],
      [cookies.viewer, byPath, 200],
      [cookies.member, byEmail, 200],
    ] as const) {
      const filters = filtersWith(condition);
      await callsOf(whole)
        .query(cookie, path, { ...question, ...more, filters })
        .expect(status);
    }
  }
});

it.each<['viewer' | 'member', string[], number]>([
  ['viewer', [...keyScopes], 403],
  ['member', ['query:read'], 403],
  ['member', ['query:read', 'persons:read'], 200],
])('a key of a %s with %j gets %i', async (role, scopes, status) => {
  const input = { name: 'test', scopes, projects: null, days: 'month' };
  const made = await callsOf(whole).mutation(cookies[role], 'projects.apiKeys.create', input).expect(200);
  const ask = (operation: string, condition: object) => {
    const filters = encodeURIComponent(JSON.stringify({ match: 'all', of: [condition] }));
    return request(whole.app)
      .get(`/api/v1/projects/${whole.project}/query/${operation}filters=${filters}`)
      .set('Authorization', `Bearer ${made.body.result.data.json.key}`);
  };
  for (const operation of ['overview?', 'breakdown?dimension=page&', 'heatmap?', 'vitals?']) {
    await ask(operation, byEmail).expect(status);
    await ask(operation, byPath).expect(200);
  }
});

it.each(['$set', '$set_once', '$user_id', '$session_id'])('what %s says is for members', async (name) => {
  const condition = { about: 'event', name, operator: 'contains', values: ['@'] };
  const question = { project: String(whole.project), range: 'last_7_days', compare: 'none' };
  for (const [cookie, status] of [
    [cookies.viewer, 403],
    [cookies.member, 200],
  ] as const) {
    await callsOf(whole)
      .query(cookie, 'insights.query.overview', { ...question, filters: { match: 'all', of: [condition] } })
      .expect(status);
    const values = { project: question.project, range: 'last_7_days', about: 'event', name, search: '' };
    await callsOf(whole).query(cookie, 'insights.values', values).expect(status);
  }
});
