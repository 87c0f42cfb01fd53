/**
 * Client-side navigation: the shown place, races between navigations, scroll
 * restoration, focus and announcements. A navigation is a React transition: the current
 * screen stays until the next is ready.
 */
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from 'react';
import { afterPaint } from './kit/after-paint.ts';
import { loadedScreen, loadScreen, type Match, matchPath, type Route } from './routing.ts';
import type { ScreenProps } from './screen.ts';
import { keepPreference, projectCookie, useBoot } from './settings.ts';
import { useTrpc } from './trpc.ts';

/** The URL of the address bar. */
export interface Place {
  path: string;
  /** With its question mark, or ''. */
  search: string;
  /** Key of the history entry, for its scroll position. */
  key: string;
  /** How it was reached: decides scroll and focus. */
  by: 'load' | 'link' | 'history';
}

export interface NavigateOptions {
  /** Takes the place of the current history entry. */
  replace?: boolean;
  /** It answers a press: what was pressed shows it first, since drawing the screen may take longer than a frame. */
  afterPress?: boolean;
}

/** What stays the same wherever the reader is. */
interface Navigate {
  navigate(to: string, options?: NavigateOptions): void;
  /** Prefetches code and data of a URL. */
  prefetch(to: string): void;
}

export interface Navigation extends Navigate {
  place: Place;
  /** The route of the place; null in the kept shell, and for a path without a screen. */
  match: Match | null;
  routes: readonly Route[];
  /** The project in the URL, or else the last opened; null: none yet. Access is not checked. */
  project: string | null;
  /** A screen is on its way: its code loads, or its first data. */
  pending: boolean;
}

const NavigationContext = createContext<Navigation | null>(null);
const NavigateContext = createContext<Navigate | null>(null);

/** For what only leads elsewhere: it is not drawn again when the place changes. */
export function useNavigate(): Navigate {
  const navigate = useContext(NavigateContext);
  if (navigate === null) throw new Error('outside the shell');
  return navigate;
}

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === null) throw new Error('outside the shell');
  return navigation;
}

/** The screen's props for a place. `wait` belongs to the transport (views/document.tsx) and is no view state. */
export function propsOf(match: Match, search: string): ScreenProps {
  const parameters = new URLSearchParams(search);
  parameters.delete('wait');
  return { params: match.params, search: parameters };
}

/** Keeps the place. `initial` is the same on both sides. */
export function NavigationProvider(props: { initial: Place; routes: readonly Route[]; children: ReactNode }) {
  const { initial, routes, children } = props;
  const [place, setPlace] = useState(initial);
  const [loading, setLoading] = useState(false);
  const [rendering, startTransition] = useTransition();
  const queryClient = useQueryClient();
  const trpc = useTrpc();
  const latest = useRef(0);
  const path = useRef(initial.path);
  const pressed = useRef<Element | null>(null);

  const prefetchData = useCallback(
    (match: Match, search: string) => {
      const screen = loadedScreen(match.route);
      for (const { options } of screen?.queries(trpc, propsOf(match, search)) ?? []) {
        void queryClient.prefetchQuery(options);
      }
    },
    [queryClient, trpc],
  );

  /** Shows a place once its code is there. The last call wins; an earlier one that comes later is forgotten. */
  const show = useCallback(
    (next: Place, match: Match, commit: () => void, afterPress = false) => {
      const turn = ++latest.current;
      pressed.current = document.activeElement;
      const finish = () => {
        if (turn !== latest.current) return;
        setLoading(false);
        commit();
        prefetchData(match, next.search);
        // A new query on the same screen applies immediately: its regions keep their old figures until new ones arrive.
        const isSame = next.path === path.current;
        path.current = next.path;
        if (!isSame) return startTransition(() => setPlace(next));
        const apply = () => {
          if (turn === latest.current) setPlace(next);
        };
        if (afterPress) afterPaint(apply);
        else apply();
      };
      if (loadedScreen(match.route)) return finish();
      setLoading(true);
      loadScreen(match.route).then(finish, () => {
        if (turn === latest.current) reloadOnce(next.path + next.search);
      });
    },
    [prefetchData],
  );

  const navigate = useCallback(
    (to: string, { replace = false, afterPress = false }: NavigateOptions = {}) => {
      const url = new URL(to, location.href);
      const match = url.origin === location.origin ? matchPath(routes, url.pathname) : null;
      // Not one of our screens: the server knows what it is.
      if (match === null) return location.assign(url.href);
      const key = replace ? keyOf(history.state) : newKey();
      const next: Place = { path: url.pathname, search: url.search, key, by: 'link' };
      const commit = () => {
        history.scrollRestoration = 'manual';
        history[replace ? 'replaceState' : 'pushState']({ key }, '', url);
      };
      show(next, match, commit, afterPress);
    },
    [routes, show],
  );

  const prefetch = useCallback(
    (to: string) => {
      const url = new URL(to, location.href);
      const match = url.origin === location.origin ? matchPath(routes, url.pathname) : null;
      if (match === null || savesData()) return;
      // A failed prefetch is ignored: the navigation itself retries and reports it.
      loadScreen(match.route).then(
        () => prefetchData(match, url.search),
        () => undefined,
      );
    },
    [routes, prefetchData],
  );

  useEffect(() => {
    // A page that is reloaded or come back to: the browser scrolls where it was, before the reader presses something that would move later.
    // Entries that were left without leaving the page are ours (`navigate`).
    const reached = history.scrollRestoration === 'manual' ? readSession(scrollKey(initial.key)) : null;
    history.replaceState({ key: initial.key }, '');
    if (reached !== null) scrollTo(0, Number(reached));
    const onLeave = () => {
      history.scrollRestoration = 'auto';
    };
    const onPop = () => {
      const match = matchPath(routes, location.pathname);
      if (match === null) return location.reload();
      const { pathname: path, search } = location;
      show({ path, search, key: keyOf(history.state), by: 'history' }, match, () => undefined);
    };
    addEventListener('popstate', onPop);
    addEventListener('pagehide', onLeave);
    return () => {
      removeEventListener('popstate', onPop);
      removeEventListener('pagehide', onLeave);
    };
  }, [initial.key, routes, show]);

  useArrival(place, pressed);
  const match = useMemo(() => matchPath(routes, place.path), [routes, place.path]);
  const project = useLastProject(match);

  const pending = loading || rendering;
  const value = useMemo(
    () => ({ place, match, routes, project, pending, navigate, prefetch }),
    [place, match, routes, project, pending, navigate, prefetch],
  );
  const leads = useMemo(() => ({ navigate, prefetch }), [navigate, prefetch]);
  return (
    <NavigateContext value={leads}>
      <NavigationContext value={value}>{children}</NavigationContext>
    </NavigateContext>
  );
}

/** The project of the address, kept for screens that have none. */
function useLastProject(match: Match | null): string | null {
  const [last, setLast] = useState(useBoot().lastProject);
  const project = match?.params['project'] ?? last;
  if (project !== last) setLast(project);
  useEffect(() => {
    if (project !== null) keepPreference(projectCookie, project);
  }, [project]);
  return project;
}

/** Scroll and focus after a change of place. A change of the query string alone is not a new screen: nothing jumps. */
function useArrival(place: Place, pressed: RefObject<Element | null>): void {
  const before = useRef(place);
  useLayoutEffect(() => {
    const from = before.current;
    if (from === place) return;
    before.current = place;
    if (place.by === 'history') scrollTo(0, Number(readSession(scrollKey(place.key)) ?? 0));
    if (from.path === place.path) {
      // Unless what was pressed is gone, and the keyboard would start over at the top.
      const at = document.activeElement;
      if (at === document.body ? at !== pressed.current : at?.checkVisibility?.() === false) focusHeading();
      return;
    }
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    if (place.by === 'link') {
      if (target) target.scrollIntoView();
      else scrollTo(0, 0);
    }
    focusHeading();
  }, [place, pressed]);

  // Written when scrolling rests, not when leaving: at popstate the address has changed already. Before anything is drawn, so that
  // the scrolling above is none of the place before.
  useLayoutEffect(() => {
    const remember = () => writeSession(scrollKey(place.key), String(Math.round(scrollY)));
    addEventListener('scrollend', remember);
    addEventListener('pagehide', remember);
    return () => {
      removeEventListener('scrollend', remember);
      removeEventListener('pagehide', remember);
    };
  }, [place.key]);
}

/** Moves the focus to the heading: screen readers continue there, and Tab goes to the first control. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/**
 * Goes to an address by loading the page, for when a piece of code is not there: after a release its name has changed.
 * Only once in ten seconds, or a page that cannot work would reload for ever.
 *
 * @returns false when it was done just now already
 */
export function reloadOnce(to: string): boolean {
  const last = Number(readSession('luneta:reloaded') ?? 0);
  if (performance.timeOrigin + performance.now() - last < 10_000) return false;
  writeSession('luneta:reloaded', String(performance.timeOrigin + performance.now()));
  location.assign(to);
  return true;
}

let keys = 0;
const newKey = (): string => `${performance.timeOrigin.toString(36)}.${++keys}`;
const scrollKey = (key: string): string => `luneta:scroll:${key}`;

/** The key of a history entry; an entry we have not seen yet gets one. */
function keyOf(state: unknown): string {
  const key = typeof state === 'object' && state !== null && 'key' in state ? state.key : null;
  return typeof key === 'string' ? key : newKey();
}

/** The place that the browser shows when a page is loaded. */
export function browserPlace(): Place {
  return { path: location.pathname, search: location.search, key: keyOf(history.state), by: 'load' };
}

/** Session storage may be closed to us (blocked cookies); then positions are not kept, and nothing else changes. */
function readSession(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeSession(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    return;
  }
}

function savesData(): boolean {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  return connection?.saveData === true;
}
