/**
 * What begins and ends a sign-in: requests of their own, since they set cookies. JSON in, JSON out; the browser then loads a page, so that
 * nothing of the person before stays in it.
 */
import express, { type Request, type Response, Router } from 'express';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import * as z from 'zod/mini';
import { AppError, invalid } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Accounts } from './accounts.ts';
import { type Reader, setUpInput, type UserId } from './contract.ts';
import type { SignInMethod } from './own/contract.ts';
import { ownRoutes } from './own/endpoint.ts';

export type { SignInMethod } from './own/contract.ts';

/** What the web room does with cookies and sessions. */
export interface SessionDoor {
  signIn(req: Request, userId: UserId, how: SignInMethod): Promise<void>;
  signOut(req: Request): Promise<void>;
  /** The first step was right, and `accounts.secondStep.needed` says that there is another. */
  leavePending(req: Request, userId: UserId, how: SignInMethod): Promise<void>;
  pendingOf(req: Request): { userId: UserId; how: SignInMethod } | null;
  readerOf(req: Request): Reader | null;
  sidOf(req: Request): string;
}

export interface SignInParts {
  accounts: Accounts;
  sessions: SessionDoor;
  deps: Pick<Deps, 'db' | 'clock'>;
}

/** `/api/sign-in/…` */
export function signInRoutes({ accounts, sessions, deps }: SignInParts): Router {
  const routes = Router();
  const passport = new Passport();
  passport.use(
    new LocalStrategy({ usernameField: 'email', session: false }, (email, password, done) => {
      accounts.byPassword(email, password).then(
        (userId) => done(null, userId === null ? false : { userId }),
        (error: unknown) => done(error),
      );
    }),
  );
  /** The first step was right: signs in, or leaves word that the second is missing. */
  async function proceed(req: Request, res: Response, userId: UserId, how: SignInMethod): Promise<void> {
    if (await accounts.secondStep.needed(userId)) {
      await sessions.leavePending(req, userId, how);
      return answer(res, { secondStep: true });
    }
    await sessions.signIn(req, userId, how);
    answer(res, {});
  }

  routes.use(express.json({ limit: '64kb' }));
  routes.use(ownRoutes({ accounts, sessions, deps }));

  routes.post('/setup', async (req, res) => {
    const { userId, project } = await accounts.setUp(parse(setUpInput, req.body));
    await sessions.signIn(req, userId, 'setup');
    answer(res, { project: project.id });
  });

  routes.post('/password', (req, res, next) => {
    const local = passport.authenticate('local', (error: unknown, found: { userId: UserId } | false) => {
      if (error) return next(error);
      if (found === false) return next(invalid('password', 'E-mail and password do not match.'));
      proceed(req, res, found.userId, 'password').catch(next);
    });
    local(req, res, next);
  });

  routes.post('/out', async (req, res) => {
    await sessions.signOut(req);
    answer(res, {});
  });
  return routes;
}

function answer(res: Response, body: object): void {
  res.set('Cache-Control', 'no-store').json(body);
}

/** @throws AppError `invalid` with the field at fault */
function parse<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = z.safeParse(schema, body ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AppError('invalid', issue?.message ?? 'The request could not be read.', {
    field: issue?.path.map(String).join('.') ?? '',
  });
}
