/** Secrets of the settings, of people and of sessions leave the process in no page, answer, error or log line. Behind https. */
import type { Response } from 'supertest';
import { useDatabase } from '#test/kit/database.ts';
import { scoreHeaders } from '#test/kit/header-score.ts';
import request from '#test/kit/request.ts';
import { filled, httpRoutes, procedures, screenPaths } from '#test/kit/routes.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const settings = {
  AUTH_SECRET: 'now-hunter2-hunter2-hunter2-hunter2',
  AUTH_SECRET_PREVIOUS: 'then-hunter3-hunter3-hunter3-hunter3',
  SENDGRID_API_KEY: 'SG.hunter4-hunter4',
  MAIL_FROM: 'Luneta <luneta@example.com>',
  METRICS_TOKEN: 'hunter5-hunter5-hunter5',
  SUPABASE_SERVICE_ROLE_KEY: 'hunter6-hunter6-hunter6',
  PUBLIC_APP_URL: 'https://luneta.example',
  TRUST_PROXY: 1,
};
const { MAIL_FROM: _, PUBLIC_APP_URL: __, TRUST_PROXY: ___, ...hidden } = settings;

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, settings);
const own = { 'Sec-Fetch-Site': 'same-origin' };

/** Everything that must not be found, by name. */
async function secrets(): Promise<Record<string, string>> {
  const [user] = await database.query<{ password_hash: string }>('select password_hash from users');
  const cookie = decodeURIComponent(whole.owner.split('=')[1] ?? '');
  return {
    ...hidden,
    'the password of the owner': OWNER.password,
    'the hash of it': user?.password_hash.split('$').at(-1) ?? '',
    'the number of the session': cookie.slice(2).split('.')[0] ?? '',
    'the signature of the session': cookie.split('.')[1] ?? '',
    'the password of the database': new URL(whole.config.DATABASE_URL).password || 'no password is set here',
  };
}

function search(text: string, wanted: Record<string, string>): string[] {
  return Object.entries(wanted).flatMap(([name, secret]) => {
    expect(secret.length).toBeGreaterThan(8);
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ];
    return forms.some((form) => text.includes(form)) ? [name] : [];
  });
}

const textOf = ({ text, headers }: Response): string =>
  `${text ?? ''}\n${JSON.stringify({ ...headers, 'set-cookie': '' })}`;

it('shows no secret in any page, answer or error', async () => {
  const wanted = await secrets();
  expect(search(`<p>${settings.AUTH_SECRET}</p>`, wanted)).toEqual(['AUTH_SECRET']);
  const values = { project: whole.project, team: whole.team };
  const input = encodeURIComponent(JSON.stringify({ json: { ...values, project: String(whole.project) } }));
  const gets = [
    ...screenPaths(values),
    ...httpRoutes(whole.app)
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => filled(path, values)),
    ...procedures()
      .filter(({ type }) => type === 'query')
      .map(({ path }) => `/api/trpc/${path}?input=${input}`),
    '/_app',
    '/nowhere',
    '/api/nowhere',
  ];
  expect(gets.length).toBeGreaterThan(40);
  for (const path of gets) {
    for (const cookie of [whole.owner, '']) {
      const answer = await request(whole.app).get(path).set({ Cookie: cookie, Accept: 'text/html' });
      expect([path, search(textOf(answer), wanted)]).toEqual([path, []]);
    }
  }
  for (const { path } of procedures().filter(({ type }) => type === 'mutation')) {
    const answer = await request(whole.app)
      .post(`/api/trpc/${path}`)
      .set({ ...own, Cookie: whole.owner })
      .send({ json: { ...values, id: OWNER.password, password: OWNER.password } });
    expect([path, search(textOf(answer), wanted)]).toEqual([path, []]);
  }
});

it('writes no secret into the log on any failure', async () => {
  const wanted = await secrets();
  const tried = ['wrong but secret 1', 'wrong but secret 2'];
  await request(whole.app).post('/api/sign-in/password').set(own).send({ email: OWNER.email, password: tried[0] });
  await request(whole.app)
    .post('/api/sign-in/password')
    .set({ ...own, 'Content-Type': 'application/json' })
    .send(`{"email":"a\\u0000@b.example","password":"${tried[1]}"}`);
  await request(whole.app).get(`/nowhere?token=${tried[0]}`).set('Authorization', `Bearer ${settings.METRICS_TOKEN}`);
  await request(whole.app).get('/metrics').set('Authorization', `Bearer ${settings.METRICS_TOKEN}`).expect(200);
  const log = whole.lines.join('');
  expect(whole.lines.length).toBeGreaterThan(100);
  expect(
    search(log, { ...wanted, 'a password that was tried': tried[0] as string, another: tried[1] as string }),
  ).toEqual([]);
});

it('sets cookies as browsers trust them most', async () => {
  const answer = await request(whole.app)
    .post('/api/sign-in/password')
    .set(own)
    .send({ email: OWNER.email, password: OWNER.password });
  expect(answer.status).toBe(200);
  const cookies = answer.headers['set-cookie'] as unknown as string[];
  expect(cookies.filter((cookie) => cookie.startsWith('__Host-luneta='))).toHaveLength(1);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/; Domain=/i);
  }
  expect(scoreHeaders(answer.headers, true)).toEqual({ points: 120, lost: [] });
});

it('gives strangers no cookie', async () => {
  for (const path of [
    ...screenPaths({ project: whole.project, team: whole.team }),
    '/api/trpc/accounts.me',
    '/nowhere',
  ]) {
    const { headers } = await request(whole.app).get(path);
    expect([path, headers['set-cookie']]).toEqual([path, undefined]);
  }
});
