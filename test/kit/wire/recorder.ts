/**
 * A server that answers clients as the protocol says (docs/wire.md), from nothing but its own code, and notes what they send.
 * Browsers reach it as their proxy, so that recordings hold `http://shop.example` instead of a port of this machine; servers
 * address it directly.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from '#src/kit/json.ts';
import type { FixtureRequest } from './fixture.ts';

/** What is served and answered while one case is recorded. */
export interface Scene {
  token: string;
  /** Folder of the client's package files; for servers unused. */
  dist: string;
  /** HTML of every page outside `/ingest`. */
  page: string;
  /** Replaces parts of the remote configuration. */
  remote: JsonObject;
  /** Another answer than 200 to the nth request with events, counted from 0. */
  refuse?(nth: number): { status: number; body: string } | null;
}

export interface Recorder {
  port: number;
  begin(scene: Scene): void;
  /** What came since `begin`. */
  requests(): FixtureRequest[];
  stop(): Promise<void>;
}

const KEPT_HEADERS = ['content-type', 'content-encoding', 'origin', 'user-agent', 'authorization', 'posthog-sdk-info'];

export async function startRecorder(port: number): Promise<Recorder> {
  let scene: Scene | null = null;
  let seen: FixtureRequest[] = [];
  let captures = 0;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { status, type, body } = answerTo(req, Buffer.concat(chunks));
    res.writeHead(status, { 'content-type': type }).end(body);
  }

  function answerTo(req: IncomingMessage, body: Buffer): Served {
    if (scene === null) return { status: 503, type: 'text/plain', body: 'no scene' };
    const url = new URL(req.url ?? '/', 'http://recorder');
    if (!url.pathname.startsWith('/ingest/')) return pageAt(url.pathname, scene);
    const path = url.pathname.slice('/ingest'.length);
    note(req, path + url.search, body);
    if (!takesEvents(path)) return otherAt(path, url.searchParams, scene);
    const refusal = scene.refuse?.(captures++);
    return refusal ? { ...refusal, type: 'text/plain' } : json({ status: 1 });
  }

  function note(req: IncomingMessage, path: string, body: Buffer): void {
    const headers: Record<string, string> = {};
    for (const name of KEPT_HEADERS) {
      const value = req.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const at = new Date(Date.now()).toISOString();
    const request: FixtureRequest = { at, method: req.method ?? 'GET', path, headers };
    if (body.length > 0) request.body = body.toString('base64');
    seen.push(request);
  }

  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      console.error(error);
      res.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    begin(next) {
      scene = next;
      seen = [];
      captures = 0;
    },
    requests: () => seen,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Served {
  status: number;
  type: string;
  body: string | Buffer;
}

function takesEvents(path: string): boolean {
  return /^\/(?:e|i\/v0\/e|capture|track|engage|batch|s|i\/v1\/analytics\/events)\/?$/.test(path);
}

function pageAt(path: string, scene: Scene): Served {
  if (path === '/favicon.ico') return { status: 204, type: 'image/x-icon', body: '' };
  if (path === '/client.js') return script(join(scene.dist, moduleIn(scene.dist)));
  return { status: 200, type: 'text/html; charset=utf-8', body: scene.page };
}

/** The ES module of the package: its name changed over the years. */
function moduleIn(dist: string): string {
  if (existsSync(join(dist, 'module.mjs'))) return 'module.mjs';
  return existsSync(join(dist, 'es.js')) ? 'es.js' : 'module.js';
}

function otherAt(path: string, query: URLSearchParams, scene: Scene): Served {
  const kind = /^\/static\/(?:[\d.]+\/)?([\w.-]+\.js)$/.exec(path)?.[1];
  if (kind !== undefined) return script(join(scene.dist, kind));
  const remote = { ...remoteConfig(scene.token), ...scene.remote };
  if (path.endsWith('/config.js')) {
    const entry = JSON.stringify({ config: remote, siteApps: [] });
    const text = `(window._POSTHOG_REMOTE_CONFIG ??= {})[${JSON.stringify(scene.token)}] = ${entry};`;
    return { status: 200, type: 'text/javascript', body: text };
  }
  if (path.endsWith('/config')) return json(remote);
  if (/^\/flags\/?$/.test(path)) {
    const answer = { errorsWhileComputingFlags: false, flags: {}, requestId: '00000000-0000-4000-8000-000000000000' };
    return json(query.get('config') === 'true' ? { ...remote, ...answer } : answer);
  }
  if (/^\/decide\/?$/.test(path)) {
    const v2 = { featureFlags: {}, editorParams: {}, config: { enable_collect_everything: true } };
    return json({ ...remote, ...v2, featureFlagPayloads: {}, isAuthenticated: false });
  }
  if (path.startsWith('/api/surveys')) return json({ surveys: [] });
  if (path.startsWith('/api/early_access_features')) return json({ earlyAccessFeatures: [] });
  if (/^\/i\/v1\/(?:logs|metrics)\/?$/.test(path)) return json({});
  return notHere;
}

/** What a project's settings look like to a client, with all that a first case should not be disturbed by turned off. */
function remoteConfig(token: string): JsonObject {
  return {
    token,
    supportedCompression: ['gzip', 'gzip-js'],
    hasFeatureFlags: false,
    captureDeadClicks: false,
    capturePerformance: false,
    autocapture_opt_out: false,
    autocaptureExceptions: false,
    analytics: { endpoint: '/i/v0/e/' },
    elementsChainAsString: true,
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
    logs: { captureConsoleLogs: false },
    sessionRecording: false,
    heatmaps: false,
    surveys: false,
    productTours: false,
    conversations: false,
    defaultIdentifiedOnly: true,
    siteApps: [],
    isAuthenticated: false,
    toolbarParams: {},
  };
}

const notHere: Served = { status: 404, type: 'text/plain', body: 'not here' };

function script(file: string): Served {
  if (!existsSync(file)) return notHere;
  return { status: 200, type: 'text/javascript; charset=utf-8', body: readFileSync(file) };
}

function json(value: JsonObject): Served {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}
