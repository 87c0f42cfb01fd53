/** Files: the build's assets for ever, and the few small ones that browsers ask for by name. */
import { type Request, type Response, Router } from 'express';
import type { Assets } from './assets.ts';
import { chooseEncoding } from './encoding.ts';

/** Encodings of the build's compressed files. */
const encodings = ['br', 'gzip'] as const;

/** The logomark: a spyglass seen down its barrel. */
const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="#0f1c2e"/>' +
  '<circle cx="13.6" cy="10.4" r="7.4" fill="#fcfbf8"/><circle cx="15" cy="9" r="4.2" fill="#c08a22"/></svg>';

const webManifest = JSON.stringify({
  name: 'Luneta',
  short_name: 'Luneta',
  start_url: '/',
  display: 'standalone',
  background_color: '#fcfbf8',
  theme_color: '#0f1c2e',
  icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
});

/** Nothing here is for search engines. */
/** Crawlers may fetch pages, because they must read each page's `noindex`. */
const robots = 'User-agent: *\nDisallow: /api/\nDisallow: /ingest/\n';

const day = 'public, max-age=86400';

export function staticFiles(assets: () => Assets): Router {
  const routes = Router();
  routes.get('/assets/:name', (req, res, next) => sendAsset(assets(), req, res) || next());
  routes.get('/favicon.svg', (_req, res) => {
    res.set('Cache-Control', day).type('image/svg+xml').send(favicon);
  });
  routes.get('/favicon.ico', (_req, res) => {
    res.redirect(302, '/favicon.svg');
  });
  routes.get('/manifest.webmanifest', (_req, res) => {
    res.set('Cache-Control', day).type('application/manifest+json').send(webManifest);
  });
  routes.get('/robots.txt', (_req, res) => {
    res.set('Cache-Control', day).type('text/plain').send(robots);
  });
  routes.get('/service-worker.js', (_req, res, next) => {
    const { serviceWorker, entry } = assets();
    if (serviceWorker === null) return next();
    // The browser compares the text: a release has another entry, so it is another worker, and fetches the shell again.
    const release = `// ${entry.scripts[0] ?? ''}\n`;
    res
      .set('Cache-Control', 'no-cache')
      .type('text/javascript')
      .send(release + serviceWorker);
  });
  return routes;
}

function sendAsset(assets: Assets, req: Request, res: Response): boolean {
  const file = assets.files.get(req.path);
  if (file === undefined) return false;
  const encoding = chooseEncoding(
    req,
    encodings.filter((name) => name in file),
  );
  const body = (encoding && file[encoding]) ?? file.identity;
  res.set({
    'Content-Type': file.type,
    'Content-Length': String(body.length),
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
  });
  res.end(req.method === 'HEAD' ? undefined : body);
  return true;
}
