/** A proxy that nobody trusts, in front of the whole application: what its owner reads, and nobody else. */
import request from 'supertest';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

it('is named to the owner with the first event behind it, and an unknown token names nothing', async () => {
  const { query } = callsOf(whole);
  const problemFor = async (cookie: string) =>
    (await query(cookie, 'proxies.problem').expect(200)).body.result.data.json as unknown;
  const send = (api_key: string) =>
    request(whole.app)
      .post('/ingest/e/')
      .set({ 'User-Agent': BROWSER, 'X-Forwarded-For': '81.2.69.160' })
      .send({ api_key, event: '$pageview', distinct_id: 'visitor', properties: { $lib: 'web' } });
  await send('lnt_of_nobody').expect(401);
  expect(await problemFor(whole.owner)).toBeNull();
  const [project] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  await send(project?.token ?? '').expect(200);
  const named = { kind: 'untrusted', trusted: 0, proxies: 1, header: null };
  expect(await problemFor(whole.owner)).toEqual(named);
  const rui = await joinTeam(whole, { team: whole.team, role: 'member', name: 'Rui', cookie: whole.owner });
  expect(await problemFor(rui.cookie)).toBeNull();
  await query('', 'proxies.problem').expect(401);
  for (const path of [`/project/${whole.project}/install`, `/project/${whole.project}/ingestion`, '/status']) {
    for (const [language, text] of [
      ['en', 'set TRUST_PROXY=1'],
      ['pt-BR', 'defina TRUST_PROXY=1'],
    ] as const) {
      const page = await request(whole.app).get(path).set({ Cookie: whole.owner, 'Accept-Language': language });
      expect(page.text).toContain(text);
    }
  }
});
