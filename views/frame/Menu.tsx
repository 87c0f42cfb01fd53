/**
 * The user menu: privacy, all projects, account, sign-out, theme and language. Its code loads after the first
 * load; the markup is in the page, so theme, language and sign-out work without JavaScript.
 */

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { isAtLeast } from '#src/accounts/values.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass } from '#views/kit/Popover.tsx';
import { SignOut } from '#views/kit/SignOut.tsx';
import { useTrpc } from '#views/trpc.ts';
import { plainWords } from '#views/words/plain.ts';
import { usePart } from '#views/words/words.tsx';
import { Appearance } from './Appearance.tsx';
import { privacyOf } from './addresses.ts';
import { isProject, useAddress } from './queries.ts';

export function Menu() {
  const part = usePart(plainWords);
  const projects = useTrpc().projects.list.queryKey();
  // Every screen of a project asks for them; this part does not begin to.
  const state = useQueryClient().getQueryState(projects);
  const isAsked = state !== undefined && (state.data !== undefined || state.fetchStatus === 'fetching');
  return (
    <>
      {isAsked && <Privacy />}
      <Link href="/" className={optionClass()}>
        <Icon name="table" />
        {part.home}
      </Link>
      <Link href="/account" className={optionClass()}>
        <Icon name="lock" />
        {part.account}
      </Link>
      <Appearance />
      <SignOut>
        <button type="submit" className={optionClass()}>
          <Icon name="right" />
          {part.signOut}
        </button>
      </SignOut>
    </>
  );
}

/** Waits for the projects: this part is taken over late, when they are known, and must not have been drawn without them. */
function Privacy() {
  const part = usePart(plainWords);
  const { data } = useSuspenseQuery(useTrpc().projects.list.queryOptions());
  const project = useAddress()?.project;
  const role = data.find((each) => isProject(each, project))?.role;
  if (project === undefined || role === undefined || !isAtLeast(role, 'member')) return null;
  return (
    <Link href={privacyOf(project)} className={optionClass()}>
      <Icon name="info" />
      {part.privacy}
    </Link>
  );
}
