/** `/ingest` in front of a writer that only remembers: for tests of everything up to the database. */
import type { RequestListener } from 'node:http';
import express, { type Router } from 'express';
import { type BodyLimits, createBodyReader, defaultBodyLimits } from '#src/collect/body.ts';
import { loadComponentScript } from '#src/collect/component.ts';
import { type EndpointParts, type IngestFront, ingestRoutes } from '#src/collect/endpoint.ts';
import { type EndpointCounts, newEndpointCounts } from '#src/collect/endpoint-counts.ts';
import { createIntake } from '#src/collect/intake.ts';
import type { Note } from '#src/collect/notes.ts';
import type { ForwardDetails } from '#src/collect/passing-on.ts';
import { createRecordingOpener } from '#src/collect/recordings/open-recording.ts';
import { createScripts } from '#src/collect/scripts.ts';
import type { Spool } from '#src/collect/spool.ts';
import type { Writer } from '#src/collect/writer.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { type Flags, noAnswers } from '#src/flags/flags.ts';
import type { Clock } from '#src/kit/clock.ts';
import { systemClock } from '#src/kit/clock.ts';
import { unavailable } from '#src/kit/errors.ts';
import { createLog } from '#src/kit/log.ts';
import { type ProjectId, type ProjectSettings, projectSettings } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import { inFront } from '#src/web/front.ts';
import { eventsLog } from '#src/web/request-log.ts';
import { testContext } from './context.ts';

export interface TestServer {
  app: RequestListener;
  /** The two ways into it. */
  routes: Router;
  front: IngestFront;
  stored: FinishedEvent[];
  notes: Note[];
  counts: EndpointCounts;
  inFlight(): { requests: number; bytes: number };
  /** What the database and the writer do from now on. */
  state: { projectsAway: boolean; fail: Error | null; hold: Promise<void> | null };
  logged: string[];
}

export function testProject(settings: Partial<ProjectSettings> = {}): Project {
  return {
    id: 7 as ProjectId,
    teamId: null,
    deletesAt: null,
    name: 'Loja',
    timeZone: 'America/Sao_Paulo',
    weekStart: 1,
    builtIn: false,
    settings: { ...projectSettings.parse({}), ...settings },
    token: 'lnt_shop',
    tokens: ['lnt_shop', 'phc_shop'],
    outsideEventAt: null,
    closedUntil: null,
  };
}

/** A project without flags; any key may read them. */
export const noFlags: Pick<Flags, 'answer' | 'isUsed' | 'definitions' | 'payload' | 'offered' | 'keys'> = {
  answer: async () => noAnswers,
  isUsed: () => false,
  definitions: async () => ({ body: '{"flags":[]}', etag: '"none"' }),
  payload: async () => null,
  offered: async () => [],
  keys: { check: async () => 'allowed' },
};

/** Recordings are opened in place, and nothing is stored. */
export const noRecordings: EndpointParts['recordings'] = {
  reader: {
    async withOpened(incoming, use) {
      const opener = createRecordingOpener();
      const opened = await opener.open({ ...incoming, request: 1 });
      return use(opened, async (task) => opener.finish({ ...task, request: 1 }));
    },
  },
  store: { budget: async () => 'ok', secretFields: async () => ({}), store: async () => undefined },
};

export function testServer(
  options: {
    project?: Project;
    clock?: Clock;
    limits?: Partial<BodyLimits>;
    spool?: Spool | null;
    prefix?: string;
    forward?: (path: string, body: Buffer, whose: ForwardDetails) => Promise<void>;
    flags?: EndpointParts['flags'];
    recordings?: EndpointParts['recordings'];
  } = {},
): TestServer {
  const { project = testProject(), clock = systemClock, spool = null } = options;
  const stored: FinishedEvent[] = [];
  const notes: Note[] = [];
  const logged: string[] = [];
  const counts = newEndpointCounts();
  const state: TestServer['state'] = { projectsAway: false, fail: null, hold: null };
  const log = createLog('warn', { write: (line) => void logged.push(line) });
  const writer: Writer = {
    async write(events, own = []) {
      await state.hold;
      if (state.fail) throw state.fail;
      stored.push(...events);
      notes.push(...own);
      return events.map(() => 'stored');
    },
    store: async () => {},
    stats: () => {
      throw new Error('not asked for');
    },
    stop: async () => {},
    expectDatabase: () => {},
  };
  const projects = {
    known: (token: string) => (state.projectsAway || !project.tokens.includes(token) ? undefined : project),
    byToken: async (token: string) => {
      if (state.projectsAway) throw unavailable('away');
      return project.tokens.includes(token) ? project : null;
    },
    list: async () => [project],
  };
  const intake = createIntake({
    projects,
    writer,
    cookieless: {
      salts: async (_project, nowMs) =>
        new Map([
          [new Intl.DateTimeFormat('en-CA', { timeZone: project.timeZone }).format(nowMs), Buffer.alloc(32, 1)],
        ]),
      assignVisits: async () => {},
      destroyOld: async () => {},
    },
    lookups: testContext().lookups,
    countOnce: async () => {},
    spool,
    log,
  });
  const bodies = createBodyReader(clock, { ...defaultBodyLimits, ...options.limits });
  const { forward } = options;
  const { routes, front } = ingestRoutes(
    {
      intake,
      projects,
      flags: options.flags ?? noFlags,
      bodies,
      recordings: options.recordings ?? noRecordings,
      scripts: createScripts(),
      componentScript: loadComponentScript,
      ...(forward ? { forward: (request, body, whose) => forward(request.url, body, whose) } : {}),
      clock,
      log,
    },
    counts,
  );
  const app = express();
  app.set('query parser', 'simple');
  app.set('trust proxy', 1);
  app.use(options.prefix ?? '/ingest', routes);
  const config = { TRUST_PROXY: 1, INGEST_ALIAS: 'dados' };
  const listener = inFront(app, { config, ...front, log: eventsLog(log, clock, 'warn') });
  return { app: listener, routes, front, stored, notes, counts, inFlight: bodies.inFlight, state, logged };
}
