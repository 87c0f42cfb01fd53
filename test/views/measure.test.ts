/** What Luneta's own events may hold: route patterns, never what people look at. */
import { withoutData } from '#views/measure.ts';
import type { Route } from '#views/routing.ts';
import { uiHost } from '#views/settings.ts';

const origin = 'https://luneta.example';
const address = `${origin}/project/7/overview?filter=marina%40serrana.example&range=today#marina`;
const screen = () => Promise.reject(new Error('not loaded here'));
const routes: Route[] = [
  {
    name: 'overview',
    path: '/project/:project/overview',
    needs: 'viewer',
    frame: 'project',
    showsEvents: true,
    file: '',
    load: screen,
  },
  {
    name: 'live',
    path: '/project/:project/live',
    needs: 'member',
    frame: 'project',
    showsEvents: true,
    file: '',
    load: screen,
  },
];

const event = {
  uuid: '01a1fb58-f920-7cec-ad1e-b8a35e059e68',
  event: '$pageview',
  properties: {
    $current_url: address,
    $pathname: '/project/7/overview',
    $host: 'luneta.example',
    $referrer: `${origin}/project/7/live?person=marina@serrana.example`,
    $referring_domain: 'luneta.example',
    $prev_pageview_pathname: '/project/7/live?x=marina@serrana.example',
    $session_entry_url: address,
    title: 'marina@serrana.example · Luneta',
    $prev_pageview_title: 'marina@serrana.example',
    $elements: [{ tag_name: 'a', attr__href: address }],
    $elements_chain: `a:href="${address}"nth-child="1"`,
    $web_vitals_LCP_event: { $current_url: address, value: 12.5, nested: [{ url: address }] },
    $exception_list: [
      {
        type: 'Error',
        value: `Could not read ${address} twice`,
        stacktrace: { frames: [{ filename: `${origin}/assets/browser-ABC.js`, lineno: 1 }] },
      },
    ],
    $unknown_address: `${origin}/somewhere/marina@serrana.example`,
    $screen_width: 1280,
    $is_identified: false,
    nothing: null,
  },
  $set_once: { $initial_current_url: address, $initial_pathname: '/project/7/overview' },
  timestamp: new Date(0),
};

test('an event keeps its shape and loses what addresses and titles hold', () => {
  const { properties, $set_once, timestamp } = withoutData(event, origin, routes);
  expect(properties).toEqual({
    $current_url: `${origin}/project/:project/overview`,
    $pathname: '/project/:project/overview',
    $host: 'luneta.example',
    $referrer: `${origin}/project/:project/live`,
    $referring_domain: 'luneta.example',
    $prev_pageview_pathname: '/project/:project/live',
    $session_entry_url: `${origin}/project/:project/overview`,
    $elements: [{ tag_name: 'a', attr__href: `${origin}/project/:project/overview` }],
    $elements_chain: `a:href="${origin}/project/:project/overview"nth-child="1"`,
    $web_vitals_LCP_event: {
      $current_url: `${origin}/project/:project/overview`,
      value: 12.5,
      nested: [{ url: `${origin}/project/:project/overview` }],
    },
    $exception_list: [
      {
        type: 'Error',
        value: `Could not read ${origin}/project/:project/overview twice`,
        stacktrace: { frames: [{ filename: `${origin}/assets/browser-ABC.js`, lineno: 1 }] },
      },
    ],
    $unknown_address: `${origin}/other`,
    $screen_width: 1280,
    $is_identified: false,
    nothing: null,
  });
  expect($set_once).toEqual({
    $initial_current_url: `${origin}/project/:project/overview`,
    $initial_pathname: '/project/:project/overview',
  });
  expect(timestamp).toEqual(new Date(0));
  expect(JSON.stringify(withoutData(event, origin, routes))).not.toMatch(/marina|serrana\.example/);
});

test.each([
  ['https://eu.i.posthog.com', 'https://eu.posthog.com'],
  ['https://us.i.posthog.com/', 'https://us.posthog.com'],
  ['https://analytics.example.com', 'https://analytics.example.com'],
  [undefined, 'https://luneta.example'],
])('what is measured through %s is looked at in %s', (upstream, screens) => {
  expect(uiHost({ PUBLIC_APP_URL: origin, PUBLIC_POSTHOG_HOST: upstream })).toBe(screens);
});

describe('telling who uses Luneta', () => {
  const warned: string[] = [];
  beforeEach(() => {
    warned.length = 0;
    jest.spyOn(globalThis.console, 'warn').mockImplementation((text: string) => warned.push(text));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each(['', '  ', 'undefined', 'NULL', '[object Object]', undefined, 42])('%p is no id: it warns', async (id) => {
    const { identify } = await import('#views/measure.ts');
    expect(() => identify(id as string)).not.toThrow();
    expect(warned).toEqual(['[Luneta] identify needs the id of a person; the call was ignored']);
  });

  test.each([
    ['signed out before, signed in now', null, 'ana', ['identify ana']],
    ['signed in before and now', 'ana', 'ana', []],
    ['another user before', 'ana', 'bia', ['reset', 'identify bia']],
    ['signed in before, signed out now', 'ana', null, ['reset']],
    ['nobody was, nobody is', null, null, []],
  ])('%s', async (_, before, now, done) => {
    const { recognise } = await import('#views/measure.ts');
    const seen: string[] = [];
    const client = {
      get_property: (name: string) => (name === '$user_id' ? (before ?? undefined) : undefined),
      identify: (id?: string) => void seen.push(`identify ${id}`),
      reset: () => void seen.push('reset'),
    };
    recognise(client, now);
    expect(seen).toEqual(done);
  });

  test('calls before the client is there wait without a word', async () => {
    const { identify, reset } = await import('#views/measure.ts');
    identify('person-1');
    reset();
    expect(warned).toEqual([]);
  });
});
