/**
 * The HTTP application in a test, without a build and without a database: real routes, headers and rendering over stand-ins for
 * the rooms. What a test is about it passes in.
 */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Router } from 'express';
import { access } from '#src/accounts/rights/values.ts';
import { type AppParts, createApp } from '#src/app.ts';
import { type ProjectId, projectSettings } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Rooms } from '#src/trpc/context.ts';
import type { AssetFile, Assets } from '#src/web/assets.ts';
import { createHealth } from '#src/web/health.ts';
import { metricsRoutes } from '#src/web/metrics.ts';
import { type TestDeps, type TestDepsOverrides, testDeps } from './deps.ts';
import { TEST_TEAM, testSessions } from './reader.ts';

export interface TestAppOptions extends Partial<Omit<AppParts, 'rooms' | 'config' | 'health'>> {
  deps?: TestDepsOverrides;
  rooms?: Partial<Omit<Rooms, 'deps'>>;
}

export interface TestApp {
  app: ReturnType<typeof createApp>;
  deps: TestDeps;
  health: ReturnType<typeof createHealth>;
  /** What was reported as something that should not have happened. */
  reported: unknown[];
  close(): Promise<void>;
}

/** A project as the rooms give it. */
export function testProject({ id = 1, ...changes }: Partial<Omit<Project, 'id'>> & { id?: number } = {}): Project {
  return {
    id: id as ProjectId,
    teamId: TEST_TEAM,
    deletesAt: null,
    name: 'Café Serrana',
    timeZone: 'America/Sao_Paulo',
    weekStart: 1,
    builtIn: false,
    settings: projectSettings.parse({}),
    token: 'lnt_test',
    tokens: ['lnt_test'],
    outsideEventAt: 0,
    closedUntil: null,
    ...changes,
  };
}

export function testApp({ deps: overrides, rooms, ...parts }: TestAppOptions = {}): TestApp {
  const deps = testDeps(undefined, overrides);
  const health = createHealth();
  const reported: unknown[] = [];
  const app = createApp({
    config: deps.config,
    health,
    ingest: Router(),
    metrics: metricsRoutes([], deps.config.METRICS_TOKEN),
    assets: () => testAssets,
    measure: { exception: (error) => reported.push(error), event: () => undefined, stop: async () => undefined },
    ownToken: () => 'lnt_own',
    sessions: testSessions(),
    access: testAccess,
    ...parts,
    rooms: {
      ...absentRooms,
      limits: noLimits,
      accounts: accountsStand,
      projects: projectsOf([testProject()]),
      ...rooms,
      deps,
    },
  });
  return { app, deps, health, reported, close: () => deps.close() };
}

/** The part of `Projects` that pages and calls use. */
export function projectsOf(list: Project[]): Rooms['projects'] {
  const stand: Partial<Rooms['projects']> = {
    list: async () => list,
    ofTeams: async () => list,
    byRef: async (ref: string) => list.find(({ id, tokens }) => String(id) === ref || tokens.includes(ref)) ?? null,
  };
  return stand as Rooms['projects'];
}

/** The product's rights; procedures of tests require sign-in. */
export const testAccess = new Proxy(access, { get: (table, path) => table[String(path)] ?? 'viewer' });

/** Set up, and nobody ever loses access. */
const accountsStand = {
  isSetUp: async () => true,
  access: {
    channel: 'luneta_access',
    watch: () => ({ lost: new AbortController().signal, pending: null }),
    changed: () => undefined,
    missed: () => undefined,
  },
  audit: { refused: () => undefined } as unknown as Rooms['accounts']['audit'],
  teams: { ownersOf: async () => ['Marina Duarte'] } as unknown as Rooms['accounts']['teams'],
} as Partial<Rooms['accounts']> as Rooms['accounts'];

/** Everything is allowed. */
const noLimits: Rooms['limits'] = {
  signIn: async () => ({ succeeded: async () => undefined }),
  mail: async () => true,
  calls: async () => undefined,
  heavy: () => () => undefined,
  rest: async () => ({ ok: true, limit: 240, remaining: 239, resetSec: 60 }),
  exporting: () => () => undefined,
  sharePassword: async () => ({ succeeded: async () => undefined }),
  sharedPage: async () => undefined,
};

/** Rooms that a test did not pass: using one fails the test with its name. */
const absentRooms = Object.fromEntries(
  [
    ...[
      'mail',
      'projects',
      'apiKeys',
      'events',
      'live',
      'people',
      'history',
      'insights',
      'collect',
      'relay',
      'privacy',
    ],
    'jobs',
  ].map((room) => [
    room,
    new Proxy(
      {},
      { get: (_, method) => () => Promise.reject(new Error(`This test has no ${room}.${String(method)}`)) },
    ),
  ]),
) as unknown as Omit<Rooms, 'deps'>;

const file = (text: string): AssetFile => ({ type: 'text/javascript; charset=utf-8', identity: Buffer.from(text) });

/** As a build would leave them. */
export const testAssets: Assets = {
  files: new Map<string, AssetFile>([
    ['/assets/browser-TEST.js', { ...file('entry'), br: brotliCompressSync('entry'), gzip: gzipSync('entry') }],
    ['/assets/chunk-TEST.js', file('chunk')],
  ]),
  entry: { scripts: ['/assets/browser-TEST.js', '/assets/chunk-TEST.js'], styles: ['/assets/browser-TEST.css'] },
  chunkOf: () => ({ scripts: [], styles: [] }),
  sheets: new Map(),
  integrityOf: (address) => (testAssets.files.has(address) ? `sha384-of-${address}` : undefined),
  serviceWorker: 'addEventListener("fetch", () => {});',
};
