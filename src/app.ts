/** Table of contents of HTTP: what answers which address, in order. */
import type { AnyTRPCRouter } from '@trpc/server';
import type { Express, RequestHandler, Router } from 'express';
import { signInRoutes } from '#src/accounts/endpoint.ts';
import { access as accessTable } from '#src/accounts/rights/values.ts';
import { apiRoutes } from '#src/api/endpoint.ts';
import type { Config } from '#src/config.ts';
import { eventExportRoutes } from '#src/explorer/endpoint.ts';
import { exportRoutes } from '#src/privacy/endpoint.ts';
import { pointFileRoutes } from '#src/profiles/endpoint.ts';
import { replayRoutes } from '#src/replays/endpoint.ts';
import type { Context, Rooms } from '#src/trpc/context.ts';
import type { Assets } from '#src/web/assets.ts';
import { bareExpress } from '#src/web/bare-express.ts';
import { callRoutes } from '#src/web/calls.ts';
import { refuseForeignOrigins } from '#src/web/csrf.ts';
import { createDrawings } from '#src/web/draw-insight.ts';
import { answerErrors, knownMethods, nothingHere } from '#src/web/errors.ts';
import { pageHeaders } from '#src/web/headers.ts';
import type { Health } from '#src/web/health.ts';
import { insightFileRoutes } from '#src/web/insight-files.ts';
import { languageOf } from '#src/web/language.ts';
import type { Measure } from '#src/web/measure.ts';
import { preferenceRoutes } from '#src/web/preferences.ts';
import { createReport } from '#src/web/report.ts';
import { reportLinkRoutes, reportPageRoutes } from '#src/web/report-pages.tsx';
import { requestLog } from '#src/web/request-log.ts';
import type { Sessions } from '#src/web/session.ts';
import { sharedPageRoutes } from '#src/web/shared-pages.tsx';
import { signOutRoutes } from '#src/web/sign-out.ts';
import { createPages, createProblemPages, type PageLimits } from '#src/web/ssr.tsx';
import { staticFiles } from '#src/web/static.ts';
import { routes as productRoutes } from '#views/routes.tsx';
import type { Route } from '#views/routing.ts';
import { appRouter } from './router.ts';
import { refuseForeignHosts } from './web/own-host.ts';

export interface AppParts {
  config: Config;
  rooms: Rooms;
  health: Health;
  /** `/ingest`: collected here, or relayed. */
  ingest: RequestHandler;
  metrics: Router;
  assets(): Assets;
  measure: Measure;
  sessions: Sessions;
  /** Token of the project that our own screens report to; null: they do not. */
  ownToken(): string | null;
  /** Called when a screen is about to be drawn. */
  onScreen?(): void;
  /** Present under the watching build. */
  dev?: Router | undefined;
  /** Other procedures, rights, screens and limits than the product's: for tests. */
  access?: Context['access'];
  router?: AnyTRPCRouter;
  routes?: readonly Route[];
  limits?: Partial<PageLimits>;
}

export function createApp(parts: AppParts): Express {
  const { config, rooms, assets, measure, sessions } = parts;
  const { router = appRouter, routes = productRoutes, access = accessTable } = parts;
  const { log, clock } = rooms.deps;
  const report = createReport(log, measure);
  const app = bareExpress(config);

  app.use(requestLog(log, clock, config.INGEST_ALIAS));
  app.use(parts.health.routes);
  // Before everything that reads bodies or cookies, or refuses foreign origins: visitors of other sites send here.
  app.use(['/ingest', `/${config.INGEST_ALIAS}`], parts.ingest);
  app.use(pageHeaders(config));
  app.use(refuseForeignHosts(config.PUBLIC_APP_URL));
  // Before everything that reads cookies: the API authenticates only by key.
  const draw = createDrawings(rooms);
  app.use('/api', apiRoutes({ ...rooms, draw }));
  app.use(knownMethods);
  app.use(parts.metrics);
  if (parts.dev) app.use(parts.dev);
  app.use(staticFiles(assets));
  app.get('/static/luneta-maps.mjs', async (_req, res) => {
    res
      .set('Cache-Control', 'public, max-age=3600')
      .type('text/javascript')
      .send(await rooms.errors.uploader());
  });
  // Mail programs unsubscribe their readers from elsewhere.
  app.use(reportLinkRoutes({ rooms, assets }));
  app.use(refuseForeignOrigins(config.PUBLIC_APP_URL));
  // Before everything that reads sessions: readers of a link are nobody.
  app.use(sharedPageRoutes({ config, rooms, assets, report }));
  app.use(preferenceRoutes(config.PUBLIC_APP_URL));
  app.use(sessions.handler);
  app.use(signOutRoutes({ accounts: rooms.accounts, sessions, deps: rooms.deps }));
  app.use('/api/sign-in', signInRoutes({ accounts: rooms.accounts, sessions, limits: rooms.limits, deps: rooms.deps }));
  app.use('/api/exports', exportRoutes({ rooms, readerOf: sessions.readerOf }));
  app.use('/project', eventExportRoutes({ rooms, readerOf: sessions.readerOf }));
  app.use('/api/trpc', callRoutes({ rooms, router, languageOf, report, sessions, access }));
  app.use('/project', pointFileRoutes({ rooms, readerOf: sessions.readerOf }));
  app.use(replayRoutes({ rooms, readerOf: sessions.readerOf }));
  app.use(reportPageRoutes({ rooms, sessions }));
  app.use('/project', insightFileRoutes({ rooms, sessions, languageOf, draw }));
  app.use(
    createPages({
      config,
      rooms,
      router,
      routes,
      assets,
      token: parts.ownToken,
      dev: parts.dev !== undefined,
      report,
      sessions,
      access,
      onScreen: parts.onScreen,
      limits: parts.limits ?? {},
    }),
  );
  app.use(nothingHere);
  app.use(answerErrors({ log, page: createProblemPages(assets), report }));
  return app;
}
