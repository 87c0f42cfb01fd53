/**
 * Table of contents of what the main thread answers by itself: events, whether and how it does, and streams, of which each would need two
 * more connections on the way to the other thread. Everything else is for screens.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import { type RequestHandler, Router } from 'express';
import type { Config } from './config.ts';
import { unavailable } from './kit/errors.ts';
import type { Deps } from './store/deps.ts';
import { bareExpress } from './web/bare-express.ts';
import { type CallParts, callRoutes } from './web/calls.ts';
import { refuseForeignOrigins } from './web/csrf.ts';
import { answerErrors, kindFor, knownMethods } from './web/errors.ts';
import { pageHeaders } from './web/headers.ts';
import type { Health } from './web/health.ts';
import { languageOf } from './web/language.ts';
import type { Measure } from './web/measure.ts';
import { refuseForeignHosts } from './web/own-host.ts';
import { createReport } from './web/report.ts';
import { requestLog } from './web/request-log.ts';
import type { Sessions } from './web/session.ts';
import { unavailablePage } from './web/unavailable-page.ts';

export interface FrontAppParts {
  config: Config;
  deps: Pick<Deps, 'log' | 'clock'>;
  health: Health;
  /** `/ingest`: collected here, or relayed. */
  ingest: RequestHandler;
  metrics: Router;
  measure: Measure;
  streams: RequestHandler;
}

/** Every subscription of the router. */
export const streamPaths: readonly string[] = ['/api/trpc/events.liveStream'];

export interface StreamsParts extends Omit<CallParts, 'languageOf'> {
  config: Pick<Config, 'PUBLIC_APP_URL'>;
  sessions: Sessions;
}

/** Streams as the whole application answers them. */
export function createStreams({ config, ...parts }: StreamsParts): RequestHandler {
  const routes = Router();
  routes.use(refuseForeignOrigins(config.PUBLIC_APP_URL));
  routes.use(parts.sessions.handler);
  routes.use('/api/trpc', callRoutes({ ...parts, languageOf }));
  return routes;
}

/** Other requests get the "unavailable" page. */
export function createFrontApp(parts: FrontAppParts): RequestListener {
  const { config, health, ingest, metrics, measure, streams } = parts;
  const { log, clock } = parts.deps;
  const app = bareExpress(config);
  app.use(requestLog(log, clock, config.INGEST_ALIAS));
  app.use(health.routes);
  app.use(['/ingest', `/${config.INGEST_ALIAS}`], ingest);
  app.use(pageHeaders(config));
  app.use(refuseForeignHosts(config.PUBLIC_APP_URL));
  app.use(knownMethods);
  app.use(metrics);
  app.use((req, res, next) => (isStream(req, req.path) ? streams(req, res, next) : next()));
  app.use((req, res, next) => {
    if (kindFor(req) !== 'html') return next(unavailable('The page renderer is restarting. Try again in a moment.', 1));
    res.status(503).set({ 'Retry-After': '1', 'Cache-Control': 'no-store' }).type('html').send(unavailablePage(req));
  });
  app.use(answerErrors({ log, report: createReport(log, measure) }));
  return app;
}

/** Sends each request where it is answered. */
export function sortRequests(
  { INGEST_ALIAS }: Pick<Config, 'INGEST_ALIAS'>,
  front: RequestListener,
  screens: RequestListener,
): RequestListener {
  const mounts = ['/ingest', `/${INGEST_ALIAS.toLowerCase()}`];
  const readings = ['/healthz', '/readyz', '/metrics'];
  return (req, res) => {
    const asked = pathOf(req.url ?? '');
    const path = asked.toLowerCase();
    const isOurs =
      isStream(req, asked) ||
      mounts.some((mount) => path === mount || path.startsWith(`${mount}/`)) ||
      ((req.method === 'GET' || req.method === 'HEAD') && readings.includes(path.replace(/\/$/, '')));
    (isOurs ? front : screens)(req, res);
  };
}

function isStream({ method }: IncomingMessage, path: string): boolean {
  return method === 'GET' && streamPaths.includes(path);
}

/** The path as express parses it. */
function pathOf(url: string): string {
  if (url.startsWith('/')) return url.replace(/[?#].*$/s, '');
  return URL.canParse(url) ? new URL(url).pathname : url;
}
