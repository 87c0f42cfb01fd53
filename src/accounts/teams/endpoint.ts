/** Joining a team with a new account: it begins a sign-in, so it sets a cookie and is no call. */
import { Router } from 'express';
import * as z from 'zod/mini';
import { AppError } from '#src/kit/errors.ts';
import type { Accounts } from '../accounts.ts';
import type { SessionDoor } from '../endpoint.ts';
import { invitedAccount } from './contract.ts';

/** `/api/sign-in/invitation`. Bodies have been parsed. */
export function invitationRoutes(parts: {
  accounts: Pick<Accounts, 'invitations'>;
  sessions: Pick<SessionDoor, 'signIn'>;
}): Router {
  const { accounts, sessions } = parts;
  const routes = Router();
  routes.post('/invitation', async (req, res) => {
    const read = z.safeParse(invitedAccount, req.body ?? {});
    if (!read.success) {
      const [issue] = read.error.issues;
      throw new AppError('invalid', issue?.message ?? 'The request could not be read.', {
        field: issue?.path.map(String).join('.') ?? '',
      });
    }
    const { userId, team } = await accounts.invitations.acceptAsNew(read.data, req.ip ?? '');
    await sessions.signIn(req, userId, 'invitation');
    res.set('Cache-Control', 'no-store').json({ team });
  });
  return routes;
}
