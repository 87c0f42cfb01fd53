/** How an address finds its route, and a route its code. The tables themselves are views/screen-list.ts and views/routes.tsx. */
import type { Need } from '#src/accounts/contract.ts';
import type { IconName } from './kit/Icon.tsx';
import type { PathParams, ScreenModule } from './screen.ts';
import type { Words } from './words/en.ts';

/** A screen and its address. */
export interface Place {
  /** Stable name: in measured addresses, style sheets and tests. */
  name: string;
  /** Pattern with `:name` parts. */
  path: string;
  /** Required access. Others are redirected to sign-in, or see an error. Roles are those in the project or team of the URL. */
  needs: Need;
  /** `project` puts the navigation around it, of the project in its address or else the one looked at last; `none` leaves the page to the screen. */
  frame: 'project' | 'none';
  /** Redirects signed-in users, or when the installation is set up. */
  before?: 'signIn' | 'setUp';
  /** Its address holds what only one person may know: it must not leave in a `Referer`. */
  holdsSecret?: true;
  /** It stands among the tabs of the settings. */
  inSettings?: true;
  /** True when it shows what was collected: with an upstream host set, that is elsewhere. */
  showsEvents: boolean;
  /** How navigation and keys offer it; absent: they do not. What the palette offers besides is in frame/places.ts. */
  menu?: MenuEntry;
}

export interface Route extends Place {
  /** Module that `load` imports, by which the server finds its chunk. */
  file: string;
  /** Area that the screen imports as soon as it begins: the browser gets it beside the scripts of the page. */
  part?: string;
  load(): Promise<ScreenModule>;
}

export interface MenuEntry {
  icon: IconName;
  /** Key of its label in the navigation. */
  text: TextOf<Words['nav']>;
  group: MenuGroup;
  /** After G. */
  key?: string;
}

export type MenuGroup = 'watch' | 'understand' | 'product';
/** Keys of texts without parameters. */
type TextOf<Part> = { [Key in keyof Part]: Part[Key] extends string ? Key : never }[keyof Part] & string;

export interface Match {
  route: Route;
  params: PathParams;
}

/** The route of a path, or null. Parts are decoded; a part that cannot be decoded matches nothing. */
export function matchPath(list: readonly Route[], path: string): Match | null {
  const parts = path.split('/');
  for (const route of list) {
    const params = paramsOf(route.path.split('/'), parts);
    if (params !== null) return { route, params };
  }
  return null;
}

function paramsOf(pattern: string[], parts: string[]): PathParams | null {
  if (pattern.length !== parts.length) return null;
  const params: PathParams = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] as string;
    if (!expected.startsWith(':')) {
      if (part !== expected) return null;
      continue;
    }
    const value = decode(part);
    if (value === null || value === '') return null;
    params[expected.slice(1)] = value;
  }
  return params;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The pattern of a path, for measuring: never holds what the address held. */
export function patternOf(list: readonly Route[], path: string): string {
  if (path === '/') return path;
  return matchPath(list, path)?.route.path ?? '/other';
}

const loaded = new WeakMap<Route, ScreenModule>();

/** Loads a screen's code once. A failure is not remembered: the next call tries again. */
export async function loadScreen(route: Route): Promise<ScreenModule> {
  const known = loaded.get(route);
  if (known) return known;
  const screen = await route.load();
  loaded.set(route, screen);
  return screen;
}

/** A screen's code if it has been loaded. */
export function loadedScreen(route: Route): ScreenModule | undefined {
  return loaded.get(route);
}
