/** Other services under `/api/sign-in`: going to one, coming back, and the hosted backend. */

import { type Request, Router } from 'express';
import { AppError, invalid, unauthenticated, unavailable } from '#src/kit/errors.ts';
import { storedSid } from '#src/kit/stored-sid.ts';
import { passwordInput, providerInput, type Reader } from './contract.ts';
import { addressOf, answer, completeOrAsk, parse, type SignInParts } from './entering.ts';
import type { Identity } from './identity.ts';
import type { Journey } from './oidc.ts';

type KeptJourney = Journey & { at: number; next: string | null; connects: boolean };

declare module 'express-session' {
  interface SessionData {
    /** Someone is at another service. */
    luneta_journey?: KeptJourney;
  }
}

const JOURNEY_MS = 10 * 60_000;
/** Connecting an account requires re-authentication within this time, as all sensitive actions do. */
const PROOF_MS = 10 * 60_000;

/** The body is read already. */
export function providerRoutes(parts: SignInParts): Router {
  const { accounts, sessions, limits, deps } = parts;
  const { oidc, hosted, identities, signIn } = accounts;
  const routes = Router();

  /** When signed in, the returned identity is connected to the account. */
  routes.post('/provider', async (req, res) => {
    const { provider, next = null } = parse(providerInput, req.body);
    const connects = sessions.readerOf(req) !== null;
    if (connects) provenReaderOf(req);
    await limits.calls(`provider ${addressOf(req)}`, 1);
    const { address, journey } = await oidc.begin(provider);
    if (req.session === undefined) throw unavailable('Sessions are temporarily unavailable. Try again in a moment.');
    const kept = { ...journey, at: deps.clock.now(), next: next && storable(next), connects };
    if (connects) {
      // Not by saving the session: the service has taken its time, in which it may have been ended.
      if (!(await accounts.sessions.noteJourney(storedSid(req.sessionID), kept))) throw unauthenticated();
    } else {
      await renew(req);
      req.session.luneta_journey = kept;
      req.session.cookie.maxAge = JOURNEY_MS;
      await save(req);
    }
    answer(res, { address });
  });

  routes.get('/provider/:provider/callback', async (req, res) => {
    // It can be come back from once.
    const isAway = req.session?.luneta_journey !== undefined;
    const journey = isAway ? await accounts.sessions.takeJourney<KeptJourney>(storedSid(req.sessionID)) : null;
    const query = new URLSearchParams(journey?.next == null ? {} : { next: journey.next });
    const lead = (path: string) => res.set('Cache-Control', 'no-store').redirect(303, withQuery(path, query));
    try {
      const isOurs = journey?.provider === req.params['provider'] && deps.clock.now() - (journey?.at ?? 0) < JOURNEY_MS;
      if (journey === null || !isOurs) throw invalid('state', 'This sign-in has expired. Start again.');
      const at = req.originalUrl.indexOf('?');
      const identity = await oidc.finish(journey, at < 0 ? '' : req.originalUrl.slice(at));
      if (journey.connects) {
        await identities.connect(provenReaderOf(req), identity, addressOf(req));
        query.set('show', 'sign-in');
        return lead('/account');
      }
      const { secondStep } = await enter(req, identity, 'oidc');
      lead(secondStep ? '/sign-in/second-step' : '/sign-in');
    } catch (error) {
      const problem = problemOf(error);
      deps.log.info({ problem, reason: reasonOf(error) }, 'external sign-in failed');
      query.set('problem', problem);
      if (journey?.connects) query.set('show', 'sign-in');
      lead(journey?.connects ? '/account' : '/sign-in');
    }
  });

  routes.post('/hosted', async (req, res) => {
    answer(res, await enter(req, await hostedIdentity(req), 'hosted'));
  });

  routes.post('/hosted/connect', async (req, res) => {
    const reader = provenReaderOf(req);
    await identities.connect(reader, await hostedIdentity(req), addressOf(req));
    answer(res, {});
  });

  /** The identity with this password at the hosted backend. @throws AppError `invalid`, `rate_limited`, `upstream` */
  async function hostedIdentity(req: Request): Promise<Identity> {
    const { email, password } = parse(passwordInput, req.body);
    const attempt = await limits.signIn(`${hosted.host} ${email}`, addressOf(req));
    const identity = await hosted.byPassword(email, password);
    if (identity === null) {
      await signIn.noteFailure(email, 'hosted', addressOf(req));
      throw invalid('password', 'Incorrect email or password.');
    }
    await attempt.succeeded();
    return identity;
  }

  /** @throws AppError `unauthenticated`, `forbidden` with field `proof` */
  function provenReaderOf(req: Request): Reader {
    const reader = sessions.readerOf(req);
    if (reader === null) throw unauthenticated();
    if (deps.clock.now() - (req.session.luneta?.provedAt ?? 0) > PROOF_MS) {
      throw new AppError('forbidden', 'Confirm your password to continue.', { field: 'proof' });
    }
    return reader;
  }

  /** @throws AppError `not_found` when no account is connected to it */
  async function enter(req: Request, identity: Identity, how: 'oidc' | 'hosted') {
    const userId = await identities.personOf(identity, addressOf(req));
    if (userId === null) {
      await signIn.noteFailure(identity.email ?? identity.subject, how, addressOf(req));
      throw new AppError('not_found', 'No user is connected to this account. Ask a team owner for an invitation.');
    }
    return await completeOrAsk(parts, req, userId, how);
  }

  return routes;
}

/** Regenerates the session without its previous content, as `sessions.signIn` does. */
function renew(req: Request): Promise<void> {
  return new Promise((resolve, reject) => req.session.regenerate(ended(resolve, reject)));
}

function save(req: Request): Promise<void> {
  return new Promise((resolve, reject) => req.session.save(ended(resolve, reject)));
}

function ended(resolve: () => void, reject: (error: AppError) => void): (error: unknown) => void {
  return (error) =>
    error ? reject(unavailable('Sessions are temporarily unavailable. Try again in a moment.', 5, error)) : resolve();
}

/** Without what the database takes into no JSON; where it leads is looked at when someone is led there. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** For the log: never personal data from the provider. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  return 'code' in cause ? `${cause.message} (${String(cause.code)})` : cause.message;
}

/** The word of the sign-in page for what went wrong (views/words/sign-in.ts). */
function problemOf(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  const words: Partial<Record<AppError['code'], string>> = {
    not_found: 'unknown',
    forbidden: 'denied',
    conflict: 'taken',
    upstream: 'away',
    invalid: 'failed',
  };
  const word = words[error.code];
  if (word === undefined) throw error;
  return word;
}

function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
