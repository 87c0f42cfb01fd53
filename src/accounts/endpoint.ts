/**
 * Requests that start a sign-in. They are no tRPC calls because they set cookies. JSON in, JSON out; the browser then loads a page, so that
 * no state of the previous user is kept.
 */
import express, { type Request, type RequestHandler, Router } from 'express';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import { invalid, unauthenticated } from '#src/kit/errors.ts';
import { passwordInput, setUpInput, type UserId } from './contract.ts';
import { addressOf, answer, completeOrAsk, parse, type SignInParts } from './entering.ts';
import { ownRoutes } from './own/endpoint.ts';
import { providerRoutes } from './provider-endpoint.ts';
import { recoveryRoutes } from './recovery-endpoint.ts';
import { invitationRoutes } from './teams/endpoint.ts';

export type { SessionDoor } from './entering.ts';
export type { SignInMethod } from './own/contract.ts';

/** `/api/sign-in/…` */
export function signInRoutes(parts: SignInParts): Router {
  const { accounts, sessions, limits, deps } = parts;
  const routes = Router();
  const passport = new Passport();
  passport.use(
    // From the body alone: the strategy would take from the address what the body leaves empty, and attempts are counted by the body.
    new LocalStrategy(
      { usernameField: 'email', session: false, passReqToCallback: true },
      (req, _email, _password, done) => {
        const { email, password } = parse(passwordInput, req.body);
        accounts.byPassword(email, password).then(
          (userId) => done(null, userId === null ? false : { userId }),
          (error: unknown) => done(error),
        );
      },
    ),
  );
  // Nothing is read of what only those may send who have begun, or are in.
  routes.use(
    '/second-step',
    whenPosted((req) => sessions.pendingOf(req) !== null),
  );
  routes.use(
    ['/prove', '/hosted/connect'],
    whenPosted((req) => sessions.readerOf(req) !== null),
  );
  routes.use(express.json({ limit: '64kb' }));
  routes.use(ownRoutes({ accounts, sessions, deps }));
  routes.use(recoveryRoutes(parts));
  routes.use(providerRoutes(parts));
  routes.use(invitationRoutes(parts));

  routes.post('/setup', async (req, res) => {
    const input = parse(setUpInput, req.body);
    await accounts.signIn.checkSetupToken(input.setupToken, addressOf(req));
    const { userId, project } = await accounts.setUp(input);
    await completeOrAsk(parts, req, userId, 'setup');
    if (accounts.signIn.ways(addressOf(req)).link) await accounts.recovery.askForVerification({ id: userId });
    answer(res, { project: project.id });
  });

  routes.post('/password', async (req, res, next) => {
    const { email } = parse(passwordInput, req.body);
    const attempt = await limits.signIn(email, addressOf(req));
    const local = passport.authenticate('local', async (error: unknown, found: { userId: UserId } | false) => {
      try {
        if (error) throw error;
        if (found === false) {
          await accounts.signIn.noteFailure(email, 'password', addressOf(req));
          throw invalid('password', 'Incorrect email or password.');
        }
        await attempt.succeeded();
        answer(res, await completeOrAsk(parts, req, found.userId, 'password'));
      } catch (problem) {
        next(problem);
      }
    });
    local(req, res, next);
  });
  return routes;
}

/** Refuses what is posted by those who may not; other methods find nothing here. */
function whenPosted(isAllowed: (req: Request) => boolean): RequestHandler {
  return (req, _res, next) => next(req.method !== 'POST' || isAllowed(req) ? undefined : unauthenticated());
}
