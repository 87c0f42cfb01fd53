/** Where one goes from the screens before one is signed in. Browser only, but for `withNext`. */

/** Result of every sign-in method. */
export interface SignedIn {
  /** A second proof is needed before one is in. */
  secondStep?: boolean;
}

/**
 * Loads the page that was wanted, so that nothing of the person before stays. The server decides where `next` leads (web/ssr.tsx): only it
 * knows which addresses are ours.
 */
export function onwards({ secondStep = false }: SignedIn, next: string | null): void {
  location.assign(withNext(secondStep ? '/sign-in/second-step' : '/sign-in', next));
}

/** An address that remembers where one wanted to go. */
export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}
