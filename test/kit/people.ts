/** People in a whole application, who come in as people do: invited, with an account and a session of their own. */

import type { Role } from '#src/projects/contract.ts';
import request from '#test/kit/request.ts';
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

const names: Record<Role, string> = { viewer: 'Vera', member: 'Rui', admin: 'Ada', owner: 'Olga' };

/** Somebody of each of the roles, and a stranger: the admin of a team that has nothing to do with it. */
export async function joinEach<Wanted extends Role>(
  whole: WholeApp,
  roles: readonly Wanted[],
): Promise<Record<Wanted | 'stranger', Person>> {
  const { team, owner: cookie } = whole;
  const people: Partial<Record<Role | 'stranger', Person>> = {};
  for (const role of roles) people[role] = await joinTeam(whole, { team, role, name: names[role], cookie });
  const stranger = await joinTeam(whole, { team, role: 'admin', name: 'Bento', cookie });
  const { write } = whole.parts.rooms.deps;
  const { rows } = await write.query<{ id: number }>(
    "insert into teams (name, created_at) values ('B', '2026-01-01') returning id",
  );
  await write.query('update members set team_id = $1 where user_id = $2', [rows[0]?.id, stranger.id]);
  return { ...people, stranger } as Record<Wanted | 'stranger', Person>;
}
