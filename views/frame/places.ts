/**
 * What the palette leads to: each screen of the list that the reader may go to by name, and parts of screens. Rights and addresses are the
 * screens'; names, and words by which they are found, are in words/places.ts.
 */
import type { IconName } from '#views/kit/Icon.tsx';
import type { Place } from '#views/routing.ts';
import { type ScreenName, screens } from '#views/screen-list.ts';
import type { PlaceId } from '#views/words/places.ts';
import { addressIn, maySee, type Offer } from './menu.ts';

export interface FramePlace {
  id: PlaceId;
  screen: ScreenName;
  /** Of a part of the screen. */
  search?: string;
  icon: IconName;
}

export const places: readonly FramePlace[] = [
  { id: 'overview', screen: 'overview', icon: 'overview' },
  { id: 'live', screen: 'live', icon: 'live' },
  { id: 'dashboards', screen: 'dashboards', icon: 'dashboard' },
  { id: 'alerts', screen: 'alerts', icon: 'bell' },
  { id: 'reports', screen: 'reports', icon: 'mail' },
  { id: 'people', screen: 'people', icon: 'people' },
  { id: 'cohorts', screen: 'cohorts', icon: 'people' },
  { id: 'groups', screen: 'groups', icon: 'people' },
  { id: 'insights', screen: 'insights', icon: 'chart' },
  { id: 'new-insight', screen: 'insight-editor', icon: 'plus' },
  { id: 'goals', screen: 'goals', icon: 'check' },
  { id: 'replays', screen: 'replays', icon: 'play' },
  { id: 'heatmaps', screen: 'heatmaps', icon: 'play' },
  { id: 'events', screen: 'events', icon: 'table' },
  { id: 'errors', screen: 'errors', icon: 'error' },
  { id: 'flags', screen: 'flags', icon: 'flag' },
  { id: 'early-access', screen: 'early-access', icon: 'flag' },
  { id: 'experiments', screen: 'experiments', icon: 'flag' },
  { id: 'definitions', screen: 'definitions', icon: 'info' },
  { id: 'event-exports', screen: 'event-exports', icon: 'intake' },
  { id: 'ingestion', screen: 'ingestion', icon: 'intake' },
  { id: 'settings', screen: 'settings', icon: 'sliders' },
  { id: 'collection', screen: 'settings', search: '?tab=collection', icon: 'sliders' },
  { id: 'reading', screen: 'settings', search: '?tab=reading', icon: 'sliders' },
  { id: 'retention', screen: 'settings', search: '?tab=privacy', icon: 'sliders' },
  { id: 'replay-settings', screen: 'settings', search: '?tab=replay', icon: 'sliders' },
  { id: 'privacy', screen: 'privacy', icon: 'lock' },
  { id: 'install', screen: 'install', icon: 'copy' },
  { id: 'members', screen: 'members', icon: 'people' },
  { id: 'team', screen: 'team-settings', icon: 'people' },
  { id: 'mail', screen: 'mail', icon: 'menu' },
  { id: 'links', screen: 'public-links', icon: 'lock' },
  { id: 'activity', screen: 'activity', icon: 'table' },
  { id: 'keys', screen: 'keys', icon: 'lock' },
  { id: 'account', screen: 'account', icon: 'lock' },
  { id: 'sign-in', screen: 'account', search: '?show=sign-in', icon: 'lock' },
  { id: 'sessions', screen: 'account', search: '?show=sessions', icon: 'lock' },
  { id: 'home', screen: 'home', icon: 'table' },
  { id: 'new-project', screen: 'new-project', icon: 'plus' },
  { id: 'new-team', screen: 'new-team', icon: 'plus' },
  { id: 'status', screen: 'status', icon: 'info' },
];

export interface Within {
  project: string | undefined;
  team: number | undefined;
}

export interface OfferedPlace extends FramePlace {
  href: string;
  /** After G. */
  key: string | undefined;
}

/** Those that the reader may open, with their addresses. Pure. */
export function placesFor(offer: Offer, within: Within): OfferedPlace[] {
  return places.flatMap((place) => {
    const { path, needs, menu } = placeOf(place.screen);
    const address = addressIn(path, within);
    if (address === null || !maySee(needs, offer)) return [];
    const isWhole = place.search === undefined;
    return [{ ...place, href: `${address}${place.search ?? ''}`, key: isWhole ? menu?.key : undefined }];
  });
}

function placeOf(name: ScreenName): Place {
  // Every name is one of the list.
  return screens.find((screen) => screen.name === name) as Place;
}
