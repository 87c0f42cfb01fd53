/** Joining a team with a new account. No tRPC call, because it signs in and sets a cookie. */
import { Router } from 'express';
import { addressOf, answer, completeOrAsk, parse, type SignInParts } from '../entering.ts';
import { invitedAccount } from './contract.ts';

/** `/api/sign-in/invitation`. Bodies have been parsed. */
export function invitationRoutes(parts: Pick<SignInParts, 'accounts' | 'sessions' | 'deps'>): Router {
  const { accounts } = parts;
  const routes = Router();
  routes.post('/invitation', async (req, res) => {
    const invited = parse(invitedAccount, req.body);
    const { userId, team } = await accounts.invitations.acceptAsNew(invited, addressOf(req));
    await completeOrAsk(parts, req, userId, 'invitation');
    // A link that was shared by hand proves nothing about the mailbox.
    if (accounts.signIn.ways(addressOf(req)).link) await accounts.recovery.askForVerification({ id: userId });
    answer(res, { team });
  });
  return routes;
}
