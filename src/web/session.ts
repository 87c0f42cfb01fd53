/**
 * Sessions: express-session with rows in PostgreSQL, and passport. A session starts at sign-in with a new id; anonymous
 * visitors get no cookie. It expires after 7 days without use and 30 days in total, by the server's clock, regardless of the cookie.
 */
import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import passport from 'passport';
import type { Pool } from 'pg';
import type { Accounts } from '#src/accounts/accounts.ts';
import type { Reader, UserId } from '#src/accounts/contract.ts';
import type { SignInMethod } from '#src/accounts/endpoint.ts';
import { SIGN_IN_IDLE_MS as IDLE_MS, SIGN_IN_WHOLE_MS as WHOLE_MS } from '#src/accounts/values.ts';
import { storedSid } from '#src/kit/stored-sid.ts';
import { asAppError } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import { HashedSessionStore } from './session-store.ts';

/** How long the second step may take. */
const PENDING_MS = 10 * 60_000;
/** How exactly "last used" is kept: every request would otherwise write. */
const SEEN_MS = 5 * 60_000;

/** Session data besides the user. Shown to its owner. */
export interface SessionData {
  startedAt: number;
  seenAt: number;
  /** When the person last proved who they are: what is dangerous asks for a recent proof. */
  provedAt: number;
  how: SignInMethod;
  address: string;
  userAgent: string;
}

/** A person with a successful first step and a pending second step. */
export interface Pending {
  userId: UserId;
  how: SignInMethod;
  /** When the first step was right. */
  at: number;
}

declare module 'express-session' {
  interface SessionData {
    luneta?: import('./session.ts').SessionData;
    luneta_pending?: import('./session.ts').Pending;
    /** Without a user: the account may no longer sign in. */
    passport?: { user?: number };
  }
}

export interface Sessions {
  /** Goes before everything that reads who asks. */
  handler: RequestHandler;
  readerOf(req: Request): Reader | null;
  /** The id under which the session is stored; '' without one. */
  sidOf(req: Request): string;
  /** Time of the last authentication, ms; 0 when not signed in. */
  provedAtOf(req: Request): number;
  /** Starts a session with a new id and destroys the previous one. */
  signIn(req: Request, userId: UserId, how: SignInMethod): Promise<void>;
  signOut(req: Request): Promise<void>;
  /** Leaves word, under a new id, that the first step was right. The second completes it with `signIn`. */
  leavePending(req: Request, userId: UserId, how: SignInMethod): Promise<void>;
  pendingOf(req: Request): Pending | null;
}

export interface SessionParts {
  deps: Deps;
  /** A separate pool: see `openSessionPool`. */
  pool: Pool;
  accounts: Pick<Accounts, 'reader' | 'sessions' | 'teams'>;
  secrets: Pick<Secrets, 'all'>;
}

export function createSessions({ deps, pool, accounts, secrets }: SessionParts): Sessions {
  const { config, clock, log } = deps;
  const isSecure = config.PUBLIC_APP_URL.startsWith('https:');
  const name = isSecure ? '__Host-luneta' : 'luneta';
  const keeper = new passport.Passport();
  keeper.deserializeUser<number>((id, done) => {
    accounts.reader(id).then(
      (reader) => done(null, reader ?? false),
      (error) => done(error),
    );
  });
  const loadSession = keeper.session();
  let kept: RequestHandler | null = null;

  async function makeKeeper(): Promise<RequestHandler> {
    const store = new HashedSessionStore({
      pool,
      tableName: 'sign_in_sessions',
      disableTouch: true,
      pruneSessionInterval: 3_600,
      errorLog: (...problem: unknown[]) => log.warn({ problem: String(problem.at(-1)) }, 'failed to clean up sessions'),
    });
    return session({
      name,
      store,
      secret: await secrets.all(),
      resave: false,
      saveUninitialized: false,
      rolling: true,
      // Behind a proxy the request itself does not say that it was https; the setting does.
      proxy: true,
      cookie: { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge: IDLE_MS },
    });
  }

  /** Ends expired sessions, and records the use of others. */
  const limitAge: RequestHandler = (req, _res, next) => {
    const data = req.session.luneta;
    const userId = req.session.passport?.user;
    if (userId === undefined || data === undefined) return next();
    const now = clock.now();
    if (now - data.startedAt > WHOLE_MS || now - data.seenAt > IDLE_MS) {
      // With an empty one in its place: what was asked for may be the next sign-in.
      req.session.regenerate((error: unknown) => next(error ? asAppError(error) : undefined));
      return;
    }
    if (now - data.seenAt <= SEEN_MS) return next();
    // Not by saving the session: that would bring one back that was ended meanwhile.
    Promise.all([
      accounts.sessions.seen(storedSid(req.sessionID), now, now + IDLE_MS),
      accounts.teams.noteActive(userId),
    ]).then(
      () => next(),
      (error: unknown) => next(error),
    );
  };

  /** An empty session under a new id; the one before is dead. */
  function renew(req: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      req.session.regenerate((error: unknown) => (error ? reject(asAppError(error)) : resolve()));
    });
  }

  function save(req: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      req.session.save((error: unknown) => (error ? reject(asAppError(error)) : resolve()));
    });
  }

  function hasCookie(req: Request): boolean {
    return (req.get('cookie') ?? '').split(';').some((pair) => pair.trim().startsWith(`${name}=`));
  }

  return {
    async handler(req, res, next) {
      const fail = (error: unknown) => (error ? next(asAppError(error)) : next());
      try {
        kept ??= await makeKeeper();
      } catch (error) {
        // Without the database no session can be loaded; anonymous visitors still get their pages.
        return hasCookie(req) ? fail(error) : next();
      }
      if (isSecure) req.headers['x-forwarded-proto'] = 'https';
      kept(req, res, (problem?: unknown) => {
        if (problem) return fail(problem);
        limitAge(req, res, (tooOld?: unknown) => {
          if (tooOld || req.session === undefined) return fail(tooOld);
          loadSession(req, res, fail);
        });
      });
    },
    readerOf: (req) => (req.user as Reader | undefined) ?? null,
    sidOf: (req) => (req.session?.passport === undefined ? '' : storedSid(req.sessionID)),
    provedAtOf: (req) => req.session?.luneta?.provedAt ?? 0,
    async leavePending(req, userId, how) {
      await renew(req);
      req.session.cookie.maxAge = PENDING_MS;
      req.session.luneta_pending = { userId, how, at: clock.now() };
      await save(req);
    },
    pendingOf(req) {
      const pending = req.session?.luneta_pending;
      return pending === undefined || clock.now() - pending.at > PENDING_MS ? null : pending;
    },
    async signIn(req, userId, how) {
      await renew(req);
      // What passport would write; its own login uses the last request's instance, which may be a strategy's.
      req.session.passport = { user: userId };
      const now = clock.now();
      const userAgent = (req.get('user-agent') ?? '').slice(0, 300);
      req.session.luneta = { startedAt: now, seenAt: now, provedAt: now, how, address: req.ip ?? '', userAgent };
      await Promise.all([save(req), accounts.teams.noteActive(userId)]);
    },
    async signOut(req) {
      await new Promise<void>((resolve, reject) => {
        req.session.destroy((error: unknown) => (error ? reject(asAppError(error)) : resolve()));
      });
    },
  };
}
