/** Ends the sign-in of this browser. A form that needs no code: pressed before the page's has come, it signs out as well. */
import { onlineManager } from '@tanstack/react-query';
import type { ReactNode } from 'react';

export interface SignOutProps {
  /** Path to go to then; none: sign-in. */
  back?: string;
  /** The button: a `submit` one. */
  children: ReactNode;
}

const action = '/sign-out';

export function SignOut({ back, children }: SignOutProps) {
  return (
    <form method="post" action={action} onSubmit={askNoMore}>
      {back !== undefined && <input type="hidden" name="back" value={back} />}
      {children}
    </form>
  );
}

/** Who is still there then has broken it off. */
const leavingMs = 10_000;

/** What a page that is about to be left asks would be refused. */
function askNoMore(): void {
  onlineManager.setOnline(false);
  setTimeout(() => onlineManager.setOnline(true), leavingMs);
}

/** The same, where there is no button. Browser only. */
export function signOut(): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action });
  document.body.append(form);
  askNoMore();
  form.submit();
}

/**
 * For a page whose access was refused: the server then says what there is to see. Not while signing out, which ends open streams before the
 * browser has left: reloading would break that off.
 */
export function reloadUnlessLeaving(): void {
  if (onlineManager.isOnline()) location.reload();
}
