/**
 * How the browser begins: reads what the page brought, loads the code of its screen and the reader's words, and takes over the markup.
 * The shell kept for offline use (`/_app`) has no screen in it, so there the tree is rendered for the requested address.
 */
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { CallError } from './call-error.ts';
import { browserPlace } from './navigation.tsx';
import { routes } from './routes.tsx';
import { loadScreen, matchPath } from './routing.ts';
import { watchSession } from './session-change.ts';
import { type Boot, readSettings } from './settings.ts';
import { Shell } from './shell.tsx';
import { createClient, createQueryClient, failureOf } from './trpc.ts';
import { attach, readBoot } from './wire.ts';
import { loadWords } from './words/catalogues.ts';

export async function start(): Promise<void> {
  const sent = readBoot();
  // A page of ours without boot values is an error page: nothing to take over.
  if (sent === null) return;
  const boot: Boot = { ...sent, settings: readSettings(sent.settings) };
  // For a look from the console: the boot values, and nothing else.
  Object.assign(window, { luneta: { settings: boot.settings } });
  const queryClient = createQueryClient();
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
      client={createClient()}
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
  // The kept shell does not know whose it is.
  if (!boot.shell) watchSession(boot.reader, queryClient);
  if (boot.dev) void import('./dev-reload.ts');
}

/** What is made ready for later waits so long: until then the processor and the line are the page's. */
const calmMs = 5_000;

/** It keeps the shell for slow and broken connections. Not everywhere there is one, and a browser that refuses works as before. */
function registerWorker(): void {
  void navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined);
}

/** A failed call is on the screen, with its code and what to do; anything else is a bug, and is reported as one. */
function onCaughtError(error: unknown): void {
  if (failureOf(error).code === 'internal' && !(error instanceof CallError)) reportError(error);
}

/** What React recovered from by rendering again. With a digest it is the server's own failure, which the server has logged. */
function onRecoverableError(error: unknown, { componentStack }: { componentStack?: string | null | undefined }): void {
  if (error instanceof Error && 'digest' in error) return;
  // Where on the page it was, which its own stack does not say.
  if (error instanceof Error && componentStack) error.stack = `${error.stack ?? error.message}${componentStack}`;
  reportError(error);
}
