/**
 * Browser entry: reads the boot values, loads the screen's code and the language's words, and hydrates the markup.
 * The cached offline shell (`/_app`) has no screen, so there the tree is rendered for the requested URL.
 */
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { CallError } from './call-error.ts';
import { browserPlace } from './navigation.tsx';
import { routes } from './routes.tsx';
import { loadScreen, matchPath } from './routing.ts';
import { type Boot, readSettings } from './settings.ts';
import { Shell, whenIdle } from './shell.tsx';
import { createClient, createQueryClient, failureOf } from './trpc.ts';
import { attach, readBoot } from './wire.ts';
import { loadWords } from './words/catalogues.ts';

export async function start(): Promise<void> {
  const sent = readBoot();
  // A page of ours without boot values is an error page: nothing to take over.
  if (sent === null) return;
  const boot: Boot = { ...sent, settings: readSettings(sent.settings) };
  // For debugging in the console: only the boot values.
  Object.assign(window, { luneta: { settings: boot.settings } });
  const queryClient = createQueryClient();
  const client = createClient();
  const release = attach(queryClient, document);
  const place = browserPlace();
  const match = matchPath(routes, place.path);
  const [words] = await Promise.all([
    loadWords(boot.language),
    // The kept shell is shown without its screen, which may not be within reach.
    boot.shell || match === null ? null : loadScreen(match.route),
  ]);

  const shell = (
    <Shell
      boot={boot}
      words={words}
      place={place}
      routes={routes}
      queryClient={queryClient}
      client={client}
      onReady={() => {
        release();
        if (!boot.dev) setTimeout(registerWorker, calmMs);
      }}
    />
  );
  if (boot.shell) createRoot(document, { onCaughtError }).render(shell);
  else {
    startTransition(() => {
      hydrateRoot(document, shell, { onCaughtError, onRecoverableError });
    });
  }
  whenIdle(() => {
    import('./areas/measuring.ts').then(
      ({ watchSession }) =>
        watchSession({
          // Who reads the kept shell is known from the first answer.
          reader: boot.shell ? undefined : boot.reader,
          queryClient,
          askReader: async () => (await client.accounts.me.query()).uuid,
        }),
      () => undefined,
    );
  });
  if (boot.dev) void import('./dev-reload.ts');
}

/** Delay of prefetching, ms: until then CPU and network belong to the page. */
const calmMs = 5_000;

/** It keeps the shell for slow and broken connections. Not everywhere there is one, and a browser that refuses works as before. */
function registerWorker(): void {
  void navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined);
}

/** A failed call is on the screen, with its code and what to do; anything else is a bug, and is reported as one. */
function onCaughtError(error: unknown): void {
  if (failureOf(error).code === 'internal' && !(error instanceof CallError)) reportError(error);
}

/** Reports errors that React recovered from. With a digest it is the server's error, which the server has logged. */
function onRecoverableError(error: unknown, { componentStack }: { componentStack?: string | null | undefined }): void {
  if (error instanceof Error && 'digest' in error) return;
  // Adds the component stack, which the error's own stack lacks.
  if (error instanceof Error && componentStack) error.stack = `${error.stack ?? error.message}${componentStack}`;
  reportError(error);
}
