/**
 * A real Chromium for the browser journeys, from an npm package: nothing to install (docs/decisions/0004-chromium-from-npm.md).
 * CHROME_PATH names an installed Chrome or Chromium instead, where the package has no build (macOS, arm64).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';

const version = '153.0.0.0';

/** What a headless browser calls itself would be taken for a bot, by posthog-js as well as by us. */
const flags = [
  '--no-sandbox',
  `--user-agent=Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`,
  '--disable-blink-features=AutomationControlled',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-features=NetworkServiceInProcess2', // a process less: 7 % of what a journey takes
];

/** A busy machine may take so long to draw a page: what does not come within it, never does. Tests have 180 s. */
const patienceMs = 90_000;

const brands = { 'sec-ch-ua': '"Chromium";v="153", "Not_A Brand";v="8"' };

export interface TestBrowser {
  /** A fresh profile: no cookies, no cache. Closed after the test. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page in a fresh profile, watched. */
  newPage(options?: BrowserContextOptions): Promise<WatchedPage>;
  /**
   * The page that the last test with these options had, in a profile that is as good as fresh but for its cache: half of what the first
   * screen of a test costs is a new process and files that come again. What a test adds to all documents of a page (init scripts, exposed
   * functions, a clock) stays: `prepare` adds what all of them need, once.
   */
  keptPage(options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>): Promise<WatchedPage>;
}

interface KeptPage {
  page: Page;
  session: CDPSession;
  options: BrowserContextOptions;
  /** By the test that runs. */
  isUsed: boolean;
}

export interface WatchedPage {
  page: Page;
  /** Console warnings and errors, uncaught exceptions and violations of the content security policy, as they came. */
  complaints: string[];
  /** Addresses of all requests, in order, with their methods: `GET http://…`. */
  requests: string[];
}

/** Where the browser is signed in already: what `runLuneta` gives. */
export interface SignedInTo {
  readonly url: string;
  /** As a `Cookie` header. */
  readonly cookie: string;
}

/** Of the test file: one does for all who use it. */
let launched: Promise<Browser> | null = null;
let users = 0;

/**
 * Starts one browser for the test file, and closes what its tests opened.
 *
 * @param signedInTo every fresh profile has this session; none: it has no cookies
 */
export function useBrowser(signedInTo?: SignedInTo): TestBrowser {
  let browser: Browser | null = null;
  const contexts: BrowserContext[] = [];
  /** By their options. */
  const kept = new Map<string, KeptPage>();
  beforeAll(async () => {
    users += 1;
    launched ??= launchChromium();
    browser = await launched;
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    for (const [key, each] of kept) {
      if (!each.isUsed) continue;
      each.isUsed = false;
      // What hangs is no page for the next test.
      await leave(each.page).catch(() => {
        kept.delete(key);
        return each.page.context().close();
      });
    }
  });
  afterAll(async () => {
    users -= 1;
    if (users > 0) return;
    launched = null;
    await browser?.close();
  });
  async function openContext(options?: BrowserContextOptions): Promise<BrowserContext> {
    if (!browser) throw new Error('The browser starts in beforeAll: use it inside a test.');
    const context = await browser.newContext({
      ...options,
      extraHTTPHeaders: { ...brands, ...options?.extraHTTPHeaders },
    });
    context.setDefaultTimeout(patienceMs);
    // On secure origins a page can also ask for the browser's brands, and a headless one says that it is.
    await context.addInitScript('delete Navigator.prototype.userAgentData');
    if (signedInTo !== undefined) await context.addCookies(cookiesOf(signedInTo));
    return context;
  }
  const testBrowser: TestBrowser = {
    async newContext(options) {
      const context = await openContext(options);
      contexts.push(context);
      return context;
    },
    async newPage(options) {
      return watch(await (await testBrowser.newContext(options)).newPage());
    },
    async keptPage(options = {}, prepare = async () => undefined) {
      const key = JSON.stringify(options);
      const known = kept.get(key);
      if (known !== undefined && !known.isUsed) {
        known.isUsed = true;
        await makeFresh(known, signedInTo);
        return watch(known.page);
      }
      const watched =
        known === undefined ? watch(await (await openContext(options)).newPage()) : await testBrowser.newPage(options);
      const { page } = watched;
      await prepare(page);
      if (known === undefined)
        kept.set(key, { page, session: await page.context().newCDPSession(page), options, isUsed: true });
      return watched;
    },
  };
  return testBrowser;
}

/** Ends what the test had running in it, and what listened to it. */
async function leave(page: Page): Promise<void> {
  page.removeAllListeners();
  page.setDefaultTimeout(patienceMs);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.evaluate('sessionStorage.clear()').catch(() => undefined);
  await page.goto('about:blank');
}

async function makeFresh({ page, session, options }: KeptPage, signedInTo?: SignedInTo): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  await context.setOffline(options.offline ?? false);
  await page.setViewportSize(options.viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({ media: null, colorScheme: options.colorScheme ?? 'light', forcedColors: null });
  if (signedInTo === undefined) return;
  await session.send('Storage.clearDataForOrigin', {
    origin: signedInTo.url,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  });
  await context.addCookies(cookiesOf(signedInTo));
}

function cookiesOf({ url, cookie }: SignedInTo): { name: string; value: string; url: string }[] {
  return cookie
    .split('; ')
    .filter((pair) => pair !== '')
    .map((pair) => ({ name: pair.split('=')[0] as string, value: pair.slice(pair.indexOf('=') + 1), url }));
}

/** Notes what the page complains about and asks for. */
export function watch(page: Page): WatchedPage {
  const watched: WatchedPage = { page, complaints: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // What failed to load stands beside the text, not in it.
    const { url } = message.location();
    watched.complaints.push(/^Failed to load/.test(message.text()) ? `${message.text()}: ${url}` : message.text());
  });
  page.on('pageerror', (error) => watched.complaints.push(String(error)));
  page.on('request', (request) => watched.requests.push(`${request.method()} ${request.url()}`));
  return watched;
}

export async function launchChromium(): Promise<Browser> {
  const installed = process.env['CHROME_PATH'];
  if (installed) return chromium.launch({ executablePath: installed, args: flags });
  const folder = await unpacked();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--headless=shell', ...flags],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_PATH: folder,
    },
  });
}

/** The package's browser, unpacked once per installation. */
async function unpacked(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`No Chromium comes for ${process.platform} ${process.arch}: set CHROME_PATH to an installed one.`);
  }
  const folder = join(process.cwd(), 'node_modules/.cache/chromium');
  if (existsSync(join(folder, 'fonts.conf'))) return folder;
  const unfinished = `${folder}.tmp-${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  await promisify(execFile)(process.execPath, [join(process.cwd(), 'test/kit/unpack-chromium.mjs')], {
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: unfinished },
  });
  await writeFile(join(unfinished, 'fonts.conf'), fontSettings(folder));
  await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // else another worker was faster
  });
  return folder;
}

/** The package's own font settings name folders of one cloud's machines. */
function fontSettings(folder: string): string {
  const directories = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${directories.map((directory) => `  <dir>${directory}</dir>`).join('\n')}
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

/** Where axe-core's script is, for `page.addScriptTag`. */
export function axePath(): string {
  return join(dirname(createRequire(join(process.cwd(), 'package.json')).resolve('axe-core')), 'axe.min.js');
}
