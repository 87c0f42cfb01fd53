/**
 * Who may call what: the table of rights against the router itself. Every procedure is called for real as nobody, as a stranger who owns a
 * team of their own, and in every role.
 */
import type { AnyTRPCProcedure } from '@trpc/server';
import { isAtLeast, type Need } from '#src/accounts/contract.ts';
import { access } from '#src/accounts/rights/values.ts';
import { type Role, roles } from '#src/projects/contract.ts';
import { appRouter } from '#src/router.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam, type Person } from '#test/kit/people.ts';
import request from '#test/kit/request.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { samples } from './access-samples.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>);

/** Responses to callers with access, by procedure. */
const answers: string[] = [];
let members: Record<Role, Person>;
let stranger: Person;
let memberships: { team_id: number }[];

beforeAll(async () => {
  const { mutation } = callsOf(whole);
  const join = (role: Role, name: string, team = whole.team) =>
    joinTeam(whole, { team, role, name, cookie: whole.owner });
  members = {
    viewer: await join('viewer', 'Vera'),
    member: await join('member', 'Rui'),
    admin: await join('admin', 'Ana'),
    owner: await join('owner', 'Otto'),
  };
  const made = await mutation(whole.owner, 'accounts.teams.create', { name: 'Other' }).expect(200);
  const team = made.body.result.data.json.id as number;
  stranger = await join('owner', 'Bia', team);
  await mutation(whole.owner, 'accounts.teams.leave', { team }).expect(200);
  memberships = await database.query('select team_id, user_id, role, joined_at from members');
});

/** Whoever left is back. */
async function restore(): Promise<void> {
  await database.query(
    `insert into members select * from jsonb_populate_recordset(null::members, $1)
     on conflict (team_id, user_id) do update set role = excluded.role`,
    [JSON.stringify(memberships)],
  );
}

test('every procedure has its row, and every row its procedure', () => {
  expect(procedures.length).toBeGreaterThan(40);
  expect(procedures.map(([path]) => path).sort()).toEqual(Object.keys(access).sort());
});

test('every procedure has a sample of what it is called with', () => {
  expect(Object.keys(samples).sort()).toEqual(procedures.map(([path]) => path).sort());
});

test('what is about a project or a team needs a role, and nothing else does', () => {
  const wrong = procedures.filter(([path, procedure]) => {
    const isAboutOne = isAbout(procedure, 'project') || isAbout(procedure, 'team');
    return isAboutOne !== isRole(access[path]);
  });
  expect(wrong.map(([path]) => path)).toEqual([]);
});

/** Names of the fields that the procedure's parsers know. */
function isAbout(procedure: AnyTRPCProcedure, what: string): boolean {
  const inputs = (procedure._def as unknown as { inputs: { shape?: object; def?: { shape?: object } }[] }).inputs;
  return inputs.some((input) => what in (input.shape ?? input.def?.shape ?? {}));
}

function isRole(need: Need | undefined): need is Role {
  return roles.some((role) => role === need);
}

interface Answer {
  status: number;
  text: string;
  error: { message: string; field: string | undefined } | null;
}

interface Ids {
  project: string;
  team: number;
}

/** Calls a procedure with its sample about a project and team, over HTTP. */
async function call(path: string, cookie: string, ids: Ids, extra: object = {}): Promise<Answer> {
  const procedure = procedures.find(([name]) => name === path)?.[1] as AnyTRPCProcedure;
  const { type } = procedure._def;
  const input = {
    ...samples[path],
    ...(isAbout(procedure, 'project') ? { project: ids.project } : {}),
    ...(isAbout(procedure, 'team') ? { team: ids.team } : {}),
    ...extra,
  };
  const { query, mutation } = callsOf(whole);
  if (type === 'subscription') return stream(path, cookie, input);
  const { status, text, body } = await (type === 'query' ? query : mutation)(cookie, path, input);
  const error = body?.error?.json as { message: string; data: { field?: string } } | undefined;
  return { status, text, error: error === undefined ? null : { message: error.message, field: error.data.field } };
}

/** A stream has no end of its own: what it begins with says enough. */
async function stream(path: string, cookie: string, input: object): Promise<Answer> {
  const asked = request(whole.app)
    .get(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`)
    .set({ Cookie: cookie, Accept: 'text/event-stream', 'Sec-Fetch-Site': 'same-origin' })
    .buffer(true)
    .parse((res, done) => {
      let text = '';
      res.on('data', (part: Buffer) => {
        text += part;
        // The refusal comes with the first bytes, or not at all.
        if (/^event: connected\n.*\n\n/m.test(text)) setTimeout(() => end(res as never), 50);
      });
      res.on('close', () => done(null, text));
    });
  const { status, body } = await asked;
  const text = String(body);
  const refusal = /^event: serialized-error\ndata: (.*)$/m.exec(text)?.[1];
  if (refusal === undefined) return { status, text, error: null };
  const { json } = JSON.parse(refusal) as { json: { message: string; data: { httpStatus: number } } };
  return { status: json.data.httpStatus, text, error: { message: json.message, field: undefined } };
}

function end(res: { destroy(): void }): void {
  res.destroy();
}

/** Result of a call: sign-in required, not found, role too low, or allowed. */
function reached({ status, error }: Answer): 'sign-in' | 'nothing' | 'role' | 'in' {
  const message = error?.message ?? '';
  if (status === 401) return 'sign-in';
  if (status === 404 && /^(Project|Team) not found/.test(message)) return 'nothing';
  if (status === 403 && /^Your role doesn’t allow this/.test(message)) return 'role';
  return 'in';
}

function expected(need: Need, who: Role | 'nobody' | 'stranger'): ReturnType<typeof reached> {
  if (need === 'anyone') return 'in';
  if (who === 'nobody') return 'sign-in';
  if (need === 'signedIn') return 'in';
  if (need === 'operator') return who === 'owner' ? 'in' : 'role';
  if (who === 'stranger') return 'nothing';
  return isAtLeast(who, need) ? 'in' : 'role';
}

/** The same for everybody but for its own number. */
function withoutIds({ status, text }: Answer): string {
  return `${status} ${text.replace(/"requestId":"[^"]*"/g, '')}`;
}

describe.each(procedures.map(([path]) => path))('%s', (path) => {
  const need = access[path] as Need;
  const type = procedures.find(([name]) => name === path)?.[1]._def.type;
  const ids = () => ({ project: String(whole.project), team: whole.team });
  afterEach(restore);

  test(`is for ${need}`, async () => {
    const seen: Record<string, string> = { nobody: reached(await call(path, '', ids())) };
    const strange = await call(path, stranger.cookie, ids());
    seen['stranger'] = reached(strange);
    if (isRole(need)) {
      // To a stranger it is as if it were not there.
      const none = await call(path, stranger.cookie, { project: '999999', team: 999_999 });
      expect(withoutIds(strange)).toBe(withoutIds(none));
      expect(strange.status).toBe(404);
    }
    for (const role of roles) {
      const answer = await call(path, members[role].cookie, ids());
      seen[role] = reached(answer);
      expect([role, answer.status]).not.toEqual([role, 500]);
      // Whoever may look really looks: the sample is right in shape.
      if (seen[role] === 'in' && isRole(need) && type === 'query') expect(answer.status).not.toBe(400);
      if (seen[role] === 'in') answers.push(answer.text);
    }
    expect(seen).toEqual(
      Object.fromEntries(['nobody', 'stranger', ...roles].map((who) => [who, expected(need, who as Role)])),
    );
  });

  if (type === 'mutation') {
    test('takes nothing that was not asked for', async () => {
      const before = await owned();
      const extra = { role: 'owner', teamId: 1, team_id: 1, userId: 1, user_id: 1, createdAt: 0, builtIn: true };
      const more = { ...extra, operator: true, emailVerified: true, deletesAt: null, uuid: '1', sid: '1' };
      // Where a field of that name is asked for, it is no extra.
      const known = samples[path] as object;
      const unknown = Object.fromEntries(Object.entries(more).filter(([name]) => !(name in known)));
      await call(path, members.admin.cookie, ids(), unknown);
      await restore();
      expect(await owned()).toEqual(before);
    });
  }
});

/** Who owns what, of all that was there at the beginning. */
async function owned(): Promise<unknown[]> {
  return Promise.all([
    database.query('select team_id, user_id, role from members where team_id = any($1) order by 1, 2', [
      memberships.map(({ team_id }) => team_id),
    ]),
    database.query('select id, team_id, built_in, created_at, deletes_at from projects where id <= $1 order by 1', [
      whole.project,
    ]),
    database.query('select id, uuid, email, email_verified_at, created_at, disabled_at from users order by 1'),
    database.query('select id, deletes_at, created_at from teams where id <= $1 order by 1', [whole.team]),
  ]);
}

test('no answer holds a secret', async () => {
  expect(answers.length).toBeGreaterThan(100);
  const secrets = await database.query<{ secret: string }>(
    `select password_hash as secret from users where password_hash is not null
     union all select encode(hash, 'hex') from invitations
     union all select encode(hash, 'base64') from invitations
     union all select sid from sign_in_sessions
     union all select value from secrets
     union all select encode(hash, 'hex') from api_keys
     union all select encode(hash, 'hex') from project_secrets
     union all select totp_secret from users where totp_secret is not null`,
  );
  expect(secrets.length).toBeGreaterThan(10);
  for (const answer of answers) {
    expect(secrets.filter(({ secret }) => answer.includes(secret))).toEqual([]);
    expect(answer).not.toMatch(/\$argon2id|BEGIN [A-Z ]*PRIVATE KEY/);
  }
});

test('no answer has a field that is named as a secret, but for those shown once', () => {
  // A project's token is in every page that sends events; the others are shown to who asked for them just then.
  const allowed = new Set([
    'token',
    'tokens',
    'secret',
    // Of webhooks that a change of an alert has just made.
    'secrets',
    // Secret keys of a project without the keys: what their settings list.
    'secretKeys',
    'key',
    'needsSetupToken',
    'hasPassword',
    'challenge',
    'cookieless',
    'hashRoutes',
  ]);
  const names = new Set(answers.flatMap((answer) => [...answer.matchAll(/"(\w+)":/g)].map(([, name = '']) => name)));
  expect(names.size).toBeGreaterThan(50);
  const suspicious = [...names].filter((name) => /hash|secret|token|password|cookie|sess$|^sid$/i.test(name));
  expect(suspicious.filter((name) => !allowed.has(name))).toEqual([]);
});
