/** Table of contents of the calls. */
import { accountsRouter } from '#src/accounts/router.ts';
import { alertsRouter } from '#src/alerts/router.ts';
import { clickhouseRouter } from '#src/clickhouse/router.ts';
import { collectRouter } from '#src/collect/router.ts';
import { dashboardsRouter } from '#src/dashboards/router.ts';
import { errorsRouter } from '#src/errors/router.ts';
import { eventsRouter } from '#src/events/router.ts';
import { explorerRouter } from '#src/explorer/router.ts';
import { flagsRouter } from '#src/flags/router.ts';
import { insightsRouter } from '#src/insights/router.ts';
import { jobsRouter } from '#src/jobs/router.ts';
import { mailRouter } from '#src/mail/router.ts';
import { privacyRouter } from '#src/privacy/router.ts';
import { profilesRouter } from '#src/profiles/router.ts';
import { projectsRouter } from '#src/projects/router.ts';
import { proxiesRouter } from '#src/proxies/router.ts';
import { relayRouter } from '#src/relay/router.ts';
import { replaysRouter } from '#src/replays/router.ts';
import { reportsRouter } from '#src/reports/router.ts';
import { sharingRouter } from '#src/sharing/router.ts';
import { statusRouter } from '#src/status/router.ts';
import { router } from '#src/trpc/procedure.ts';
import { experimentsRouter } from './experiments/router.ts';

export const appRouter = router({
  accounts: accountsRouter,
  mail: mailRouter,
  projects: projectsRouter,
  errors: errorsRouter,
  events: eventsRouter,
  insights: insightsRouter,
  dashboards: dashboardsRouter,
  experiments: experimentsRouter,
  sharing: sharingRouter,
  alerts: alertsRouter,
  reports: reportsRouter,
  flags: flagsRouter,
  explorer: explorerRouter,
  collect: collectRouter,
  relay: relayRouter,
  jobs: jobsRouter,
  status: statusRouter,
  proxies: proxiesRouter,
  privacy: privacyRouter,
  profiles: profilesRouter,
  replays: replaysRouter,
  clickhouse: clickhouseRouter,
});

/** Type of the browser's client; only the type is imported there. */
export type AppRouter = typeof appRouter;
