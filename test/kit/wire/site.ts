/** A customer's site with unmodified clients in it: posthog-js as the npm package or as the script that everyone pastes, @vercel/analytics. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import express, { type RequestHandler } from 'express';
import type { JsonObject } from '#src/kit/json.ts';

export interface SiteOptions {
  token: string;
  /** Options of `posthog.init` besides host and token. */
  options?: JsonObject;
  /** Address of another version's module, see `siteRoutes`. */
  client?: string;
  /** Loaded from `/ingest/static/array.js` instead of the package. */
  asScript?: boolean;
  /** The web-analytics component instead of posthog-js, with what `inject` is given. */
  component?: JsonObject;
}

/** Address of a page of the site: what the page is to do is in it. */
export function pageAddress(base: string, site: SiteOptions, path = '/'): string {
  return `${base}/site${path}?site=${encodeURIComponent(JSON.stringify(site))}`;
}

/**
 * Serves the site below `/site`, and the packages' modules.
 *
 * @param others more modules: files by address
 */
export function siteRoutes(others: Record<string, string> = {}): RequestHandler {
  const routes = express.Router();
  const packages = {
    '/site-client.mjs': 'node_modules/posthog-js/dist/module.mjs',
    '/site-component.mjs': 'node_modules/@vercel/analytics/dist/index.mjs',
    ...others,
  };
  for (const [address, file] of Object.entries(packages)) {
    routes.get(address, (_req, res) => void res.type('text/javascript').send(readFileSync(resolve(file))));
  }
  routes.get('/favicon.ico', (_req, res) => void res.status(204).end());
  routes.get('/site{/*path}', (req, res) => {
    res.type('text/html').send(pageFor(JSON.parse(String(req.query['site'])) as SiteOptions));
  });
  return routes;
}

function pageFor({ token, options, client: module = '/site-client.mjs', asScript, component }: SiteOptions): string {
  const all = {
    api_host: '/ingest',
    ui_host: 'http://localhost:3000',
    defaults: '2025-05-24',
    request_queue_config: { flush_interval_ms: 250 },
    ...options,
  };
  const inPage = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
  const start = `posthog.init(${inPage(token)}, { ...${inPage(all)}, loaded: () => { window.ready = true; } });`;
  let client = `<script type="module">import posthog from '${module}'; window.posthog = posthog; ${start}</script>`;
  if (asScript) client = `<script src="/ingest/static/array.js"></script><script>${start}</script>`;
  if (component) {
    client = `<script type="module">
      import * as analytics from '/site-component.mjs';
      window.analytics = analytics;
      analytics.inject(${inPage(component)});
      window.ready = true;
    </script>`;
  }
  return `<!doctype html>
<html lang="en"><title>Shop</title>
<link rel="icon" href="/favicon.ico">
${client}
<h1>Shop</h1>
<button id="buy" class="cta">Buy</button>
<p id="words">Words to copy</p>
</html>`;
}
