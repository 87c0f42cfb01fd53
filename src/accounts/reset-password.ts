/** `npm run reset-password`: a link to a new password for an owner who cannot get one by mail. Anyone who may run it reads the database anyway. */
import { AppError } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { UserId } from './contract.ts';
import { createLinks } from './links.ts';
import { issueLink } from './recovery.ts';
import { owners, personById } from './recovery-queries.ts';

export interface Owner {
  name: string;
  email: string;
}

/**
 * Creates the link and invalidates older ones.
 *
 * @param choose called when there are several owners and `email` matches none; returns the index of one
 * @throws AppError `not_found` when there is no owner yet, or none was chosen
 */
export async function makeResetLink(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  email: string | undefined,
  choose: (all: readonly Owner[]) => Promise<number>,
): Promise<{ owner: Owner; link: string; minutes: number }> {
  const all = await owners(deps.db);
  if (all.length === 0) throw new AppError('not_found', 'No accounts yet. Open /setup in a browser to create one.');
  const named = all.find((each) => each.email.toLowerCase() === email?.trim().toLowerCase());
  if (email !== undefined && named === undefined)
    throw new AppError('not_found', `${email} is not an owner of any team.`);
  const owner = named ?? (all.length === 1 ? all[0] : all[await choose(all)]);
  const person = owner && (await personById(deps.db, owner.id as UserId));
  if (!person) throw new AppError('not_found', 'No owner selected.');
  const links = createLinks(deps);
  const { link, minutes } = await deps.db.transaction((trx) => issueLink({ ...deps, links }, trx, 'reset', person));
  return { owner: person, link, minutes };
}
