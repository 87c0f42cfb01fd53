/** Where a project's insights run: switched by its admins, with the state of the copy, and noted. */
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import request from '#test/kit/request.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
// Nobody listens there: what is shown is what PostgreSQL knows.
const whole = useWholeApp(database, { CLICKHOUSE_URL: 'http://127.0.0.1:9' });

async function copyOf(cookie: string) {
  const answer = await callsOf(whole).query(cookie, 'clickhouse.project', { project: String(whole.project) });
  return answer.body.result?.data.json;
}

function switchTo(cookie: string, isOn: boolean) {
  return callsOf(whole).mutation(cookie, 'clickhouse.switchProject', { project: String(whole.project), isOn });
}

it('is switched by admins once everything is copied, and stands in the log', async () => {
  expect(await copyOf(whole.owner)).toEqual({
    at: expect.any(Number),
    isOn: false,
    isUsed: false,
    copiedUntil: null,
    waiting: 0,
    isMore: false,
    isFailing: false,
  });
  await switchTo(whole.owner, true).expect(409);
  await database.query("update clickhouse_state set caught_up_at = now(), error = 'ECONNREFUSED 10.0.0.1'");
  const { cookie } = await joinTeam(whole, { team: whole.team, role: 'member', name: 'Rui', cookie: whole.owner });
  await switchTo(cookie, true).expect(403);
  await switchTo(whole.owner, true).expect(200);
  await switchTo(whole.owner, true).expect(200);
  // The reason is for the operator.
  expect(await copyOf(whole.owner)).toMatchObject({ isOn: true, isUsed: true, isFailing: true });
  expect(JSON.stringify(await copyOf(whole.owner))).not.toContain('10.0.0.1');
  await database.query("update clickhouse_state set caught_up_at = now() - interval '2 minutes'");
  expect(await copyOf(whole.owner)).toMatchObject({ isOn: true, isUsed: false });
  await switchTo(whole.owner, false).expect(200);
  expect(await database.query('select project_id from clickhouse_projects')).toEqual([]);
  const noted = await database.query("select action from audit where action like 'project.clickhouse%' order by id");
  expect(noted.map(({ action }) => action)).toEqual(['project.clickhouseOn', 'project.clickhouseOff']);
});

it('stands in the settings', async () => {
  const page = await request(whole.app)
    .get(`/project/${whole.project}/settings`)
    .set({ Cookie: whole.owner, Accept: 'text/html', 'Accept-Language': 'en' })
    .expect(200);
  expect(page.text).toMatch(/role="switch"[^>]*name="clickhouse"|name="clickhouse"[^>]*role="switch"/);
});
