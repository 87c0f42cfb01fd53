/**
 * The shell: providers, the frame, and inside it the screen of the current place. Drawn by the server for every page and
 * hydrated as one tree; for `/_app` it is drawn without anyone's data.
 */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Late } from '#views/kit/Late.tsx';
import { Boundary } from './boundary.tsx';
import { Document, type DocumentProps } from './document.tsx';
import { Frame } from './frame/Frame.tsx';
import { ShellScreen } from './frame/ShellScreen.tsx';
import { useConnection } from './kit/connection.tsx';
import { NavigationProvider, type Place, propsOf, reloadOnce, useNavigation } from './navigation.tsx';
import { loadedScreen, loadScreen, matchPath, type Route } from './routing.ts';
import { Relayed } from './screens/errors/Relayed.tsx';
import { ScreenFailure } from './screens/errors/ScreenFailure.tsx';
import {
  type Boot,
  BootContext,
  keepPreference,
  languageCookie,
  PreferencesContext,
  themeCookie,
  useBoot,
} from './settings.ts';
import { type Client, TrpcProvider } from './trpc.ts';
import { loadWords } from './words/catalogues.ts';
import type { Language, Words } from './words/en.ts';
import { useWords, WordsProvider } from './words/words.tsx';

export interface ShellProps extends Omit<DocumentProps, 'children'> {
  boot: Boot;
  words: Words;
  /** Null in `/_app`: no address, so no screen. */
  place: Place | null;
  routes: readonly Route[];
  queryClient: QueryClient;
  client: Client;
  /** Called once the shell is hydrated. */
  onReady?: () => void;
}

/** The whole document. */
export function Shell({ boot, words, place, routes, queryClient, client, onReady, ...document }: ShellProps) {
  useEffect(() => onReady?.(), [onReady]);
  return (
    <BootContext value={boot}>
      <Appearance boot={boot} words={words}>
        <QueryClientProvider client={queryClient}>
          <TrpcProvider trpcClient={client} queryClient={queryClient}>
            <NavigationProvider initial={place ?? nowhere} routes={routes}>
              <Document {...document}>
                <Frame>
                  <CurrentScreen />
                </Frame>
                <Announcer />
                <Measuring />
              </Document>
            </NavigationProvider>
          </TrpcProvider>
        </QueryClientProvider>
      </Appearance>
    </BootContext>
  );
}

const nowhere: Place = { path: '', search: '', key: '', by: 'load' };

/** Language and theme: from the request, then by the reader's choice. */
function Appearance({ boot, words: first, children }: { boot: Boot; words: Words; children: ReactNode }) {
  const [words, setWords] = useState(first);
  const [theme, showTheme] = useState(boot.theme);
  const preferences = useMemo(
    () => ({
      language: words.language,
      theme,
      setLanguage(language: Language) {
        keepPreference(languageCookie, language);
        renewKeptShell();
        loadWords(language).then(setWords, () => location.reload());
      },
      setTheme(next: typeof theme) {
        keepPreference(themeCookie, next);
        renewKeptShell();
        showTheme(next);
      },
    }),
    [words.language, theme],
  );
  return (
    <PreferencesContext value={preferences}>
      <WordsProvider words={words}>{children}</WordsProvider>
    </PreferencesContext>
  );
}

/** The service worker's copy of the shell speaks the language and wears the theme that were chosen. */
function renewKeptShell(): void {
  navigator.serviceWorker?.controller?.postMessage('shell');
}

function CurrentScreen() {
  const { place, routes } = useNavigation();
  const { routeStyles, collects } = useBoot();
  const { words } = useWords();
  const props = useMemo(() => {
    const match = matchPath(routes, place.path);
    return match && { match, ...propsOf(match, place.search) };
  }, [routes, place]);
  const fail = useCallback((error: unknown, retry: () => void) => <ScreenFailure error={error} retry={retry} />, []);
  if (props === null) return null;
  const screen = loadedScreen(props.match.route);
  if (screen === undefined) return <Arriving route={props.match.route} />;
  const { match, params, search } = props;
  return (
    <Boundary key={place.path} fallback={fail}>
      {routeStyles[match.route.name]?.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="route" />
      ))}
      <title>{`${screen.title(words, { params, search })} · Luneta`}</title>
      {collects || !match.route.showsEvents ? (
        <screen.Screen params={params} search={search} />
      ) : (
        <Late>
          <Relayed title={screen.title(words, { params, search })} project={params['project'] ?? ''} />
        </Late>
      )}
    </Boundary>
  );
}

/**
 * Loads analytics when the page is idle; a failure is ignored. Not on URLs with a secret:
 * a tag manager reads URLs.
 */
function Measuring() {
  const { place, routes } = useNavigation();
  const isSecret = matchPath(routes, place.path)?.route.holdsSecret === true;
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (isSecret) return undefined;
    return whenIdle(() => {
      import('./areas/measuring.ts').then(
        ({ Measuring: component }) => setLoaded(() => component),
        () => undefined,
      );
    });
  }, [isSecret]);
  return Loaded && <Loaded />;
}

/** Runs when the page rests, at the latest after 2 s. Returns how to call it off. */
export function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}

/** In the kept shell the screen's code may not be there: it comes now, or when the connection is back. */
function Arriving({ route }: { route: Route }) {
  const { place, navigate } = useNavigation();
  const { generation } = useConnection();
  const address = place.path + place.search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that is back is a reason to try again
  useEffect(() => {
    let isWanted = true;
    loadScreen(route).then(
      () => isWanted && navigate(address, { replace: true }),
      () => isWanted && navigator.onLine && reloadOnce(address),
    );
    return () => {
      isWanted = false;
    };
  }, [route, address, navigate, generation]);
  return <ShellScreen />;
}

/** Announces the screen after a navigation; silent on the first page, which screen readers read themselves. */
function Announcer() {
  const { place, routes } = useNavigation();
  const { words } = useWords();
  const match = place.by === 'load' ? null : matchPath(routes, place.path);
  const screen = match && loadedScreen(match.route);
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true">
      {screen ? screen.title(words, propsOf(match, place.search)) : ''}
    </div>
  );
}
