/** A person in a browser, for tests of the account over HTTP: keeps the cookie, posts as our pages do. */
import type { Express } from 'express';
import request, { type Response } from 'supertest';
import { cookieOf, OWNER } from '#test/kit/sign-in.ts';

export interface Person {
  cookie: string;
  /** A call of a screen. */
  call(path: string, input?: unknown): Promise<Called>;
  ask(path: string, input?: unknown): Promise<Called>;
  /** `/api/sign-in/…`; keeps the cookie that comes back. */
  post(path: string, body?: object): Promise<Response>;
  signOut(): Promise<void>;
}

export interface Called {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test looks at
  data: any;
  error: { appCode: string; field?: string; retryAfterSec?: number } | undefined;
}

export function person(app: Express, cookie = '', address?: string): Person {
  const from = (test: request.Test) => {
    const sent = test.set('Sec-Fetch-Site', 'same-origin').set('Cookie', self.cookie);
    return address === undefined ? sent : sent.set('X-Forwarded-For', address);
  };
  const read = ({ status, body }: Response): Called => ({
    status,
    data: body.result?.data?.json,
    error: body.error?.json?.data,
  });
  const self: Person = {
    cookie,
    async call(path, input) {
      const body = input === undefined ? { json: null, meta: { values: ['undefined'] } } : { json: input };
      return read(await from(request(app).post(`/api/trpc/accounts.own.${path}`)).send(body));
    },
    async ask(path, input) {
      const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
      return read(await from(request(app).get(`/api/trpc/accounts.own.${path}${query}`)));
    },
    async post(path, body = {}) {
      const answer = await from(request(app).post(`/api/sign-in/${path}`)).send(body);
      if (answer.headers['set-cookie'] !== undefined) self.cookie = cookieOf(answer.headers);
      return answer;
    },
    async signOut() {
      await from(request(app).post('/sign-out')).expect(303);
    },
  };
  return self;
}

/** The owner in another browser, who has given the password. */
export async function signedIn(app: Express, password: string = OWNER.password): Promise<Person> {
  const someone = person(app);
  const answer = await someone.post('password', { email: OWNER.email, password });
  if (answer.status !== 200) throw new Error(`The owner could not sign in: ${answer.text}`);
  return someone;
}
