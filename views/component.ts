/**
 * The script for `@vercel/analytics`: sends views and events without storing anything on the device. Sends to the folder it was
 * loaded from. At most 1 kB compressed (test/collect/component-script.test.ts). Its contract with the package: `window.va` and its
 * queue `window.vaq`, and the `data-` attributes of its own element.
 */

type Kind = 'pageview' | 'event';

/** Argument and result of `beforeSend`; null cancels. */
interface Sending {
  type: Kind;
  url: string;
  route?: string | null;
}
type BeforeSend = (event: Sending) => Sending | null;

interface Command {
  name?: string;
  data?: unknown;
  route?: string | null;
}

interface Page {
  va?: (command: string, value?: unknown) => void;
  vaq?: [string, unknown?][];
  /** Set while this script runs in the page: it must not run twice. */
  vai?: boolean;
  /** Tokens of the project, put in front of this script by the server. */
  lunetaTokens?: string[];
  posthog?: { config?: { token?: string }; _i?: [string][] };
}

const page = window as unknown as Page;
const own = document.currentScript as HTMLScriptElement | null;

if (own && !page.vai) {
  page.vai = true;
  const { dataset } = own;
  const base = dataset['endpoint'] || own.src.replace(/\/[^/]*$/, '');
  let beforeSend: BeforeSend | null = null;
  let isFirstView = true;

  const send = (type: Kind, { name, data, route }: Command): void => {
    const event = { type, url: location.href, ...(route && { route }) };
    const passed = beforeSend ? beforeSend(event) : event;
    if (!passed) return;
    const body = JSON.stringify({
      o: passed.url,
      r: isFirstView ? document.referrer : '',
      ts: Date.now(),
      w: innerWidth,
      dp: passed.route,
      en: name,
      ed: data,
      dsn: dataset['dsn'],
      sdkn: dataset['sdkn'],
      sdkv: dataset['sdkv'],
    });
    const isView = type === 'pageview';
    if (isView) isFirstView = false;
    const to = (isView ? dataset['viewEndpoint'] : dataset['eventEndpoint']) || `${base}/${isView ? 'view' : 'event'}`;
    if (!navigator.sendBeacon?.(to, body)) {
      fetch(to, { method: 'POST', body, keepalive: true }).catch(() => {
        // a visitor offline or a blocker: counting must never trouble the page
      });
    }
  };

  /** posthog-js of the same project counts the views already. */
  const isCountedElsewhere = (): boolean => {
    const tokens = [...(page.lunetaTokens || []), dataset['dsn']];
    const { posthog } = page;
    const used = [posthog?.config?.token, ...(posthog?._i || []).map(([token]) => token)];
    return used.some((token) => token && tokens.includes(token));
  };
  const view = (command: Command): void => {
    if (!isCountedElsewhere()) send('pageview', command);
  };

  const run = (command: string, value: unknown): void => {
    if (command === 'beforeSend') beforeSend = value as BeforeSend;
    else if (command === 'pageview') view((value || {}) as Command);
    else if (command === 'event') send('event', value as Command);
  };
  page.va = run;
  for (const [command, value] of page.vaq || []) run(command, value);

  if (!dataset['disableAutoTrack']) {
    let path = '';
    const look = (): void => {
      if (location.pathname === path) return;
      path = location.pathname;
      view({});
    };
    for (const method of ['pushState', 'replaceState'] as const) {
      const original = history[method];
      history[method] = function (...args) {
        original.apply(this, args);
        look();
      };
    }
    addEventListener('popstate', look);
    if ((document as { prerendering?: boolean }).prerendering)
      addEventListener('prerenderingchange', look, { once: true });
    else look();
  }
}
