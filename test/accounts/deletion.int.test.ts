/** The end of teams and projects: a week in which everything goes on, and after it no row in any table. */
import request from 'supertest';
import { fixedClock } from '#src/kit/clock.ts';
import { forgets } from '#src/parts.ts';
import type { Forget } from '#src/projects/forget.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { cookieOf, OWNER } from '#test/kit/sign-in.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const database = useDatabase({ between: 'nothing' });
const clock = fixedClock(Date.now());
const whole = useWholeApp(database, {}, { clock });

let made = 0;
let team: number;
let project: { id: number; name: string; token: string };
let calls: ReturnType<typeof callsOf>;
let owner: string;

beforeEach(async () => {
  made += 1;
  calls = callsOf(whole);
  await signIn();
  const created = await calls.mutation(owner, 'accounts.teams.create', { name: `Equipe ${made}` }).expect(200);
  team = created.body.result.data.json.id;
  const { projects } = whole.parts.rooms;
  project = await projects.create({ name: `Loja ${made}`, timeZone: 'UTC', teamId: team });
});

/** Sign-ins do not outlast what these tests wait for. */
async function signIn(): Promise<void> {
  const { email, password } = OWNER;
  owner = cookieOf((await calls.post('/api/sign-in/password', { email, password }).expect(200)).headers);
}

const ofProject = (procedure: string, input: object = {}) =>
  calls.mutation(owner, `accounts.teams.${procedure}`, { project: String(project.id), ...input });
const ofTeam = (procedure: string, input: object = {}) =>
  calls.mutation(owner, `accounts.teams.${procedure}`, { team, ...input });
const run = (list: readonly Forget[] = forgets, signal = new AbortController().signal) =>
  whole.parts.rooms.accounts.deletion.run(signal, list);

/** The week, the minute in which tokens are forgotten, and what is done after each. */
async function passAWeek(): Promise<void> {
  clock.advance(7 * DAY_MS);
  await run();
  clock.advance(MINUTE_MS);
  await run();
  await signIn();
}

const send = (token: string) =>
  request(whole.app)
    .post('/ingest/e/')
    .set('Content-Type', 'application/json')
    .set('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36')
    .send(JSON.stringify({ api_key: token, event: 'sold', distinct_id: 'someone', properties: { $lib: 'web' } }));

const countOf = async (table: string, column: string, id: number) =>
  Number(
    (await database.query<{ count: string }>(`select count(*) from ${table} where ${column} = $1`, [id]))[0]?.count,
  );

/** Tables that hold something of a project or team, as the database itself lists them. */
async function tablesWith(column: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select c.relname as name
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       join pg_attribute a on a.attrelid = c.oid and a.attname = $1 and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition
      order by 1`,
    [column],
  );
  return rows.map(({ name }) => name);
}

/** A row with nothing but what the table insists on. */
async function fill(table: string, column: string, id: number, serial: number): Promise<void> {
  const columns = await database.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and column_name <> $2
        -- A note has a moment or a day, a recipient an account or an address.
        and (is_nullable = 'NO' and column_default is null
             or (table_name, column_name) in (('annotations', 'at'), ('report_recipients', 'address')))`,
    [table, column],
  );
  if (table === 'replay_blocks') {
    const week = sampleOf('week', 'integer', serial);
    await database.query(
      `create table if not exists replay_blocks_${week} partition of replay_blocks for values in (${week})`,
    );
  }
  const ofRecording = ['replay_comments', 'replay_views'].includes(table);
  const values = columns.map(({ name, type }) =>
    ofRecording && name === 'session'
      ? `(select session from replay_sessions where ${column} = ${id} limit 1)`
      : sampleOf(name, type, serial),
  );
  const names = [column, ...columns.map(({ name }) => name)].map((name) => `"${name}"`);
  await database.query(`insert into ${table} (${names.join(', ')}) values (${[id, ...values].join(', ')})`);
}

function sampleOf(name: string, type: string, serial: number): string {
  // Weeks of the uuid ledger are partitions that have to be there.
  if (name === 'week') return String(Math.floor(clock.now() / (7 * DAY_MS)));
  if (name === 'user_id') return '(select min(id) from users)';
  if (name === 'one') return 'true';
  const samples: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    text: `'${serial}'`,
    bytea: `'\\x${serial.toString(16).padStart(4, '0')}'`,
    boolean: 'true',
    jsonb: `'{}'`,
    json: `'{}'`,
    date: `'2026-01-01'`,
    ARRAY: `'{}'`,
  };
  if (type.startsWith('timestamp')) return `timestamptz '2026-01-01' + interval '1 second' * ${serial}`;
  return samples[type] ?? String(serial);
}

describe('a project', () => {
  it('waits a week, in which it goes on, and can be kept', async () => {
    const asked = await ofProject('askProjectDeletion', { name: `Loja ${made}` }).expect(200);
    expect(asked.body.result.data.json).toEqual({ deletesAt: clock.now() + 7 * DAY_MS });
    const mails = await database.query(
      "select kind, to_address, readable_by, subject from mails where team_id = $1 and subject like '%' || $2 || '%'",
      [team, project.name],
    );
    expect(mails).toEqual([
      {
        ...{ kind: 'projectDeletion', to_address: OWNER.email, readable_by: 'owner' },
        subject: `Project ${project.name} is scheduled for deletion`,
      },
    ]);
    clock.advance(7 * DAY_MS - 1);
    await run();
    await signIn();
    await send(project.token).expect(200);
    await ofProject('undoProjectDeletion').expect(200);
    clock.advance(DAY_MS);
    await run();
    expect(await countOf('projects', 'id', project.id)).toBe(1);
    await ofProject('undoProjectDeletion').expect(409);
  });

  it('is only asked for with its name, by an owner who proved lately who they are', async () => {
    const refused = await ofProject('askProjectDeletion', { name: 'Loja' }).expect(400);
    expect(refused.body.error.json.data.field).toBe('name');
    const admin = await joinTeam(whole, { team, role: 'admin', name: `Ana ${made}`, cookie: owner });
    const input = { project: String(project.id), name: project.name };
    await calls.mutation(admin.cookie, 'accounts.teams.askProjectDeletion', input).expect(403);
    clock.advance(11 * MINUTE_MS);
    const stale = await ofProject('askProjectDeletion', { name: project.name }).expect(403);
    expect(stale.body.error.json.data.field).toBe('proof');
  });

  it('keeps the time that was said first', async () => {
    const first = await ofProject('askProjectDeletion', { name: project.name }).expect(200);
    clock.advance(MINUTE_MS);
    const second = await ofProject('askProjectDeletion', { name: project.name }).expect(200);
    expect(second.body.result.data.json).toEqual(first.body.result.data.json);
    expect(await countOf('mails', 'team_id', team)).toBe(1);
  });

  it('leaves no row in any table, and nothing of others is touched', async () => {
    const other = await whole.parts.rooms.projects.create({ name: 'Outra', timeZone: 'UTC', teamId: team });
    const tables = await tablesWith('project_id');
    expect(tables.length).toBeGreaterThan(20);
    // What is said of recordings needs one.
    tables.sort((one, other) => Number(other === 'replay_sessions') - Number(one === 'replay_sessions'));
    let serial = made * 100;
    for (const table of tables) {
      for (const id of [project.id, other.id]) await fill(table, 'project_id', id, serial++);
      expect([table, await countOf(table, 'project_id', project.id)]).not.toEqual([table, 0]);
    }
    const before = await Promise.all(tables.map((table) => countOf(table, 'project_id', other.id)));
    await ofProject('askProjectDeletion', { name: project.name }).expect(200);
    await passAWeek();
    const left = await Promise.all(
      tables.map(async (table) => [table, await countOf(table, 'project_id', project.id)]),
    );
    expect(left.filter(([, count]) => count !== 0)).toEqual([]);
    expect(await countOf('projects', 'id', project.id)).toBe(0);
    expect(await Promise.all(tables.map((table) => countOf(table, 'project_id', other.id)))).toEqual(before);
    const log = (await calls.query(owner, 'accounts.teams.activity', { team, kind: 'project' })).body.result.data.json;
    expect(log.items[0]).toMatchObject({
      actor: { name: 'Luneta' },
      action: 'project.deleted',
      details: { name: project.name },
      project: null,
    });
  });

  it('is nothing to anybody from its time on, and takes no more events', async () => {
    await send(project.token).expect(200);
    await ofProject('askProjectDeletion', { name: project.name }).expect(200);
    clock.advance(7 * DAY_MS);
    await run();
    await signIn();
    await calls.query(owner, 'projects.get', { project: String(project.id) }).expect(404);
    expect(await countOf('persons', 'project_id', project.id)).toBeGreaterThan(0);
    clock.advance(MINUTE_MS);
    await run();
    expect(await countOf('persons', 'project_id', project.id)).toBe(0);
    await send(project.token).expect(401);
  });

  it('is deleted to the end when the work was cut off', async () => {
    await fill('persons', 'project_id', project.id, 1);
    await fill('sessions', 'project_id', project.id, 1);
    await ofProject('askProjectDeletion', { name: project.name }).expect(200);
    clock.advance(7 * DAY_MS);
    await run();
    clock.advance(MINUTE_MS);
    const failing: Forget = () => Promise.reject(new Error('the connection is gone'));
    await expect(run([forgets[1] as Forget, failing])).rejects.toThrow('gone');
    expect(await countOf('projects', 'id', project.id)).toBe(1);
    await expect(run(forgets, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping');
    await run();
    expect(await countOf('projects', 'id', project.id)).toBe(0);
    expect(await countOf('persons', 'project_id', project.id)).toBe(0);
  });

  it('goes also when another one cannot', async () => {
    const other = await database.query<{ id: number }>(
      `insert into projects (name, team_id, created_at) select 'Stuck', team_id, created_at from projects where id = $1 returning id`,
      [project.id],
    );
    const stuck = other[0]?.id as number;
    await fill('project_tokens', 'project_id', stuck, 1);
    for (const id of [stuck, project.id]) await fill('persons', 'project_id', id, 1);
    await database.query(`update projects set deletes_at = $1 where id = any($2)`, [
      new Date(clock.now()),
      [project.id, stuck],
    ]);
    clock.advance(MINUTE_MS);
    await run();
    clock.advance(MINUTE_MS);
    const failing: Forget = (_on, id) => (id === stuck ? Promise.reject(new Error('keys')) : Promise.resolve());
    await expect(run([failing, ...forgets])).rejects.toThrow('keys');
    expect(await countOf('projects', 'id', project.id)).toBe(0);
    expect(await countOf('projects', 'id', stuck)).toBe(1);
    await run();
    expect(await countOf('projects', 'id', stuck)).toBe(0);
  });

  it('is looked after once more for what came late from some disk', async () => {
    await ofProject('askProjectDeletion', { name: project.name }).expect(200);
    await passAWeek();
    await fill('event_counts', 'project_id', project.id, 1);
    clock.advance(DAY_MS);
    await run();
    expect(await countOf('event_counts', 'project_id', project.id)).toBe(0);
    clock.advance(31 * DAY_MS);
    await run();
    await run();
    expect(await countOf('gone_projects', 'id', project.id)).toBe(0);
  });

  it('loses all its events, however many there are', async () => {
    await database.query(
      `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks)
       select timestamptz '2026-11-01' + interval '1 microsecond' * n, timestamptz '2026-11-01', gen_random_uuid(), $1, 1, 1, 1, 1, 0
         from generate_series(1, 12000) n`,
      [project.id],
    );
    await ofProject('askProjectDeletion', { name: project.name }).expect(200);
    await passAWeek();
    expect(await countOf('events', 'project_id', project.id)).toBe(0);
    expect(await countOf('stale_units', 'project_id', project.id)).toBe(0);
  });

  it('of Luneta itself stays', async () => {
    const own = { project: '1', name: 'Luneta' };
    await calls.mutation(owner, 'accounts.teams.askProjectDeletion', own).expect(409);
  });
});

describe('a team', () => {
  it('waits a week, notifies its owners, and can be undone', async () => {
    await ofTeam('askDeletion', { name: 'Outra' }).expect(400);
    await ofTeam('askDeletion', { name: `Equipe ${made}` }).expect(200);
    const mails = await database.query('select kind, to_address, readable_by from mails where team_id = $1', [team]);
    expect(mails).toEqual([{ kind: 'teamDeletion', to_address: OWNER.email, readable_by: 'owner' }]);
    const invite = { email: 'late@example.com', role: 'viewer', by: 'link' };
    await ofTeam('invite', invite).expect(409);
    await ofTeam('undoDeletion').expect(200);
    await passAWeek();
    expect(await countOf('teams', 'id', team)).toBe(1);
    expect(await countOf('projects', 'id', project.id)).toBe(1);
    await ofTeam('undoDeletion').expect(409);
  });

  it('goes with its projects and everything of its own, and with no other', async () => {
    const tables = await tablesWith('team_id');
    expect(tables).toEqual(expect.arrayContaining(['audit', 'invitations', 'mails', 'members', 'projects']));
    await joinTeam(whole, { team, role: 'viewer', name: `Vera ${made}`, cookie: owner });
    await ofTeam('askDeletion', { name: `Equipe ${made}` }).expect(200);
    for (const table of tables) {
      expect([table, await countOf(table, 'team_id', team)]).not.toEqual([table, 0]);
    }
    const before = await Promise.all(tables.map((table) => countOf(table, 'team_id', whole.team)));
    await passAWeek();
    const left = await Promise.all(tables.map(async (table) => [table, await countOf(table, 'team_id', team)]));
    expect(left.filter(([, count]) => count !== 0)).toEqual([]);
    expect(await countOf('teams', 'id', team)).toBe(0);
    expect(await countOf('projects', 'id', project.id)).toBe(0);
    expect(await Promise.all(tables.map((table) => countOf(table, 'team_id', whole.team)))).toEqual(before);
    await calls.query(owner, 'accounts.teams.view', { team }).expect(404);
    // Whoever was in it keeps their account.
    expect(await countOf('users', 'id', 1)).toBe(1);
  });

  it('with Luneta’s own project stays', async () => {
    const own = { team: whole.team, name: OWNER.team };
    const refused = await calls.mutation(owner, 'accounts.teams.askDeletion', own).expect(409);
    expect(refused.body.error.json.data.field).toBe('team');
  });
});
