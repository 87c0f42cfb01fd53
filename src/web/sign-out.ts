/**
 * Sign-out. A form, so that it works before and without JavaScript: the browser then loads a page, and no state of the
 * previous user is kept.
 */
import { Router } from 'express';
import type { Accounts } from '#src/accounts/accounts.ts';
import type { Deps } from '#src/store/deps.ts';
import { formOf, leadTo, readForm } from './forms.ts';
import type { Sessions } from './session.ts';

interface SignOutParts {
  accounts: Pick<Accounts, 'audit'>;
  sessions: Pick<Sessions, 'readerOf' | 'signOut'>;
  deps: Pick<Deps, 'db'>;
}

export function signOutRoutes({ accounts, sessions, deps }: SignOutParts): Router {
  const routes = Router();
  routes.post('/sign-out', readForm, async (req, res) => {
    const actor = sessions.readerOf(req);
    await sessions.signOut(req);
    if (actor !== null) {
      const details = { sessions: 1 };
      await accounts.audit.note(deps.db, { actor, action: 'signIn.ended', details, address: req.ip ?? '' });
    }
    const { back = '/sign-in' } = formOf(req);
    leadTo(res, back);
  });
  return routes;
}
