/** People in a whole application, who come in as people do: invited, with an account and a session of their own. */
import request from 'supertest';
import type { Role } from '#src/projects/contract.ts';
import { cookieOf } from './sign-in.ts';
import type { WholeApp } from './whole-app.ts';

/** Calls as the browser makes them. `cookie`: whose; '' for nobody's. */
export function callsOf({ app }: Pick<WholeApp, 'app'>) {
  return {
    query: (cookie: string, path: string, input: object = {}) =>
      request(app)
        .get(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`)
        .set('Cookie', cookie)
        .set('Sec-Fetch-Site', 'same-origin'),
    mutation: (cookie: string, path: string, input: object = {}) =>
      request(app)
        .post(`/api/trpc/${path}`)
        .set('Cookie', cookie)
        .set('Sec-Fetch-Site', 'same-origin')
        .send({ json: input }),
    post: (path: string, body: object, cookie = '') =>
      request(app).post(path).set('Cookie', cookie).set('Sec-Fetch-Site', 'same-origin').send(body),
  };
}

/** The token in the link of an invitation. */
export function tokenOf(link: string): string {
  return new URL(link).pathname.replace('/invite/', '');
}

export interface Person {
  cookie: string;
  id: number;
  email: string;
}

/** Somebody new in a team, invited by whoever has `cookie`. */
export async function joinTeam(
  whole: WholeApp,
  { team, role, name, cookie }: { team: number; role: Role; name: string; cookie: string },
): Promise<Person> {
  const { mutation, post } = callsOf(whole);
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@agencia.example`;
  const invited = await mutation(cookie, 'accounts.teams.invite', { team, email, role, by: 'link' }).expect(200);
  const token = tokenOf(invited.body.result.data.json.link);
  const account = { token, name, password: `a password of ${name}`, language: 'en', timeZone: 'UTC' };
  const joined = await post('/api/sign-in/invitation', account).expect(200);
  const { rows } = await whole.parts.rooms.deps.write.query<{ id: number }>('select id from users where email = $1', [
    email,
  ]);
  return { cookie: cookieOf(joined.headers), id: rows[0]?.id as number, email };
}
