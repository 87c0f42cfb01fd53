/** Signs out this browser. A form without code, so that it works before hydration. */
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

/** When the page still exists after this time, the sign-out was canceled. */
const leavingMs = 10_000;

/** Cancels queries, which would be refused while the page is being left. */
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
 * Reloads the page after a refusal. Not while signing out, which ends open streams before the
 * browser has left: reloading would cancel it.
 */
export function reloadUnlessLeaving(): void {
  if (onlineManager.isOnline()) location.reload();
}
