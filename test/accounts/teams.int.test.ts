/** Teams over HTTP: who is in them, and what each role may do to whom. */
import { fixedClock } from '#src/kit/clock.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam, type Person, tokenOf } from '#test/kit/people.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { until } from '#test/kit/until.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
/** Sessions end by the clock of the system. */
const START = Date.now();
const clock = fixedClock(START);
const whole = useWholeApp(database, {}, { clock });

let made = 0;
let team: number;
let calls: ReturnType<typeof callsOf>;
let ana: Person;
let rui: Person;
let vera: Person;

/** A team of the owner's own with an admin, a member and a viewer. */
beforeEach(async () => {
  made += 1;
  calls = callsOf(whole);
  const created = await calls.mutation(whole.owner, 'accounts.teams.create', { name: `Equipe ${made}` }).expect(200);
  team = created.body.result.data.json.id;
  const invite = (role: 'admin' | 'member' | 'viewer', name: string) =>
    joinTeam(whole, { team, role, name: `${name} ${made}`, cookie: whole.owner });
  ana = await invite('admin', 'Ana');
  rui = await invite('member', 'Rui');
  vera = await invite('viewer', 'Vera');
});

const change = (cookie: string, procedure: string, input: object = {}) =>
  calls.mutation(cookie, `accounts.teams.${procedure}`, { team, ...input });

async function roles(): Promise<Record<string, string>> {
  const rows = await database.query<{ name: string; role: string }>(
    'select name, role from members join users on users.id = user_id where team_id = $1',
    [team],
  );
  return Object.fromEntries(rows.map(({ name, role }) => [name.replace(/ \d+$/, ''), role]));
}

async function ownerId(): Promise<number> {
  const [row] = await database.query<{ id: number }>(`select id from users where email = 'marina@serrana.example'`);
  return row?.id as number;
}

async function actions(): Promise<string[]> {
  const rows = await database.query<{ action: string }>('select action from audit where team_id = $1 order by id', [
    team,
  ]);
  return rows.map(({ action }) => action);
}

it('belongs to its creator, who may be in several', async () => {
  const me = await calls.query(whole.owner, 'accounts.me').expect(200);
  const teams = me.body.result.data.json.teams as { id: number; role: string }[];
  expect(teams.find(({ id }) => id === team)?.role).toBe('owner');
  expect(teams.length).toBeGreaterThan(1);
});

it('shows each role what it may know of the others', async () => {
  const view = async (cookie: string) =>
    (await calls.query(cookie, 'accounts.teams.view', { team }).expect(200)).body.result.data.json;
  const forAdmin = await view(ana.cookie);
  expect(forAdmin).toMatchObject({ name: `Equipe ${made}`, role: 'admin', deletesAt: null, invitations: [] });
  expect(forAdmin.members.map(({ role }: { role: string }) => role)).toEqual(['owner', 'admin', 'member', 'viewer']);
  expect(forAdmin.members[1]).toEqual({
    ...{ id: ana.id, name: `Ana ${made}`, email: ana.email, role: 'admin', isYou: true },
    lastActiveAt: START,
    ways: ['password'],
  });
  const forMember = await view(rui.cookie);
  expect(forMember.invitations).toBeNull();
  expect(forMember.members[1]).toMatchObject({ email: ana.email, lastActiveAt: null, ways: [] });
  const forViewer = await view(vera.cookie);
  expect(forViewer.members.map(({ email }: { email: string }) => email)).toEqual([null, null, null, vera.email]);
});

it('says how people sign in', async () => {
  await database.query(
    `insert into passkeys (credential_id, user_id, public_key, counter, transports, name, created_at)
     values ($1, $2, '', 0, '{}', 'Key', to_timestamp(0))`,
    [`key ${made}`, rui.id],
  );
  await database.query('update users set password_hash = null where id = $1', [vera.id]);
  await database.query(
    `insert into identities (issuer, subject, user_id, created_at) values ('https://accounts.google.com', $1, $2, to_timestamp(0))`,
    [`subject ${made}`, ana.id],
  );
  const { members } = (await calls.query(whole.owner, 'accounts.teams.view', { team })).body.result.data.json;
  const ways = Object.fromEntries(members.map(({ id, ways: all }: { id: number; ways: string[] }) => [id, all]));
  expect(ways[rui.id]).toEqual(['password', 'passkey']);
  expect(ways[ana.id]).toEqual(['password', 'google']);
  expect(ways[vera.id]).toEqual(['link']);
});

it('notes who was here, every five minutes at most', async () => {
  const seen = async () =>
    (await database.query<{ at: Date }>('select last_active_at as at from users where id = $1', [rui.id]))[0]?.at;
  const before = await seen();
  clock.advance(4 * 60_000);
  await calls.query(rui.cookie, 'accounts.me').expect(200);
  expect(await seen()).toEqual(before);
  clock.advance(2 * 60_000);
  await calls.query(rui.cookie, 'accounts.me').expect(200);
  expect(await seen()).toEqual(new Date(clock.now()));
});

it('is renamed by admins', async () => {
  await change(rui.cookie, 'rename', { name: 'Não' }).expect(403);
  await change(ana.cookie, 'rename', { name: '' }).expect(400);
  await change(ana.cookie, 'rename', { name: 'Torra' }).expect(200);
  expect(await database.query('select name from teams where id = $1', [team])).toEqual([{ name: 'Torra' }]);
});

it('lets admins change everybody but owners, and make none', async () => {
  await change(ana.cookie, 'changeRole', { user: rui.id, role: 'admin' }).expect(200);
  await change(ana.cookie, 'changeRole', { user: rui.id, role: 'viewer' }).expect(200);
  await change(ana.cookie, 'changeRole', { user: rui.id, role: 'owner' }).expect(403);
  await change(ana.cookie, 'changeRole', { user: ana.id, role: 'owner' }).expect(403);
  await change(ana.cookie, 'changeRole', { user: await ownerId(), role: 'viewer' }).expect(403);
  await change(ana.cookie, 'remove', { user: await ownerId() }).expect(403);
  await change(ana.cookie, 'changeRole', { user: rui.id, role: 'king' }).expect(400);
  await change(rui.cookie, 'changeRole', { user: vera.id, role: 'member' }).expect(403);
  expect(await roles()).toEqual({ 'Marina Duarte': 'owner', Ana: 'admin', Rui: 'viewer', Vera: 'viewer' });
});

it('keeps its last owner, and says why', async () => {
  const owner = await ownerId();
  for (const refused of [
    await change(whole.owner, 'leave'),
    await change(whole.owner, 'remove', { user: owner }),
    await change(whole.owner, 'changeRole', { user: owner, role: 'admin' }),
  ]) {
    expect(refused.status).toBe(409);
    expect(refused.body.error.json.data).toMatchObject({ appCode: 'conflict', field: 'user' });
  }
  await change(whole.owner, 'changeRole', { user: ana.id, role: 'owner' }).expect(200);
  await change(whole.owner, 'changeRole', { user: owner, role: 'admin' }).expect(200);
  expect(await roles()).toMatchObject({ 'Marina Duarte': 'admin', Ana: 'owner' });
  await change(ana.cookie, 'leave').expect(409);
});

it('keeps an owner when two leave at the same moment', async () => {
  await change(whole.owner, 'changeRole', { user: ana.id, role: 'owner' }).expect(200);
  const left = await Promise.all([change(whole.owner, 'leave'), change(ana.cookie, 'leave')]);
  expect(left.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(Object.values(await roles()).filter((role) => role === 'owner')).toHaveLength(1);
});

it('can be transferred after recent authentication of the owner', async () => {
  await change(ana.cookie, 'transfer', { user: ana.id }).expect(403);
  await change(whole.owner, 'transfer', { user: 99_999 }).expect(404);
  await change(whole.owner, 'transfer', { user: await ownerId() }).expect(409);
  clock.advance(11 * 60_000);
  const stale = await change(whole.owner, 'transfer', { user: rui.id }).expect(403);
  expect(stale.body.error.json.data.field).toBe('proof');
  const staleToo = await change(whole.owner, 'changeRole', { user: rui.id, role: 'owner' }).expect(403);
  expect(staleToo.body.error.json.data.field).toBe('proof');
  await calls.post('/api/sign-in/prove', { password: OWNER.password }, whole.owner).expect(200);
  await change(whole.owner, 'transfer', { user: rui.id }).expect(200);
  expect(await roles()).toMatchObject({ 'Marina Duarte': 'admin', Rui: 'owner' });
});

it('is hidden from people who were removed or have left', async () => {
  await change(ana.cookie, 'remove', { user: rui.id }).expect(200);
  await change(vera.cookie, 'leave').expect(200);
  for (const { cookie } of [rui, vera]) {
    await calls.query(cookie, 'accounts.teams.view', { team }).expect(404);
  }
  expect(await roles()).toEqual({ 'Marina Duarte': 'owner', Ana: 'admin' });
  await change(ana.cookie, 'remove', { user: rui.id }).expect(404);
});

it('revokes the invitations of members who may no longer invite', async () => {
  const invite = (cookie: string, email: string) =>
    change(cookie, 'invite', { email, role: 'viewer', by: 'link' }).expect(200);
  await invite(ana.cookie, 'one@example.com');
  await invite(whole.owner, 'two@example.com');
  await change(whole.owner, 'changeRole', { user: ana.id, role: 'member' }).expect(200);
  const { invitations } = (await calls.query(whole.owner, 'accounts.teams.view', { team })).body.result.data.json;
  expect(invitations.map(({ email }: { email: string }) => email)).toEqual(['two@example.com']);
});

it('leaves nobody who was an owner a way back to it', async () => {
  const invite = async (role: string, email: string) => {
    const made = await change(whole.owner, 'invite', { email, role, by: 'link' }).expect(200);
    return tokenOf(made.body.result.data.json.link);
  };
  const look = async (token: string) =>
    (await calls.query('', 'accounts.teams.invitation', { token })).body.result.data.json.state;
  const made = [await invite('owner', 'mine@example.com'), await invite('admin', 'other@example.com')];
  await change(whole.owner, 'transfer', { user: ana.id }).expect(200);
  expect(await Promise.all(made.map(look))).toEqual(['gone', 'open']);
  await change(ana.cookie, 'changeRole', { user: await ownerId(), role: 'owner' }).expect(200);
  const again = await invite('owner', 'mine@example.com');
  await change(ana.cookie, 'changeRole', { user: await ownerId(), role: 'admin' }).expect(200);
  expect(await look(again)).toBe('gone');
});

it('logs refused calls, rate limited', async () => {
  for (let tries = 0; tries < 3; tries++) await change(vera.cookie, 'rename', { name: 'x' }).expect(403);
  await change(rui.cookie, 'rename', { name: 'x' }).expect(403);
  const refused = () =>
    database.query(
      `select user_id, details from audit where team_id = $1 and action = 'access.refused' order by user_id = $2, id`,
      [team, rui.id],
    );
  // They are written after the answer, each by itself.
  await until(async () => (await refused()).length > 1);
  const details = { what: 'accounts.teams.rename' };
  expect(await refused()).toEqual([
    { user_id: vera.id, details },
    { user_id: rui.id, details },
  ]);
});

it('has a log of all of it, for admins', async () => {
  await change(ana.cookie, 'changeRole', { user: rui.id, role: 'viewer' }).expect(200);
  await change(ana.cookie, 'remove', { user: rui.id }).expect(200);
  expect(await actions()).toEqual([
    'team.created',
    ...['Ana', 'Rui', 'Vera'].flatMap(() => ['invitation.made', 'member.joined']),
    ...['member.roleChanged', 'member.removed'],
  ]);
  await calls.query(vera.cookie, 'accounts.teams.activity', { team }).expect(403);
  const log = (await calls.query(ana.cookie, 'accounts.teams.activity', { team, kind: 'members', person: ana.id })).body
    .result.data.json;
  expect(log.items[0]).toMatchObject({
    actor: { id: ana.id, name: `Ana ${made}`, email: ana.email },
    action: 'member.removed',
    details: { who: `Rui ${made}`, role: 'viewer' },
    address: expect.stringContaining('127.0.0.1'),
  });
  expect(log.items).toHaveLength(3);
  for (const at of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -8_640_000_000_000_000]) {
    const before = { at, id: 1 };
    expect([at, (await calls.query(ana.cookie, 'accounts.teams.activity', { team, before })).status]).toEqual([
      at,
      400,
    ]);
  }
});
