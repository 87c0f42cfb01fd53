/** Accounts, sessions and pages over a real database, without what collects: as many of them as a test wants on one database. */
import type { Express } from 'express';
import request, { type Test } from 'supertest';
import { type Accounts, createAccounts } from '#src/accounts/accounts.ts';
import { access } from '#src/accounts/rights/values.ts';
import type { Config } from '#src/config.ts';
import type { Clock } from '#src/kit/clock.ts';
import { createLimits } from '#src/limits/limits.ts';
import { createMail, type Mail } from '#src/mail/mail.ts';
import { createProjects } from '#src/projects/projects.ts';
import { openSessionPool } from '#src/store/db.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { createSessions } from '#src/web/session.ts';
import { testApp } from './app.ts';
import type { TestDatabase } from './database.ts';
import { testDeps } from './deps.ts';

export interface AccountsAppOptions {
  config?: Partial<Config>;
  clock?: Clock;
  fetch?: typeof globalThis.fetch;
  /** Another mail service than SendGrid. */
  sendgridUrl?: string;
}

export interface AccountsApp {
  app: Express;
  accounts: Accounts;
  mail: Mail;
  config: Config;
  /** As the browser posts. */
  post(path: string, body?: object, cookie?: string): Test;
  get(path: string, cookie?: string): Test;
  /** Name of the cookie's person; null: none. */
  who(cookie: string): Promise<string | null>;
  close(): Promise<void>;
}

export function startAccounts(database: TestDatabase, options: AccountsAppOptions = {}): AccountsApp {
  const { sendgridUrl, ...overrides } = options;
  const deps = testDeps(database.url, overrides);
  const projects = createProjects(deps);
  const secrets = createSecrets(deps);
  const limits = createLimits(deps);
  const mail = createMail(deps, { secrets, ...(sendgridUrl === undefined ? {} : { sendgridUrl }) });
  const accounts = createAccounts(deps, { projects, mail, secrets, limits });
  const pool = openSessionPool(deps.config, deps.log);
  const sessions = createSessions({ deps, pool, accounts, secrets });
  const { app } = testApp({ deps, rooms: { projects, mail, accounts, limits }, sessions, access });
  const get = (path: string, cookie = '') => request(app).get(path).set('Cookie', cookie);
  return {
    app,
    accounts,
    mail,
    config: deps.config,
    get,
    post: (path, body = {}, cookie = '') =>
      request(app).post(path).set('Cookie', cookie).set('Sec-Fetch-Site', 'same-origin').send(body),
    async who(cookie) {
      const { body } = await get('/api/trpc/accounts.me', cookie);
      return body.result?.data.json.name ?? null;
    },
    async close() {
      await accounts.stop();
      await mail.stop();
      await pool.end();
      await deps.close();
    },
  };
}
