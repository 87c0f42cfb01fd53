/** Who may see which screen and reach which route: all of them, as the application lists them, as nobody, as a stranger and in every role. */

import { isAtLeast } from '#src/accounts/contract.ts';
import { type Role, roles } from '#src/projects/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam, type Person } from '#test/kit/people.ts';
import request from '#test/kit/request.ts';
import { filled, httpRoutes } from '#test/kit/routes.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { routes as screens } from '#views/routes.tsx';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
let members: Record<Role, Person>;
let stranger: Person;

beforeAll(async () => {
  const join = (role: Role, name: string, team = whole.team) =>
    joinTeam(whole, { team, role, name, cookie: whole.owner });
  members = {
    viewer: await join('viewer', 'Vera'),
    member: await join('member', 'Rui'),
    admin: await join('admin', 'Ana'),
    owner: await join('owner', 'Otto'),
  };
  const { mutation } = callsOf(whole);
  const made = await mutation(whole.owner, 'accounts.teams.create', { name: 'Other' }).expect(200);
  const team = made.body.result.data.json.id as number;
  stranger = await join('owner', 'Bia', team);
  await mutation(whole.owner, 'accounts.teams.leave', { team }).expect(200);
});

function look(path: string, cookie: string) {
  return request(whole.app).get(path).set({ Cookie: cookie, Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' });
}

const ids = () => ({ project: whole.project, team: whole.team });

/** Without the number of the request. */
const plain = ({ status, text }: { status: number; text: string }) => [status, text.replace(/[0-9a-f]{16}/g, '')];

describe.each(screens.map(({ path, needs, before }) => ({ path, needs, before })))(
  '$path',
  ({ path, needs, before }) => {
    const isAboutOne = /:(project|team)\b/.test(path);

    it(`is for ${needs}`, async () => {
      const statusOf = async (cookie: string) => (await look(filled(path, ids()), cookie)).status;
      const own = before === undefined ? 200 : 302;
      const expected = (who: Role | 'stranger'): number => {
        if (needs === 'anyone' || needs === 'signedIn') return own;
        if (needs === 'operator') return who === 'owner' ? 200 : 403;
        if (who === 'stranger') return 404;
        // There is nobody in this project, and no insight.
        return isAtLeast(who, needs) ? (/:(person|insight)/.test(path) ? 404 : 200) : 403;
      };
      const asNobody = await look(filled(path, ids()), '');
      if (needs === 'anyone') expect(asNobody.status).toBe(before === 'setUp' ? 302 : 200);
      else expect(asNobody.headers['location']).toMatch(/^\/sign-in\?next=/);
      const strange = await look(filled(path, ids()), stranger.cookie);
      if (isAboutOne) {
        // To a stranger it is as if it were not there.
        const none = await look(filled(path, { project: 999_999, team: 999_999 }), stranger.cookie);
        expect(plain(strange)).toEqual(plain(none));
      }
      const seen: Record<string, number> = { stranger: strange.status };
      for (const role of roles) seen[role] = await statusOf(members[role].cookie);
      expect(seen).toEqual(
        Object.fromEntries(['stranger', ...roles].map((who) => [who, expected(who as Role | 'stranger')])),
      );
    });
  },
);

it('tells a member whom to ask, in the words of their role', async () => {
  const live = `/project/${whole.project}/live`;
  const refused = await look(live, members.viewer.cookie).expect(403);
  expect(refused.text).toContain('Viewers can’t see people');
  expect(refused.text).toContain('Ask Marina Duarte or Otto for access.');
  const stranger404 = await look(live, stranger.cookie).expect(404);
  expect(stranger404.text).not.toContain('Marina');
  const inPortuguese = await look(`/team/${whole.team}/activity`, members.member.cookie)
    .set('Accept-Language', 'pt-BR')
    .expect(403);
  expect(inPortuguese.text).toContain('Fale com Marina Duarte ou Otto.');
});

type Guard = 'anyone' | 'session' | 'firstStep' | 'key' | Role;

/** What guards each route that is no screen and no call. One that is missing fails. */
const guards: Readonly<Record<string, Guard>> = {
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'anyone',
  'GET /assets/:name': 'anyone',
  'GET /favicon.svg': 'anyone',
  'GET /favicon.ico': 'anyone',
  'GET /manifest.webmanifest': 'anyone',
  'GET /robots.txt': 'anyone',
  'GET /service-worker.js': 'anyone',
  'GET /api/v1/openapi.json': 'anyone',
  'GET /api/v1/projects': 'key',
  'GET /api/v1/projects/:project': 'key',
  'GET /api/v1/projects/:project/events': 'key',
  'GET /api/v1/projects/:project/events/:ts/:uuid': 'key',
  'GET /api/v1/projects/:project/persons': 'key',
  'GET /api/v1/projects/:project/persons/:uuid': 'key',
  'GET /api/v1/projects/:project/groups': 'key',
  'GET /api/v1/projects/:project/groups/:type': 'key',
  'GET /api/v1/projects/:project/groups/:type/:key': 'key',
  'GET /api/v1/projects/:project/query/overview': 'key',
  'GET /api/v1/projects/:project/query/goals': 'key',
  'GET /api/v1/projects/:project/query/heatmap': 'key',
  'GET /api/v1/projects/:project/query/movers': 'key',
  'GET /api/v1/projects/:project/query/vitals': 'key',
  'GET /api/v1/projects/:project/query/breakdown': 'key',
  'POST /api/v1/projects/:project/query/trends': 'key',
  'POST /api/v1/projects/:project/query/funnel': 'key',
  'POST /api/v1/projects/:project/query/retention': 'key',
  'POST /api/v1/projects/:project/query/paths': 'key',
  'POST /api/v1/projects/:project/query/lifecycle': 'key',
  'POST /api/v1/projects/:project/query/stickiness': 'key',
  'POST /api/v1/projects/:project/query/trends/people': 'key',
  'POST /api/v1/projects/:project/query/funnel/people': 'key',
  'POST /api/v1/projects/:project/query/retention/people': 'key',
  'POST /api/v1/projects/:project/query/paths/people': 'key',
  'POST /api/v1/projects/:project/query/lifecycle/people': 'key',
  'POST /api/v1/projects/:project/query/stickiness/people': 'key',
  'GET /api/v1/projects/:project/insights': 'key',
  'POST /api/v1/projects/:project/insights': 'key',
  'GET /api/v1/projects/:project/insights/:insight': 'key',
  'GET /api/v1/projects/:project/insights/:insight/result': 'key',
  'PATCH /api/v1/projects/:project/insights/:insight': 'key',
  'DELETE /api/v1/projects/:project/insights/:insight': 'key',
  'GET /api/v1/projects/:project/dashboards': 'key',
  'POST /api/v1/projects/:project/dashboards': 'key',
  'GET /api/v1/projects/:project/dashboards/:dashboard': 'key',
  'PATCH /api/v1/projects/:project/dashboards/:dashboard': 'key',
  'DELETE /api/v1/projects/:project/dashboards/:dashboard': 'key',
  'GET /api/v1/projects/:project/flags': 'key',
  'POST /api/v1/projects/:project/flags': 'key',
  'GET /api/v1/projects/:project/flags/bootstrap': 'key',
  'GET /api/v1/projects/:project/flags/:flag': 'key',
  'PATCH /api/v1/projects/:project/flags/:flag': 'key',
  'DELETE /api/v1/projects/:project/flags/:flag': 'key',
  'GET /api/v1/projects/:project/experiments': 'key',
  'POST /api/v1/projects/:project/experiments': 'key',
  'GET /api/v1/projects/:project/experiments/:experiment': 'key',
  'GET /api/v1/projects/:project/experiments/:experiment/result': 'key',
  'PATCH /api/v1/projects/:project/experiments/:experiment': 'key',
  'POST /api/v1/projects/:project/experiments/:experiment/end': 'key',
  'DELETE /api/v1/projects/:project/experiments/:experiment': 'key',
  'GET /api/v1/projects/:project/early-access': 'key',
  'POST /api/v1/projects/:project/early-access': 'key',
  'PATCH /api/v1/projects/:project/early-access/:flag': 'key',
  'DELETE /api/v1/projects/:project/early-access/:flag': 'key',
  'GET /api/v1/projects/:project/issues': 'key',
  'GET /api/v1/projects/:project/issues/:issue': 'key',
  'GET /api/v1/projects/:project/issues/:issue/latest': 'key',
  'PATCH /api/v1/projects/:project/issues/:issue': 'key',
  'POST /api/v1/projects/:project/issues/:issue/merge': 'key',
  'POST /api/v1/projects/:project/issues/:issue/split': 'key',
  'DELETE /api/v1/projects/:project/issue-moves/:move': 'key',
  'GET /api/v1/projects/:project/error-rules': 'key',
  'PATCH /api/v1/projects/:project/error-rules': 'key',
  'POST /api/v1/projects/:project/source-maps': 'key',
  'GET /api/v1/projects/:project/replays': 'key',
  'GET /api/v1/projects/:project/replays/:session': 'key',
  'DELETE /api/v1/projects/:project/replays/:session': 'key',
  'GET /api/projects/:project/error_tracking/releases/hash/:hash': 'key',
  'POST /api/projects/:project/error_tracking/releases': 'key',
  'POST /api/projects/:project/error_tracking/symbol_sets/bulk_check_upload': 'key',
  'POST /api/projects/:project/error_tracking/symbol_sets/bulk_start_upload': 'key',
  'POST /api/projects/:project/error_tracking/symbol_sets/bulk_finish_upload': 'key',
  'GET /api/projects/:project/error_tracking/symbol_sets': 'key',
  'GET /api/projects/:project/error_tracking/symbol_sets/:set/download': 'key',
  // The ticket is the right: signed, for one file and ten minutes.
  'POST /api/symbol-sets/upload': 'anyone',
  'GET /api/symbol-sets/download': 'anyone',
  'GET /static/luneta-maps.mjs': 'anyone',
  'PATCH /api/v1/projects/:project/annotations/:annotation': 'key',
  'GET /api/v1/projects/:project/reports': 'key',
  'POST /api/v1/projects/:project/reports': 'key',
  'GET /api/v1/projects/:project/reports/:report': 'key',
  'PATCH /api/v1/projects/:project/reports/:report': 'key',
  'POST /api/v1/projects/:project/reports/:report/send': 'key',
  'DELETE /api/v1/projects/:project/reports/:report': 'key',
  'GET /api/v1/projects/:project/share-links': 'key',
  'POST /api/v1/projects/:project/dashboards/:dashboard/share-link': 'key',
  'GET /api/v1/projects/:project/dashboards/:dashboard/share-link': 'key',
  'PATCH /api/v1/projects/:project/dashboards/:dashboard/share-link': 'key',
  'POST /api/v1/projects/:project/dashboards/:dashboard/share-link/rotate': 'key',
  'DELETE /api/v1/projects/:project/dashboards/:dashboard/share-link': 'key',
  'POST /api/v1/projects/:project/insights/:insight/share-link': 'key',
  'GET /api/v1/projects/:project/insights/:insight/share-link': 'key',
  'PATCH /api/v1/projects/:project/insights/:insight/share-link': 'key',
  'POST /api/v1/projects/:project/insights/:insight/share-link/rotate': 'key',
  'DELETE /api/v1/projects/:project/insights/:insight/share-link': 'key',
  'GET /api/v1/projects/:project/alerts': 'key',
  'POST /api/v1/projects/:project/alerts': 'key',
  'GET /api/v1/projects/:project/alerts/:alert': 'key',
  'PATCH /api/v1/projects/:project/alerts/:alert': 'key',
  'DELETE /api/v1/projects/:project/alerts/:alert': 'key',
  'POST /api/v1/projects/:project/alerts/:alert/acknowledge': 'key',
  'POST /api/v1/projects/:project/alerts/:alert/snooze': 'key',
  'GET /api/v1/projects/:project/cohorts': 'key',
  'POST /api/v1/projects/:project/cohorts': 'key',
  'GET /api/v1/projects/:project/cohorts/:cohort': 'key',
  'PATCH /api/v1/projects/:project/cohorts/:cohort': 'key',
  'DELETE /api/v1/projects/:project/cohorts/:cohort': 'key',
  'GET /api/v1/projects/:project/cohorts/:cohort/people': 'key',
  'GET /api/v1/projects/:project/annotations': 'key',
  'POST /api/v1/projects/:project/annotations': 'key',
  'DELETE /api/v1/projects/:project/annotations/:annotation': 'key',
  'POST /preferences': 'anyone',
  'POST /sign-out': 'anyone',
  'POST /api/sign-in/passkey/question': 'anyone',
  'POST /api/sign-in/passkey': 'anyone',
  'POST /api/sign-in/second-step/question': 'firstStep',
  'POST /api/sign-in/second-step': 'firstStep',
  'POST /api/sign-in/second-step/passkey': 'firstStep',
  'POST /api/sign-in/prove/question': 'session',
  'POST /api/sign-in/prove': 'session',
  'POST /api/sign-in/link': 'anyone',
  // The token is the right: `test/sharing`.
  'GET /shared/:token': 'anyone',
  'POST /shared/:token': 'anyone',
  // The same: `test/reports`.
  'GET /reports/:token': 'anyone',
  'POST /reports/:token': 'anyone',
  'POST /api/sign-in/forgot': 'anyone',
  'POST /api/sign-in/link/use': 'anyone',
  'POST /api/sign-in/new-password': 'anyone',
  'POST /api/sign-in/confirm': 'anyone',
  'POST /api/sign-in/provider': 'anyone',
  'GET /api/sign-in/provider/:provider/callback': 'anyone',
  'POST /api/sign-in/hosted': 'anyone',
  'POST /api/sign-in/hosted/connect': 'session',
  'POST /api/sign-in/invitation': 'anyone',
  'POST /api/sign-in/setup': 'anyone',
  'POST /api/sign-in/password': 'anyone',
  'GET /api/exports/:project/:id': 'member',
  'GET /project/:project/reports/preview': 'viewer',
  'GET /team/:team/mail/:mail': 'admin',
  'GET /project/:project/overview/:file.csv': 'viewer',
  'GET /project/:project/query/:kind.csv': 'viewer',
  'GET /project/:project/query/:kind.xlsx': 'viewer',
  'GET /project/:project/query/:kind.svg': 'viewer',
  'GET /project/:project/query/:kind/people.csv': 'member',
  'GET /project/:project/groups/export': 'member',
  'GET /project/:project/events/export': 'member',
  'GET /project/:project/events/export/:id': 'member',
  'GET /project/:project/persons/export': 'member',
  'GET /replay-stage': 'anyone',
  // Of viewers, for those whose project lets them.
  'GET /project/:project/replay/:session/blocks': 'member',
};

describe('routes', () => {
  const listed = () => httpRoutes(whole.app).map(({ method, path }) => `${method} ${path}`);

  it('each has its guard', () => {
    expect(listed().filter((route) => !(route in guards))).toEqual([]);
    expect(Object.keys(guards).filter((route) => !listed().includes(route))).toEqual([]);
  });

  /** As a browser that goes there, or sends nothing. */
  async function statusOf(route: string, cookie: string, values: object = ids()): Promise<number> {
    const [method = '', path = ''] = route.split(' ');
    const address = filled(path, { id: 1, ...values });
    const { app } = whole;
    const asked = request(app)[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](address);
    if (method === 'POST' || method === 'PATCH') asked.send({});
    return (await asked.set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json' })).status;
  }

  it.each(Object.entries(guards))('%s is for %s', async (route, guard) => {
    const nobody = await statusOf(route, '');
    if (guard !== 'anyone') expect(nobody).toBe(401);
    else expect([401, 403]).not.toContain(nobody);
    if (!roles.some((role) => role === guard)) return;
    expect(await statusOf(route, stranger.cookie)).toBe(404);
    expect(await statusOf(route, stranger.cookie, { project: 999_999 })).toBe(404);
    for (const role of roles) {
      const isIn = isAtLeast(role, guard as Role);
      expect([role, (await statusOf(route, members[role].cookie)) === 403]).toEqual([role, !isIn]);
    }
  });

  it('asks for a key where programs read: a session is none', async () => {
    for (const route of Object.keys(guards).filter((each) => guards[each] === 'key')) {
      expect([route, await statusOf(route, whole.owner)]).toEqual([route, 401]);
    }
  });
});
