/** Accounts for tests over a real database. */
import type { Express } from 'express';
import request from 'supertest';
import type { TestDatabase } from './database.ts';
import { TEST_TEAM } from './reader.ts';

export const OWNER = {
  name: 'Marina Duarte',
  email: 'marina@serrana.example',
  password: 'doze garrafas de azeite',
  language: 'en',
  timeZone: 'America/Sao_Paulo',
  team: 'Serrana',
  project: 'Loja',
} as const;

/** Sets a fresh installation up as its first person does. Gives the cookie of their session, and the project they made. */
export async function setUpOwner(
  app: Express | string,
  setupToken?: string,
): Promise<{ cookie: string; project: number }> {
  const answer = await request(app)
    .post('/api/sign-in/setup')
    .set('Sec-Fetch-Site', 'same-origin')
    .send({ ...OWNER, ...(setupToken === undefined ? {} : { setupToken }) })
    .expect(200);
  return { cookie: cookieOf(answer.headers), project: (answer.body as { project: number }).project };
}

/** The `Cookie` header that goes back for the `Set-Cookie` headers that came. */
export function cookieOf(headers: Record<string, unknown>): string {
  const set = (headers['set-cookie'] ?? []) as unknown as string[];
  return set.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** The team that the kit's reader is in. */
export async function makeTestTeam(database: TestDatabase): Promise<void> {
  await database.query('insert into teams (id, name, created_at) values ($1, $2, $3) on conflict do nothing', [
    TEST_TEAM,
    'Serrana',
    '2026-01-01',
  ]);
}
