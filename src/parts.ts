/**
 * Composition of the rooms: their dependencies, background work, and the order of shutdown. Nothing listens here yet
 * (main.ts), and nothing uses HTTP beyond the router for `/ingest`. It names every room, and so is as long as there are rooms.
 */
import * as fs from 'node:fs';
import type { RequestHandler } from 'express';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createAlerts } from './alerts/alerts.ts';
import { forgetAlerts, leaveAlerts } from './alerts/forget.ts';
import { type Clickhouse, createClickhouse, withoutClickhouse } from './clickhouse/clickhouse.ts';
import { forgetClickhouse } from './clickhouse/forget.ts';
import { type Collect, createCollect } from './collect/collect.ts';
import { forgetCollected } from './collect/forget.ts';
import { openSpool, type Spool, spoolPlace } from './collect/spool.ts';
import { type Columns, createColumns } from './columns/columns.ts';
import { forgetColumns } from './columns/forget.ts';
import { type Config, ingestMode } from './config.ts';
import { createDashboards } from './dashboards/dashboards.ts';
import { forgetDashboards, leaveDashboards } from './dashboards/forget.ts';
import { createErrors } from './errors/errors.ts';
import { forgetErrors, leaveErrors } from './errors/forget.ts';
import type { DroppedEvents } from './events/dropped.ts';
import { createEvents, type Events } from './events/events.ts';
import { forgetEvents } from './events/forget.ts';
import { createHistory } from './events/history.ts';
import { createLive } from './events/live.ts';
import { createExperiments } from './experiments/experiments.ts';
import { forgetExperiments } from './experiments/forget.ts';
import { createExplorer } from './explorer/explorer.ts';
import { forgetExplorer } from './explorer/forget.ts';
import { createFlags, flagsChannel } from './flags/flags.ts';
import { forgetFlags } from './flags/forget.ts';
import { forgetInsights, leaveInsights } from './insights/forget.ts';
import { createInsights } from './insights/insights.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { GROUP_ERRORS, recurringWork } from './jobs/list.ts';
import type { Line } from './kit/calls.ts';
import { type Clock, systemClock } from './kit/clock.ts';
import { unavailable } from './kit/errors.ts';
import type { JsonValue } from './kit/json.ts';
import type { Log } from './kit/log.ts';
import type { Stopper } from './kit/stop.ts';
import { createLimits } from './limits/limits.ts';
import { createMail } from './mail/mail.ts';
import { forgetPersons } from './persons/forget.ts';
import { createPeople } from './persons/people.ts';
import { createPersons } from './persons/persons.ts';
import { createPrivacy } from './privacy/privacy.ts';
import type { ProcessRole } from './processes/contract.ts';
import { createProcesses, type Processes } from './processes/processes.ts';
import { forgetProfiles } from './profiles/forget.ts';
import { createProfiles } from './profiles/profiles.ts';
import { createApiKeys } from './projects/api-keys/api-keys.ts';
import { createProjects, type Project, type Projects } from './projects/projects.ts';
import { createProxies } from './proxies/proxies.ts';
import type { ForwardRequest } from './relay/contract.ts';
import { forwardTo, relayRoutes } from './relay/endpoint.ts';
import { forgetRelayed } from './relay/forget.ts';
import { createRelay, type Relay } from './relay/relay.ts';
import { forgetReplays } from './replays/forget.ts';
import { createReplays } from './replays/replays.ts';
import { forgetReports, leaveReports } from './reports/forget.ts';
import { createReports } from './reports/reports.ts';
import type { Main } from './screens-thread.ts';
import { forgetShareLinks } from './sharing/forget.ts';
import { createSharing } from './sharing/sharing.ts';
import { createStatus } from './status/status.ts';
import { createBlobs } from './store/blobs.ts';
import { type RefusedConnections, watchRefusedConnections } from './store/connection-wait.ts';
import { sharesOf, sizesOf } from './store/connections.ts';
import { openDb, openSessionPool, openWritePool } from './store/db.ts';
import type { Deps } from './store/deps.ts';
import { forgetStored } from './store/forget.ts';
import { createSecrets } from './store/secrets.ts';
import { createSizes } from './store/sizes.ts';
import type { Rooms } from './trpc/context.ts';
import { createSessions, type Sessions } from './web/session.ts';

export interface Parts {
  rooms: Rooms;
  ingest: RequestHandler;
  collect: Collect | null;
  relay: Relay;
  jobs: Jobs;
  /** Null without CLICKHOUSE_URL. */
  clickhouse: Pick<Clickhouse, 'start'> | null;
  columns: Pick<Columns, 'warmUp' | 'largestProjects'>;
  processes: Pick<Processes, 'start' | 'reportNow'>;
  sessions: Sessions;
  /** The project of our own screens; null until the database was reached once. */
  ownProject(): Project | null;
  /** Makes that project if need be. @throws while the database is away */
  prepareOwnProject(): Promise<void>;
}

export interface PartsOptions {
  role?: ProcessRole;
  /** Present in the thread that draws: it asks the main one for what only that knows, and takes nothing in. */
  main?: Pick<Line<Main>, 'ask'>;
  // Replaced in tests: the clock, addresses of private networks that webhooks may reach, and the interval of access checks.
  clock?: Clock;
  allowedAddresses?: readonly string[];
  watchEveryMs?: number;
}

/** Deletion of a project in each room; marks of columns follow from deleted events, so they come later. */
export const forgets = [
  forgetCollected,
  forgetRelayed,
  forgetExplorer,
  forgetProfiles,
  forgetAlerts,
  forgetReports,
  forgetInsights,
  forgetShareLinks,
  forgetDashboards,
  forgetExperiments,
  forgetFlags,
  forgetErrors,
  forgetReplays,
  forgetEvents,
  forgetClickhouse,
  forgetColumns,
  forgetPersons,
  forgetStored,
];

/** What each room deletes of someone who leaves a team. */
const farewells = [leaveInsights, leaveDashboards, leaveErrors, leaveAlerts, leaveReports];

/** Creates all parts. Closers are registered in reverse order of need. */
export async function createParts(
  config: Config,
  log: Log,
  stopper: Stopper,
  { role = 'web', main, clock = systemClock, allowedAddresses = [], ...options }: PartsOptions = {},
): Promise<Parts> {
  const shares = sharesOf(config, role);
  const sizes = main ? sizesOf(shares, 'screens') : sizesOf(shares, 'main');
  const refused = watchRefusedConnections(log, clock);
  const deps = openDeps(config, log, stopper, { clock, sizes, refused });
  const processes = createProcesses(deps, role, undefined, main && ((part) => main.ask('reportNow', part)));
  stopper.onStop('process report', () => processes.stop());
  // Without the main thread the process is at its end, and remembers nothing.
  const forgotten = main && (() => main.ask('projectsChanged').catch(() => undefined));
  const projects = createProjects(deps, forgotten);
  const proxies = createProxies(deps, processes);
  const secrets = createSecrets(deps);
  const limits = createLimits(deps);
  const mail = createMail(deps, { secrets });
  stopper.onStop('mail', () => mail.stop(), 20_000);
  const accounts = createAccounts(deps, { projects, mail, secrets, limits, farewells, ...options });
  stopper.onStop('accounts', () => accounts.stop());
  const pool = openSessionPool(config, log, Math.max(1, sizes.sessions), refused);
  stopper.onStop('session pool', () => pool.end());
  const sessions = createSessions({ deps, pool, accounts, secrets });
  const persons = createPersons(deps);
  const { clickhouse, dropped, historyOver } = createCopy(deps, stopper);
  const events = createEvents(deps, { persons, projects, dropped, channels: [accounts.access.channel, flagsChannel] });
  watchAccess(events, accounts);
  stopper.onStop('events', () => events.stop());
  const columns = createColumns(deps, { dropped: clickhouse?.droppedRows });
  stopper.onStop('columns', () => columns.stop());
  const live = createLive(deps, { projects, notices: events.notices });
  const apiKeys = createApiKeys(deps);
  const people = createPeople(deps);
  const insights = createInsights(deps, { columns: clickhouse?.columnsOver(columns) ?? columns, changes: live });
  const flags = createFlags(deps, { people, notices: events.notices, apiKeys, secrets: projects.secrets, accounts });
  const dashboards = createDashboards(deps, { insights });
  const history = historyOver(createHistory(deps, dropped));
  const blobs = createBlobs(deps);
  const errors = createErrors(deps, { history, people, projects, secrets, insights, columns, notices: events.notices });
  const rooms = {
    insights,
    dashboards,
    sharing: openSharing(deps, stopper, { projects, insights, dashboards, secrets, limits }),
    flags,
    experiments: createExperiments(deps, { insights, flags }),
    errors,
    replays: createReplays(deps, { blobs, history, insights, columns, people }),
    alerts: createAlerts(deps, { insights, errors, mail, secrets, limits, allowedAddresses }),
    reports: createReports(deps, { insights, dashboards, mail, limits, projects }),
  };
  const profiles = createProfiles(deps, { people, history, columns, projects, insights, dropped });
  const explorer = createExplorer(deps, { history, insights, columns, people: profiles, blobs });
  const elsewhere = keepersOfPeople({ ...rooms, dropped, profiles, explorer });
  const privacy = createPrivacy(deps, { people, history, secrets, projects, elsewhere });
  const mode = ingestMode(config);

  const spool = mode === 'relay' || main ? null : await openSpoolIfPossible(deps);
  if (spool) stopper.onStop('spool', () => spool.close(), 40_000);
  const relay = createRelay(deps, spool ? { keep: (forward) => keepForward(spool, forward) } : {});
  stopper.onStop('relay', () => relay.stop());
  const collector =
    mode === 'relay'
      ? null
      : await createCollect(deps, {
          projects,
          events,
          flags: rooms.flags,
          recordings: rooms.replays.recordings,
          processes,
          proxies,
          spool,
          ...mirroringBy(relay, deps),
          takesIn: role === 'web' && !main,
          lanes: sizes.write < 4 ? 1 : 2,
          guard: privacy.whileNobodyIsErased,
        });
  const collect = collector && main ? { ...collector, capture: captureBy(main) } : collector;
  const databaseSizes = createSizes(deps);
  const watched = { collect, mail, processes, clickhouse };
  const jobs = createJobs(
    { ...deps, refused, concurrency: Math.max(1, shares.jobs) },
    recurringWork({
      accounts,
      events,
      columns,
      relay,
      privacy,
      explorer,
      profiles,
      ...watched,
      ...rooms,
      projects,
      sizes: databaseSizes,
      clock: deps.clock,
      // Files may lie elsewhere: while their rows still say where.
      forgets: [(_on, projectId, signal) => blobs.forget(projectId, signal), ...forgets],
    }),
  );
  stopper.onStop('jobs', () => jobs.stop());
  if (!main) rooms.errors.onExceptions(() => void jobs.soon(GROUP_ERRORS).catch(() => undefined));
  const spoolDir = async () => (main ? main.ask('spoolDir') : (collect?.stats().spool?.dir ?? null));
  const status = createStatus(deps, { ...watched, jobs, sizes: databaseSizes, spoolDir, refused });
  stopper.onStop('status', async () => status.stop());
  if (collect) stopper.onStop('collector', () => collect.stop());
  const own = createOwnProject(deps, projects, main);
  return {
    rooms: {
      deps,
      limits,
      mail,
      projects,
      apiKeys,
      accounts,
      events,
      live,
      people,
      history,
      ...rooms,
      collect,
      explorer,
      profiles,
      privacy,
      clickhouse,
      status,
      proxies,
      // Requests pass through the main thread, which has their status and runs the jobs.
      relay: main ? { ...relay, status: () => main.ask('relayStatus') } : relay,
      jobs: main ? { ...jobs, soon: (name) => main.ask('jobSoon', name) } : jobs,
    },
    ingest: collect ? collect.routes : relayRoutes(deps, relay, proxies.note),
    collect,
    relay,
    jobs,
    clickhouse,
    columns,
    processes,
    sessions,
    ownProject: own.get,
    prepareOwnProject: () => own.prepare(config),
  };
}

function openSharing(deps: Deps, stopper: Stopper, parts: Parameters<typeof createSharing>[1]) {
  const sharing = createSharing(deps, parts);
  stopper.onStop('views of shared pages', () => sharing.stop());
  return sharing;
}

/** Rooms that have to finish something before people are erased, or keep something of them. */
function keepersOfPeople(
  parts: Pick<Rooms, 'insights' | 'flags' | 'errors' | 'replays' | 'profiles' | 'explorer'> & {
    dropped: DroppedEvents;
  },
) {
  const { dropped, insights, flags, errors, replays, profiles, explorer } = parts;
  const waiting = { isBusy: dropped.isBusy, erase: async () => ({}) };
  return [waiting, profiles.splits, explorer.exports, flags, insights.cohorts, errors, replays];
}

/** `clickhouse` is null without CLICKHOUSE_URL: dropped events are an error then. */
function createCopy(deps: Deps, stopper: Stopper) {
  const clickhouse = createClickhouse(deps);
  stopper.onStop('clickhouse', async () => clickhouse?.stop());
  const { dropped, historyOver } = clickhouse ?? withoutClickhouse(deps);
  return { clickhouse, dropped, historyOver };
}

interface DepsOptions {
  clock: Clock;
  sizes: ReturnType<typeof sizesOf>;
  refused: RefusedConnections;
}

/** What every room gets, with the pools of the database. */
function openDeps(config: Config, log: Log, stopper: Stopper, { clock, sizes, refused }: DepsOptions): Deps {
  const deps: Deps = {
    config,
    log,
    clock,
    fetch: globalThis.fetch,
    fs,
    db: openDb(config, log, sizes.db, refused),
    write: openWritePool(config, log, sizes.write, refused),
  };
  stopper.onStop('database pools', async () => {
    await Promise.all([deps.db.destroy(), deps.write.end()]);
  });
  return deps;
}

/** Open streams end when rights change. */
function watchAccess({ notices }: Events, { access }: Accounts): void {
  notices.subscribe(access.channel, {
    onMessage: (userId) => access.changed(Number(userId)),
    onChange: () => access.missed(),
  });
}

/** How requests are passed on that were taken; nothing where none are. */
function mirroringBy({ mirror }: Relay, deps: Deps) {
  if (!mirror) return {};
  return {
    forward: forwardTo(mirror, deps),
    forwardKept: (kept: ForwardRequest) => mirror.insert(kept),
  };
}

/** Captures events through the main thread, which ingests. */
function captureBy(main: NonNullable<PartsOptions['main']>): Collect['capture'] {
  return (events, project) => main.ask('capture', [...events], project);
}

/** On a disk that may vanish a request is written as well, and not called safe: its client is to send it again. */
export async function keepForward(spool: Pick<Spool, 'append' | 'durable'>, forward: ForwardRequest): Promise<void> {
  await spool.append({ forward });
  if (!spool.durable) throw unavailable('Database unavailable. Retry in a moment.', 5);
}

/** How long the own project is believed: its token may be replaced, and its settings changed, by another process. */
const OWN_MS = 30_000;

/** The project of our own screens, cached and refreshed in the background (stale-while-revalidate). */
export function createOwnProject(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  projects: Projects,
  main?: PartsOptions['main'],
) {
  let own: Project | null = null;
  let askedAt = 0;
  return {
    get(): Project | null {
      if (own === null || clock.elapsed() - askedAt < OWN_MS) return own;
      askedAt = clock.elapsed();
      projects.get(own.id).then(
        (found) => {
          own = found ?? own;
        },
        (error: unknown) => log.debug({ err: error }, 'failed to refresh the built-in project'),
      );
      return own;
    },
    async prepare(config: Config): Promise<void> {
      own = main ? await main.ask('ownProject') : await projects.ensureBuiltIn(config);
      askedAt = clock.elapsed();
    },
  };
}

/** Without a disk to write to we still collect, and say so; events that come while the database is away are refused. */
async function openSpoolIfPossible({ config, log, clock, fs: files }: Deps): Promise<Spool | null> {
  try {
    return await openSpool({ ...spoolPlace(config), fs: files, log, clock });
  } catch (error) {
    log.error({ err: error }, 'no spool disk: events will be rejected while the database is unavailable');
    return null;
  }
}

/**
 * The token that Luneta's own screens and server report with: the one that was set, else the built-in project's. An upstream
 * does not know that one, so while events are relayed there is no token unless it is set.
 */
export function ownTokenOf(config: Config, own: Pick<Project, 'token'> | null): string | null {
  return config.PUBLIC_POSTHOG_KEY ?? (ingestMode(config) === 'relay' ? null : (own?.token ?? null));
}

/** How the server's own telemetry reaches our collector; null when it goes to an upstream. */
export function ownDelivery({ collect, ownProject }: Parts): ((events: JsonValue[]) => Promise<void>) | null {
  if (collect === null) return null;
  return async (events) => {
    const project = ownProject();
    if (project !== null) await collect.capture(events, project);
  };
}
