/** The shared end of all sign-in methods: a session, or the request for a second step. */
import type { Request, Response } from 'express';
import * as z from 'zod/mini';
import { AppError, unauthenticated } from '#src/kit/errors.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Accounts } from './accounts.ts';
import type { Reader, UserId } from './contract.ts';
import type { SignInMethod } from './own/contract.ts';

/** Cookies and sessions, implemented by the web room. */
export interface SessionDoor {
  signIn(req: Request, userId: UserId, how: SignInMethod): Promise<void>;
  /** The first step succeeded, and `accounts.secondStep.needed` requires a second. */
  leavePending(req: Request, userId: UserId, how: SignInMethod): Promise<void>;
  pendingOf(req: Request): { userId: UserId; how: SignInMethod } | null;
  readerOf(req: Request): Reader | null;
  sidOf(req: Request): string;
}

export interface SignInParts {
  accounts: Accounts;
  sessions: SessionDoor;
  limits: Limits;
  deps: Pick<Deps, 'db' | 'clock' | 'log'>;
}

/** The response of every sign-in method. */
export interface Entered {
  /** A second proof is needed before one is in. */
  secondStep?: true;
}

/** After the first proof: starts the session and logs the sign-in, or notes that the second step is pending. */
export async function completeOrAsk(
  { accounts, sessions, deps }: Pick<SignInParts, 'accounts' | 'sessions' | 'deps'>,
  req: Request,
  userId: UserId,
  how: SignInMethod,
): Promise<Entered> {
  const reader = await accounts.reader(userId);
  if (reader === null) throw unauthenticated();
  if (await accounts.secondStep.needed(userId)) {
    await sessions.leavePending(req, userId, how);
    return { secondStep: true };
  }
  await sessions.signIn(req, userId, how);
  const address = addressOf(req);
  await accounts.audit.note(deps.db, { actor: reader, action: 'signIn.succeeded', details: { how }, address });
  return {};
}

export function addressOf(req: Request): string {
  return req.ip ?? '';
}

export function answer(res: Response, body: object): void {
  res.set('Cache-Control', 'no-store').json(body);
}

/** @throws AppError `invalid` with the field at fault */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = z.safeParse(schema, body ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AppError('invalid', issue?.message ?? 'Invalid request. Reload the page and try again.', {
    field: issue?.path.map(String).join('.') ?? '',
  });
}
