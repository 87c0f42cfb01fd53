/**
 * A copy of the database, as a dump or our backup is one, given to a second installation with another secret: nothing that it holds signs anybody
 * in there, and what the secret sealed stays closed.
 */
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { generateSync } from 'otplib';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import { backup, restore } from '#src/store/backup.ts';
import { createDatabase, useDatabase } from '#test/kit/database.ts';
import { callsOf, tokenOf } from '#test/kit/people.ts';
import request from '#test/kit/request.ts';
import { withClient } from '#test/kit/server.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { openWholeApp, useWholeApp } from '#test/kit/whole-app.ts';
import { person } from './own/person.ts';

const here = { AUTH_SECRET: 'the secret of the installation that runs' };
const there = { AUTH_SECRET: 'another secret, of the holder of the copy' };
const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, here);

/** What people hold here, by what it is. */
let held: Record<'session' | 'apiKey' | 'codes' | 'recovery' | 'invitation' | 'reset', string>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luneta-dump-'));
  const calls = callsOf(whole);
  const owner = person(whole.app, whole.owner);
  const codes = (await owner.call('beginCodes')).data.secret.replaceAll(' ', '');
  const [recovery] = (await owner.call('confirmCodes', { code: generateSync({ secret: codes }) })).data;
  const key = { name: 'copied', scopes: [...keyScopes], projects: null, days: 'never' };
  const made = await calls.mutation(whole.owner, 'projects.apiKeys.create', key).expect(200);
  const invite = { team: whole.team, email: 'rui@serrana.example', role: 'admin', by: 'link' };
  const invited = await calls.mutation(whole.owner, 'accounts.teams.invite', invite).expect(200);
  await calls.post('/api/sign-in/forgot', { email: OWNER.email }).expect(200);
  const reset = await resetLink(calls);
  held = {
    session:
      decodeURIComponent(whole.owner.split('=')[1] ?? '')
        .slice(2)
        .split('.')[0] ?? '',
    apiKey: made.body.result.data.json.key,
    codes,
    recovery,
    invitation: tokenOf(invited.body.result.data.json.link),
    reset,
  };
});
afterAll(() => rm(folder, { recursive: true }));

/** As an owner copies it from the outbox; it is written behind the answer. */
async function resetLink({ query, mutation }: ReturnType<typeof callsOf>): Promise<string> {
  for (;;) {
    const outbox = await query(whole.owner, 'mail.outbox', { team: whole.team }).expect(200);
    const items = outbox.body.result.data.json.items as { id: string; kind: string }[];
    const mail = items.find(({ kind }) => kind === 'resetPassword');
    if (mail === undefined) continue;
    const shown = await mutation(whole.owner, 'mail.link', { team: whole.team, id: mail.id }).expect(200);
    return new URL(shown.body.result.data.json).pathname.split('/').at(-1) ?? '';
  }
}

const copies: [string, (url: string) => Promise<void>][] = [
  [
    'a dump',
    async (url) => {
      const [from, to] = [new URL(database.url).pathname.slice(1), new URL(url).pathname.slice(1)];
      const admin = new URL(url);
      admin.pathname = '/postgres';
      await withClient(admin.href, async (client) => {
        await client.query(`drop database ${client.escapeIdentifier(to)}`);
        await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [from]);
        await client.query(`create database ${client.escapeIdentifier(to)} template ${client.escapeIdentifier(from)}`);
      });
    },
  ],
  [
    'our backup',
    async (url) => {
      const file = join(folder, 'copy.gz');
      const options = { log: createLog('silent'), clock: systemClock };
      await backup(file, { ...options, config: whole.config });
      await restore(file, { ...options, config: { ...whole.config, DATABASE_URL: url } });
    },
  ],
];

describe.each(copies)('%s', (_, copy) => {
  let texts: Set<string>;
  let second: Awaited<ReturnType<typeof openWholeApp>>;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const target = await createDatabase({ migrated: false });
    await copy(target.url);
    texts = await textsOf(target.url);
    second = await openWholeApp({ ...whole.config, DATABASE_URL: target.url, ...there });
    drop = async () => {
      await second.stop();
      await target.drop();
    };
  });
  afterAll(() => drop());
  const app = (): Express => second.app;

  it('holds none of what people hold', () => {
    const all = [...texts].join('\n');
    expect(all).toContain(OWNER.email);
    for (const [what, secret] of Object.entries(held)) {
      expect(secret.length).toBeGreaterThan(8);
      expect([what, all.includes(secret)]).toEqual([what, false]);
    }
    expect(all).not.toContain(here.AUTH_SECRET);
  });

  it('signs nobody in by a session, of here or made of what it holds', async () => {
    expect(await isIn(whole.app, whole.owner)).toBe(true);
    expect(await isIn(app(), whole.owner)).toBe(false);
    for (const text of short(texts)) expect(await isIn(app(), cookieOf(text))).toBe(false);
  });

  it('opens nothing by what it holds as a key or as a link', async () => {
    const { post } = callsOf({ app: app() });
    for (const text of short(texts)) {
      await request(app()).get('/api/v1/projects').set('Authorization', `Bearer ${text}`).expect(401);
      await request(app()).get('/api/v1/projects').set('Authorization', `Bearer lnk_${text}`).expect(401);
    }
    for (const token of short(texts)) {
      await withClient(second.config.DATABASE_URL, (client) => client.query('delete from rate_limits'));
      const account = { token, name: 'Nobody', password: OWNER.password, language: 'en', timeZone: 'UTC' };
      const tried = [
        await post('/api/sign-in/link/use', { token }),
        await post('/api/sign-in/new-password', { token, password: 'a password of nobody' }),
        await post('/api/sign-in/confirm', { token }),
        await post('/api/sign-in/invitation', account),
      ];
      expect(tried.filter(({ status }) => status < 400)).toEqual([]);
    }
  });

  it('keeps the second step closed, whose key the secret seals', async () => {
    const someone = person(app());
    const { body } = await someone.post('password', { email: OWNER.email, password: OWNER.password });
    expect(body).toEqual({ secondStep: true });
    const { status } = await someone.post('second-step', { code: generateSync({ secret: held.codes }) });
    expect(status).toBe(409);
    expect(await isIn(app(), someone.cookie)).toBe(false);
  });
});

function cookieOf(sid: string): string {
  const signature = createHmac('sha256', there.AUTH_SECRET).update(sid).digest('base64').replace(/=+$/, '');
  return `luneta=${encodeURIComponent(`s:${sid}.${signature}`)}`;
}

async function isIn(app: Express, cookie: string): Promise<boolean> {
  const { body } = await callsOf({ app }).query(cookie, 'accounts.me');
  return body.result?.data.json != null;
}

/** Texts that a session, a key or a link could be. */
function short(texts: Set<string>): string[] {
  return [...texts].filter((text) => /^[\w+/=-]{16,128}$/.test(text));
}

/** Every value of every table as a text; bytes as hexadecimal digits and as base64. */
async function textsOf(url: string): Promise<Set<string>> {
  return withClient(url, async (client) => {
    const texts = new Set<string>();
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r'`,
    );
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${client.escapeIdentifier(name)}`);
      for (const value of rows.flatMap((row) => Object.values(row))) {
        if (Buffer.isBuffer(value))
          for (const as of ['hex', 'base64', 'base64url', 'utf8'] as const) texts.add(value.toString(as));
        else if (value !== null) texts.add(typeof value === 'string' ? value : JSON.stringify(value));
      }
    }
    return texts;
  });
}
