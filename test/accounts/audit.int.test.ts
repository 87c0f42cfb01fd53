/** The log of who did what: what it keeps, in which order it comes back, and what it refuses to keep. */
import { type Audit, createAudit } from '#src/accounts/audit.ts';
import type { TeamId } from '#src/accounts/contract.ts';
import type { AuditCursor } from '#src/accounts/teams/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
let deps: TestDeps;
let audit: Audit;

const marina = { name: 'Marina Duarte', email: 'marina@serrana.example' };

async function makeTeam(): Promise<TeamId> {
  const [team] = await database.query<{ id: TeamId }>(
    `insert into teams (name, created_at) values ('Serrana', to_timestamp(0)) returning id`,
  );
  return team?.id as TeamId;
}

async function makeUser(name: string): Promise<number> {
  const [user] = await database.query<{ id: number }>(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), $1, $1, $1, 'en', 'UTC', to_timestamp(0)) returning id`,
    [name],
  );
  return user?.id as number;
}

beforeEach(() => {
  deps = testDeps(database.url);
  audit = createAudit(deps);
});
afterEach(() => deps.close());

it('keeps who, what, when and from where, by the name they had', async () => {
  const teamId = await makeTeam();
  const id = await makeUser('marina@serrana.example');
  await audit.note(deps.db, {
    teamId,
    projectId: 7,
    actor: { id, ...marina },
    action: 'member.roleChanged',
    details: { who: 'Rafael Tavares', from: 'member', to: 'admin' },
    address: '203.0.113.7',
  });
  await database.query(`update users set name = 'Someone else', email = 'new@serrana.example' where id = $1`, [id]);
  expect((await audit.list(teamId, {})).items).toEqual([
    {
      id: expect.any(Number),
      at: TEST_TIME,
      actor: { id, ...marina },
      action: 'member.roleChanged',
      details: { who: 'Rafael Tavares', from: 'member', to: 'admin' },
      project: 7,
      address: '203.0.113.7',
    },
  ]);
  // The account goes, what was done stays.
  await database.query('delete from users');
  expect((await audit.list(teamId, {})).items[0]?.actor).toEqual({ id: null, ...marina });
});

it('pages from the newest to the oldest, each row once, also when rows are added meanwhile', async () => {
  const teamId = await makeTeam();
  const other = await makeTeam();
  for (let at = 0; at < 120; at++) {
    // Three at the same time: the time alone does not order them.
    if (at % 3 === 0) deps.clock.advance(1_000);
    await audit.note(deps.db, { teamId, actor: marina, action: 'key.created', details: { name: `key ${at}` } });
    await audit.note(deps.db, { teamId: other, actor: marina, action: 'key.created', details: { name: 'not ours' } });
  }
  const seen: unknown[] = [];
  let before: AuditCursor | null = null;
  do {
    const page = await audit.list(teamId, before === null ? {} : { before });
    seen.push(...page.items.map(({ details }) => details['name']));
    before = page.before;
    await audit.note(deps.db, { teamId, actor: marina, action: 'key.created', details: { name: 'later' } });
  } while (before !== null);
  expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => `key ${119 - at}`));
});

it('is filtered by kind and by person, and knows who is in it', async () => {
  const teamId = await makeTeam();
  const [ana, rui] = [await makeUser('ana'), await makeUser('rui')];
  await audit.note(deps.db, { teamId, actor: { id: ana, name: 'Ana' }, action: 'member.joined' });
  await audit.note(deps.db, { teamId, actor: { id: rui, name: 'Rui' }, action: 'key.created' });
  await audit.note(deps.db, { teamId, actor: { name: 'Luneta' }, action: 'project.deleted' });
  const actions = async (asked: Parameters<Audit['list']>[1]) =>
    (await audit.list(teamId, asked)).items.map(({ action }) => action);
  expect(await actions({ kind: 'keys' })).toEqual(['key.created']);
  expect(await actions({ person: ana })).toEqual(['member.joined']);
  expect(await actions({ person: ana, kind: 'keys' })).toEqual([]);
  expect((await audit.list(teamId, { kind: 'keys' })).people).toEqual([
    { id: ana, name: 'Ana' },
    { id: rui, name: 'Rui' },
  ]);
});

it.each(['token', 'newPassword', 'recovery_code', 'inviteLink', 'keyHash', 'Secret'])(
  'refuses a detail that is called %s',
  async (name) => {
    const entry = { actor: marina, action: 'key.created' as const, details: { [name]: 'x' } };
    await expect(audit.note(deps.db, entry)).rejects.toThrow('must not store secrets');
    expect(await database.query('select from audit')).toEqual([]);
  },
);

it('cuts what is too long to be a name', async () => {
  const teamId = await makeTeam();
  await audit.note(deps.db, { teamId, actor: { name: 'x'.repeat(5_000) }, action: 'signIn.failed' });
  expect((await audit.list(teamId, {})).items[0]?.actor.name).toHaveLength(200);
});
