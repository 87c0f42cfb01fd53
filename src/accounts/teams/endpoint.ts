/** Joining a team with a new account: it begins a sign-in, so it sets a cookie and is no call. */
import { Router } from 'express';
import { addressOf, answer, parse, type SignInParts } from '../entering.ts';
import { invitedAccount } from './contract.ts';

/** `/api/sign-in/invitation`. Bodies have been parsed. */
export function invitationRoutes({ accounts, sessions }: Pick<SignInParts, 'accounts' | 'sessions'>): Router {
  const routes = Router();
  routes.post('/invitation', async (req, res) => {
    const invited = parse(invitedAccount, req.body);
    const { userId, team } = await accounts.invitations.acceptAsNew(invited, addressOf(req));
    await sessions.signIn(req, userId, 'invitation');
    answer(res, { team });
  });
  return routes;
}
