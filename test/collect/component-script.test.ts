/** Runs the built script in a page made of a few objects: no browser, no DOM library. */
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { loadComponentScript, scriptFor } from '#src/collect/component.ts';

interface Sent {
  url: string;
  body: Record<string, unknown>;
}

let script: string;
beforeAll(async () => {
  script = await loadComponentScript();
});

function openPage(
  options: {
    src?: string;
    dataset?: Record<string, string>;
    tokens?: string[];
    globals?: Record<string, unknown>;
    beacon?: boolean;
    prerendering?: boolean;
  } = {},
) {
  const sent: Sent[] = [];
  const fetched: string[] = [];
  const listeners = new Map<string, (() => void)[]>();
  const location = { href: 'https://loja.example/cafe?x=1', pathname: '/cafe' };
  const go = (path: string) => Object.assign(location, { pathname: path, href: `https://loja.example${path}` });
  const document = {
    currentScript: {
      src: options.src ?? 'https://loja.example/ingest/va/lnt_a/script.js',
      dataset: options.dataset ?? {},
    },
    referrer: 'https://www.google.com/',
    prerendering: options.prerendering ?? false,
  };
  const page: Record<string, unknown> = {
    document,
    location,
    innerWidth: 1280,
    history: {
      pushState: (_data: unknown, _title: string, path: string) => go(path),
      replaceState: (_data: unknown, _title: string, path: string) => go(path),
    },
    navigator: {
      sendBeacon: (url: string, body: string) => {
        if (options.beacon === false) return false;
        sent.push({ url, body: JSON.parse(body) });
        return true;
      },
    },
    fetch: (url: string) => {
      fetched.push(url);
      return Promise.reject(new Error('blocked'));
    },
    addEventListener: (name: string, listener: () => void) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    JSON,
    Date,
    ...options.globals,
  };
  page['window'] = page;
  const context = createContext(page);
  runInContext(scriptFor(script, options.tokens ?? ['lnt_a']), context);
  return {
    sent,
    fetched,
    page: page as {
      va: (command: string, value?: unknown) => void;
      history: {
        pushState(data: unknown, title: string, path: string): void;
        replaceState(data: unknown, title: string, path: string): void;
      };
    },
    again: () => runInContext(script, context),
    back(path: string) {
      go(path);
      for (const listener of listeners.get('popstate') ?? []) listener();
    },
    emit(name: string) {
      for (const listener of listeners.get(name) ?? []) listener();
    },
  };
}

const paths = (sent: Sent[]) => sent.map(({ body }) => String(body['o']).replace('https://loja.example', ''));

it('is at most 1 kB compressed', () => {
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(1024);
});

it('sends a view to the folder it was loaded from', () => {
  const { sent } = openPage({ dataset: { sdkn: '@vercel/analytics/react', sdkv: '2.0.1' } });
  expect(sent).toEqual([
    {
      url: 'https://loja.example/ingest/va/lnt_a/view',
      body: {
        o: 'https://loja.example/cafe?x=1',
        r: 'https://www.google.com/',
        ts: expect.any(Number),
        w: 1280,
        sdkn: '@vercel/analytics/react',
        sdkv: '2.0.1',
      },
    },
  ]);
});

it('follows navigation, one view per path, the referrer with the first only', () => {
  const { sent, page, back } = openPage();
  page.history.pushState({}, '', '/sobre');
  page.history.replaceState({}, '', '/sobre');
  page.history.pushState({}, '', '/contato');
  back('/sobre');
  expect(paths(sent)).toEqual(['/cafe?x=1', '/sobre', '/contato', '/sobre']);
  expect(sent.map(({ body }) => body['r'])).toEqual(['https://www.google.com/', '', '', '']);
});

it('sends events, and what was queued before it ran', () => {
  const { sent, page } = openPage({ globals: { vaq: [['event', { name: 'antes', data: { a: 1 } }]] } });
  page.va('event', { name: 'compra', data: { total: 9 } });
  const events = sent.filter(({ url }) => url.endsWith('/event'));
  expect(events.map(({ body }) => [body['en'], body['ed']])).toEqual([
    ['antes', { a: 1 }],
    ['compra', { total: 9 }],
  ]);
});

it('lets beforeSend change and cancel', () => {
  const beforeSend = (event: { type: string; url: string }) =>
    event.url.includes('/segredo') ? null : { ...event, url: event.url.split('?')[0] };
  const { sent, page } = openPage({ globals: { vaq: [['beforeSend', beforeSend]] } });
  page.history.pushState({}, '', '/segredo');
  expect(paths(sent)).toEqual(['/cafe']);
});

it('tracks by hand when configured', () => {
  const { sent, page } = openPage({ dataset: { disableAutoTrack: '1' } });
  page.history.pushState({}, '', '/produto/7');
  page.va('pageview', { route: '/produto/[id]', path: '/produto/7' });
  expect(sent.map(({ body }) => [body['o'], body['dp']])).toEqual([
    ['https://loja.example/produto/7', '/produto/[id]'],
  ]);
});

it('leaves views to posthog-js of the same project, never events', () => {
  for (const posthog of [{ config: { token: 'phc_b' } }, { _i: [['phc_b']] }]) {
    const { sent, page } = openPage({ tokens: ['lnt_a', 'phc_b'], globals: { posthog } });
    page.history.pushState({}, '', '/x');
    page.va('event', { name: 'e' });
    expect(sent.map(({ url }) => url)).toEqual(['https://loja.example/ingest/va/lnt_a/event']);
  }
  expect(openPage({ globals: { posthog: { config: { token: 'other' } } } }).sent).toHaveLength(1);
  expect(
    openPage({ tokens: [], dataset: { dsn: 'lnt_z' }, globals: { posthog: { config: { token: 'lnt_z' } } } }).sent,
  ).toHaveLength(0);
});

it('honours its attributes', () => {
  const dataset = { endpoint: '/c', dsn: 'lnt_z' };
  expect(openPage({ dataset }).sent[0]).toMatchObject({ url: '/c/view', body: { dsn: 'lnt_z' } });
  expect(openPage({ dataset: { viewEndpoint: '/v1', endpoint: '/c' } }).sent[0]?.url).toBe('/v1');
});

it('runs once', () => {
  const { sent, again } = openPage();
  again();
  expect(sent).toHaveLength(1);
});

it('waits until a page that is prepared in advance is looked at', () => {
  const { sent, emit } = openPage({ prerendering: true });
  expect(sent).toHaveLength(0);
  emit('prerenderingchange');
  expect(sent).toHaveLength(1);
});

it('falls back to fetch where a beacon is refused, and does not mind its failing', async () => {
  const { fetched } = openPage({ beacon: false });
  await new Promise(setImmediate);
  expect(fetched).toEqual(['https://loja.example/ingest/va/lnt_a/view']);
});

it('cannot be closed by a token', () => {
  expect(scriptFor('x', ['</script>'])).not.toContain('</');
});
