/** The collector as a server on a port, on a real database: what replays and browsers in tests send to. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from 'express';
import type { Accounts } from '#src/accounts/accounts.ts';
import { type Collect, createCollect } from '#src/collect/collect.ts';
import type { Spool } from '#src/collect/spool.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createFlags, type Flags, flagsChannel } from '#src/flags/flags.ts';
import { createPeople } from '#src/persons/people.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProcesses, type Processes } from '#src/processes/processes.ts';
import { createApiKeys } from '#src/projects/api-keys/api-keys.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import { createRecordings, type Recordings } from '#src/replays/replays.ts';
import { createBlobs } from '#src/store/blobs.ts';
import { bareExpress } from '#src/web/bare-express.ts';
import { inFront } from '#src/web/front.ts';
import { eventsLog } from '#src/web/request-log.ts';
import { type TestDeps, type TestDepsOverrides, testDeps } from '#test/kit/deps.ts';

export interface TestCollector {
  url: string;
  deps: TestDeps;
  projects: Projects;
  events: Events;
  flags: Flags;
  collect: Collect;
  replays: Recordings;
  /** Writes nothing by default. */
  processes: Processes;
  server: Server;
  stop(): Promise<void>;
}

export interface TestCollectorOptions extends TestDepsOverrides {
  spool?: Spool;
  port?: number;
  /** Who owns personal keys. */
  accounts?: Pick<Accounts, 'reader'>;
  /** In front of `/ingest`, and for everything else that the server should answer. */
  routes?: RequestHandler;
}

export async function startCollector(databaseUrl: string, options: TestCollectorOptions = {}): Promise<TestCollector> {
  const { spool, port = 0, routes, accounts: _, ...overrides } = options;
  const deps = testDeps(databaseUrl, overrides);
  const projects = createProjects(deps);
  const persons = createPersons(deps);
  const events = createEvents(deps, { persons, projects, channels: [flagsChannel] });
  const people = createPeople(deps);
  const flags = createFlags(deps, {
    people,
    notices: events.notices,
    apiKeys: createApiKeys(deps),
    secrets: projects.secrets,
    accounts: options.accounts ?? { reader: async () => null },
  });
  await events.maintain();
  const processes = createProcesses(deps);
  const replays = createRecordings(deps, { blobs: createBlobs(deps) });
  const { recordings } = replays;
  const collect = await createCollect(deps, { projects, events, flags, recordings, processes, spool: spool ?? null });
  const app = bareExpress(deps.config);
  if (routes) app.use(routes);
  app.use('/ingest', collect.routes);
  const front = { config: deps.config, ...collect.front, log: eventsLog(deps.log, deps.clock, 'debug') };
  const server = createServer(routes ? app : inFront(app, front));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deps,
    projects,
    events,
    flags,
    collect,
    replays,
    processes,
    server,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await collect.stop();
      await events.stop();
      await deps.close();
    },
  };
}
