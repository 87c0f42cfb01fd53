/** The room's calls over HTTP: who may see which mail, and what leaves the server. */
import request from 'supertest';
import type { Accounts } from '#src/accounts/accounts.ts';
import { type AuditEntry, createAudit } from '#src/accounts/audit.ts';
import type { Reader as Person, TeamId } from '#src/accounts/contract.ts';
import { createMail, type Mail } from '#src/mail/mail.ts';
import type { Role } from '#src/projects/contract.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { type TestApp, testApp } from '#test/kit/app.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { testReader, testSessions } from '#test/kit/reader.ts';

const database = useDatabase();
const link = 'https://luneta.example.com/invite/9f8e7d6c5b4a';
const own = { 'Sec-Fetch-Site': 'same-origin' };
let deps: TestDeps;
let mail: Mail;
let team: TeamId;
let apps: TestApp[];

beforeEach(async () => {
  deps = testDeps(database.url);
  mail = createMail(deps, { secrets: createSecrets(deps) });
  apps = [];
  const [row] = await database.query<{ id: TeamId }>(
    `insert into teams (name, created_at) values ('Serrana', to_timestamp(0)) returning id`,
  );
  team = row?.id as TeamId;
});
afterEach(async () => {
  for (const app of apps) await app.close();
  await deps.close();
});

function appOf(person: Person | null, config = {}) {
  const { note } = createAudit(deps);
  // The kit's person is in no table.
  const audit = {
    note: (_: unknown, entry: AuditEntry) => note(deps.db, { ...entry, actor: { name: entry.actor.name } }),
    refused: () => undefined,
  };
  const accounts = { audit } as unknown as Accounts;
  const app = testApp({ rooms: { mail, accounts }, sessions: testSessions(person), deps: { config } });
  apps.push(app);
  return request(app.app);
}

function personOf(role: Role, of: TeamId = team): Person {
  return testReader(role, { operator: false, teams: [{ id: of, name: 'Serrana', role, deletesAt: null }] });
}

async function invite(): Promise<string> {
  const { id } = await mail.send(deps.db, {
    kind: 'invitation',
    to: 'joana@example.com',
    language: 'en',
    teamId: team,
    data: { link, inviter: 'Marina', team: 'Serrana', role: 'viewer', days: 7 },
  });
  return id;
}

const ask = (person: Person | null, path: string, input: object, config = {}) =>
  appOf(person, config)
    .get(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`)
    .set(own);
const change = (person: Person | null, path: string, input: object) =>
  appOf(person).post(`/api/trpc/${path}`).set(own).send({ json: input });

it('shows admins the mails of their team, and nobody else', async () => {
  await invite();
  const seen = await ask(personOf('admin'), 'mail.outbox', { team }).expect(200);
  expect(seen.body.result.data.json.items).toMatchObject([{ to: 'joana@example.com', state: 'outbox', hasLink: true }]);
  expect(seen.text).not.toContain('9f8e7d6c5b4a');
  expect(seen.headers['cache-control']).toContain('no-store');
  await ask(personOf('member'), 'mail.outbox', { team }).expect(403);
  await ask(personOf('owner', (team + 1) as TeamId), 'mail.outbox', { team }).expect(404);
  await ask(null, 'mail.outbox', { team }).expect(401);
});

it('gives the link to those, by a request that changes nothing else and cannot be a GET', async () => {
  const id = await invite();
  const given = await change(personOf('admin'), 'mail.link', { team, id }).expect(200);
  expect(given.body.result.data.json).toBe(link);
  expect(await database.query('select team_id, actor, action, details from audit')).toEqual([
    {
      team_id: team,
      actor: 'Marina Duarte',
      action: 'mail.linkShown',
      details: { kind: 'invitation', to: 'joana@example.com' },
    },
  ]);
  await change(personOf('member'), 'mail.link', { team, id }).expect(403);
  await change(personOf('owner', (team + 1) as TeamId), 'mail.link', { team: team + 1, id }).expect(404);
  await ask(personOf('admin'), 'mail.link', { team, id }).expect(405);
});

it('shows mails without a team only to operators', async () => {
  await mail.send(deps.db, {
    kind: 'magicLink',
    to: 'rafael@example.com',
    language: 'en',
    data: { link, minutes: 10 },
  });
  const countOf = async (person: Person, config = {}) =>
    (await ask(person, 'mail.outbox', { team }, config)).body.result.data.json.items.length;
  expect(await countOf(personOf('owner'))).toBe(0);
  expect(await countOf({ ...personOf('admin'), operator: true })).toBe(1);
  // `npm start` without settings is that mode, also where others can sign in and make teams of their own.
  expect(await countOf(personOf('owner'), { NODE_ENV: 'development' })).toBe(0);
});

it('sends a test only to the caller, regardless of the input', async () => {
  const sent = await change(personOf('admin'), 'mail.sendTest', {
    team,
    to: 'eve@example.com',
    address: 'eve@example.com',
  });
  expect(sent.body.result.data.json).toEqual({ state: 'outbox', to: 'marina@serrana.example', error: null });
  expect(await database.query('select to_address from mails')).toEqual([{ to_address: 'marina@serrana.example' }]);
});
