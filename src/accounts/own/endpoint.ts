/** Second steps, passkeys and re-authentication under `/api/sign-in`: requests that start or change a session. */
import { type Request, Router } from 'express';
import { invalid, unauthenticated } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Audit } from '../audit.ts';
import type { Reader, UserId } from '../contract.ts';
import { addressOf, answer, parse, type SessionDoor } from '../entering.ts';
import { assertionInput, codeInput, proofInput, type SignInMethod } from './contract.ts';
import type { OwnAccounts } from './own.ts';

export interface OwnRouteParts {
  accounts: OwnAccounts & { audit: Audit; reader(userId: number): Promise<Reader | null> };
  sessions: SessionDoor;
  deps: Pick<Deps, 'db' | 'clock'>;
}

/** The body is read already. */
export function ownRoutes({ accounts, sessions, deps }: OwnRouteParts): Router {
  const { secondStep, passkeys, profile } = accounts;
  const { db, clock } = deps;
  const routes = Router();

  async function enter(req: Request, userId: UserId, how: SignInMethod): Promise<void> {
    const reader = await accounts.reader(userId);
    if (reader === null) throw unauthenticated();
    await sessions.signIn(req, userId, how);
    await accounts.audit.note(db, {
      actor: reader,
      action: 'signIn.succeeded',
      details: { how },
      address: addressOf(req),
    });
  }

  /** The person with a pending second step. @throws AppError `unauthenticated` when it took too long */
  function pendingOf(req: Request): { userId: UserId; how: SignInMethod } {
    const pending = sessions.pendingOf(req);
    if (pending === null) throw unauthenticated();
    return pending;
  }

  function readerOf(req: Request): Reader {
    const reader = sessions.readerOf(req);
    if (reader === null) throw unauthenticated();
    return reader;
  }

  routes.post('/passkey/question', async (_req, res) => {
    answer(res, { question: await passkeys.question('sign-in', null) });
  });

  routes.post('/passkey', async (req, res) => {
    const { answer: given } = parse(assertionInput, req.body);
    await enter(req, await passkeys.answered('sign-in', null, given), 'passkey');
    answer(res, {});
  });

  /** Null when they have no passkey; refused when the first step is too long ago. */
  routes.post('/second-step/question', async (req, res) => {
    answer(res, { question: await passkeys.question('second-step', pendingOf(req).userId) });
  });

  routes.post('/second-step', async (req, res) => {
    const { userId, how } = pendingOf(req);
    const { code } = parse(codeInput, req.body);
    await secondStep.check(userId, code, addressOf(req)).catch(async (error: unknown) => {
      const actor = await accounts.reader(userId);
      const address = addressOf(req);
      if (actor)
        await accounts.audit.note(db, { actor, action: 'signIn.failed', details: { how: 'secondStep' }, address });
      throw error;
    });
    await enter(req, userId, how);
    answer(res, {});
  });

  routes.post('/second-step/passkey', async (req, res) => {
    const { userId, how } = pendingOf(req);
    const { answer: given } = parse(assertionInput, req.body);
    await passkeys.answered('second-step', userId, given);
    await enter(req, userId, how);
    answer(res, {});
  });

  /** How they can prove that it is still them. */
  routes.post('/prove/question', async (req, res) => {
    const { id } = readerOf(req);
    const [hasPassword, question] = [await profile.hasPassword(id), await passkeys.question('prove', id)];
    answer(res, { hasPassword, question });
  });

  routes.post('/prove', async (req, res) => {
    const reader = readerOf(req);
    const { password, answer: given } = parse(proofInput, req.body);
    if (given !== undefined) await passkeys.answered('prove', reader.id, given);
    else if (!(await profile.isPassword(reader, password ?? '', addressOf(req)))) {
      throw invalid('password', 'Incorrect password. Try again.');
    }
    await accounts.sessions.proved(sessions.sidOf(req), clock.now());
    answer(res, {});
  });

  return routes;
}
