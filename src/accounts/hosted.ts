/**
 * Sign-in with an account of the hosted backend, when its address and anonymous key are set. The backend checks the password. The
 * user of the returned token is requested from the backend, never read from the token.
 */
import * as z from 'zod/mini';
import { AppError } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Identity } from './identity.ts';

export interface Hosted {
  /** Its host; null: it is not set up. */
  host: string | null;
  /** Under which its accounts are kept. */
  issuer: string | null;
  /** Null for a pair that it does not know. @throws AppError `upstream`, `rate_limited` */
  byPassword(email: string, password: string): Promise<Identity | null>;
}

const TIMEOUT_MS = 10_000;

const tokenAnswer = z.object({ access_token: z.string().check(z.minLength(1), z.maxLength(10_000)) });
const userAnswer = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  email: z.optional(z.nullable(z.string())),
  email_confirmed_at: z.optional(z.nullable(z.string())),
});

export function createHosted({ config, fetch }: Pick<Deps, 'config' | 'fetch'>): Hosted {
  const { PUBLIC_SUPABASE_URL: url, PUBLIC_SUPABASE_ANON_KEY: key } = config;
  if (url === undefined || key === undefined) {
    return { host: null, issuer: null, byPassword: async () => null };
  }
  const issuer = url.replace(/\/+$/, '');

  async function ask(path: string, options: { method: string; headers: Record<string, string>; body?: string }) {
    const headers = { apikey: key as string, ...options.headers };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(`${issuer}/auth/v1/${path}`, { ...options, headers, signal, redirect: 'error' }).catch(away);
  }

  async function read<Schema extends z.ZodMiniType>(schema: Schema, response: Response): Promise<z.output<Schema>> {
    const read = z.safeParse(schema, await response.json().catch(away));
    return read.success ? read.data : away(read.error);
  }

  return {
    host: new URL(issuer).host,
    issuer,
    async byPassword(email, password) {
      const signedIn = await ask('token?grant_type=password', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      if (signedIn.status === 429) {
        throw new AppError('rate_limited', 'Too many attempts at the sign-in service. Try again in a minute.', {
          retryAfterSec: 60,
        });
      }
      if (signedIn.status === 400 || signedIn.status === 401 || signedIn.status === 403) return null;
      if (!signedIn.ok) return away(new Error(`status ${signedIn.status}`));
      const { access_token: token } = await read(tokenAnswer, signedIn);
      const asked = await ask('user', { method: 'GET', headers: { authorization: `Bearer ${token}` } });
      if (!asked.ok) return away(new Error(`status ${asked.status}`));
      const user = await read(userAnswer, asked);
      const isConfirmed = typeof user.email_confirmed_at === 'string' && user.email_confirmed_at !== '';
      return { issuer, subject: user.id, email: user.email ?? null, emailVerified: isConfirmed };
    },
  };
}

function away(cause: unknown): never {
  throw new AppError('upstream', 'The sign-in service isn’t responding. Try again in a moment.', { cause });
}
