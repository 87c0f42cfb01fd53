/** Email links under `/api/sign-in`: request one, use one. Used by POST only, because mail scanners follow links. */
import { Router } from 'express';
import { emailInput, linkInput, newPasswordInput } from './contract.ts';
import { addressOf, answer, completeOrAsk, parse, type SignInParts } from './entering.ts';

/** The body is read already. */
export function recoveryRoutes(parts: SignInParts): Router {
  const { accounts, limits } = parts;
  const { recovery } = accounts;
  const routes = Router();

  routes.post('/link', async (req, res) => {
    const { email, next = null } = parse(emailInput, req.body);
    if (await limits.mail(email, addressOf(req))) recovery.askForLink(email, next);
    answer(res, {});
  });

  routes.post('/forgot', async (req, res) => {
    const { email } = parse(emailInput, req.body);
    if (await limits.mail(email, addressOf(req))) recovery.askForReset(email);
    answer(res, {});
  });

  routes.post('/link/use', async (req, res) => {
    const userId = await recovery.signIn(parse(linkInput, req.body).token);
    answer(res, await completeOrAsk(parts, req, userId, 'link'));
  });

  routes.post('/new-password', async (req, res) => {
    const { token, password } = parse(newPasswordInput, req.body);
    const userId = await recovery.reset(token, password, addressOf(req));
    answer(res, await completeOrAsk(parts, req, userId, 'link'));
  });

  routes.post('/confirm', async (req, res) => {
    answer(res, { email: await recovery.verify(parse(linkInput, req.body).token, addressOf(req)) });
  });

  return routes;
}
