/** The screens that a role may see. Pure. */
import { isAtLeast, type Need, type Role } from '#src/accounts/values.ts';
import type { MenuEntry, Place } from '#views/routing.ts';
import { screens } from '#views/screen-list.ts';

export type OfferedScreen = Place & { menu: MenuEntry };

export interface Offer {
  /** In the project; undefined before it is known (the kept shell), when each screen has its place. */
  role: Role | undefined;
  isOperator?: boolean;
}

/** Screens of the navigation. */
export function offered(offer: Offer): OfferedScreen[] {
  const places: readonly Place[] = screens;
  return places.filter((place): place is OfferedScreen => place.menu !== undefined && maySee(place.needs, offer));
}

/** True when the reader may open a screen with these access rules. */
export function maySee(needs: Need, { role, isOperator = false }: Offer): boolean {
  if (needs === 'operator') return isOperator;
  return needs === 'anyone' || needs === 'signedIn' || role === undefined || isAtLeast(role, needs);
}

/** The address of a screen within a project and its team; null without what the screen is in. */
export function addressIn(
  path: string,
  within: { project: string | undefined; team: number | undefined },
): string | null {
  if (path.includes(':project'))
    return within.project === undefined ? null : path.replace(':project', () => within.project ?? '');
  if (path.includes(':team')) return within.team === undefined ? null : path.replace(':team', String(within.team));
  return path;
}
