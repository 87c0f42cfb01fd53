/**
 * Keeps the shell (`/_app`) and the entry's files for connections that are slow or gone, and nothing else: no page with
 * anyone's data, no answer of a call. A navigation goes to the network; the shell steps in when that fails or has not
 * begun to answer after four seconds.
 *
 * Files are answered to pages that began as the shell, and to no others. Those have the browser's own cache, and Chromium
 * throws away what it preloaded for a page when a worker answered for it on another: it warns, and loads it twice. For the same reason the
 * shell preloads nothing: what the page before it had loaded lies in the browser's memory, and came from no worker.
 */

/** Used worker globals; the DOM's types and a worker's conflict. */
interface Worker {
  registration: { navigationPreload?: { enable(): Promise<void> } };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'message', listener: (event: Extendable & { data: unknown }) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Extendable {
  request: Request;
  /** Page that asks; '' for a navigation. */
  clientId: string;
  /** Page that a navigation leads to. */
  resultingClientId: string;
  preloadResponse?: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

const worker = self as unknown as Worker;
const cacheName = 'luneta-shell-1';
const shellAddress = '/_app';
const patienceMs = 4_000;
/** Pages that started as the shell: they request its files immediately. */
const shellPages = new Set<string>();
/** Navigations there are not to screens. */
const notScreens = /^\/(api|ingest|assets|replay-stage|_app|_dev|metrics|healthz|readyz)(\/|$)/;

worker.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([removeOthers(), worker.registration.navigationPreload?.enable(), worker.clients.claim()]),
  );
});

/** The reader chose another language or theme. */
worker.addEventListener('message', (event) => {
  if (event.data === 'shell') event.waitUntil(keepShell());
});

worker.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== location.origin) return;
  // Other URLs are answered here, too: a fallback would make the browser repeat the request, also for one-time links.
  if (event.request.mode === 'navigate') {
    event.respondWith(notScreens.test(pathname) ? askNetwork(event) : answerPage(event));
  } else if (pathname.startsWith('/assets/') && shellPages.has(event.clientId)) {
    event.respondWith(answerAsset(event.request));
  }
});

async function answerPage(event: Fetching): Promise<Response> {
  const network = askNetwork(event);
  const patience = new Promise<'late'>((resolve) => setTimeout(resolve, patienceMs, 'late'));
  const first = await Promise.race([network.catch(() => 'failed' as const), patience]);
  if (first instanceof Response) return first;
  const shell = await caches.match(shellAddress);
  if (shell === undefined) return network;
  shellPages.add(event.resultingClientId);
  return shell;
}

async function askNetwork(event: Fetching): Promise<Response> {
  return (await event.preloadResponse) ?? fetch(event.request);
}

async function answerAsset(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** Fetches the shell and the files it names; what an earlier shell named goes. */
async function keepShell(): Promise<void> {
  const shell = await fetch(shellAddress, { cache: 'reload' });
  if (!shell.ok) throw new Error(`The shell was answered ${shell.status}`);
  const files = [...new Set((await shell.clone().text()).match(/\/assets\/[\w.-]+/g) ?? [])];
  const cache = await caches.open(cacheName);
  const known = await Promise.all(files.map(async (file) => ((await cache.match(file)) ? null : file)));
  await cache.addAll(known.filter((file) => file !== null));
  await cache.put(shellAddress, shell);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== shellAddress && !files.includes(pathname)) await cache.delete(url);
  }
}

async function removeOthers(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name !== cacheName) await caches.delete(name);
  }
}
