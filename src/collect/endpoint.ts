/**
 * `/ingest`: everything that analytics clients ask of a server, below any prefix. Reads no cookie, ever. A success is exactly 200; whole
 * requests are refused by `refuse.ts`.
 * @see docs/wire.md
 */
import type { ServerResponse } from 'node:http';
import express, { type Request, type Response, type Router } from 'express';
import type { JsonObject } from '#src/kit/json.ts';
import type { Log } from '#src/kit/log.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Proxies } from '#src/proxies/proxies.ts';
import type { BodyReader } from './body.ts';
import { type CaptureRoute, createCaptures, type Forward } from './captures.ts';
import { type ComponentPath, componentPath } from './component.ts';
import { MAX_EVENT_LENGTH } from './decode.ts';
import type { EndpointCounts } from './endpoint-counts.ts';
import { acceptableToken } from './envelope.ts';
import { answerJson, answerOk, answerText, type EventsRequest, setSharedHeaders } from './http.ts';
import type { Intake } from './intake.ts';
import { createKnownTokens } from './known-tokens.ts';
import { createRecordings, type RecordingsParts } from './recordings/recordings.ts';
import type { Refusals } from './refusals.ts';
import { createRefuse } from './refuse.ts';
import { emptyLists } from './remote-config.ts';
import { createRequestBodies } from './request-body.ts';
import { createSettings, type SettingsForm, type SettingsParts } from './settings.ts';

export interface EndpointParts extends SettingsParts {
  intake: Intake;
  projects: Pick<Projects, 'byToken' | 'known' | 'list'>;
  bodies: BodyReader;
  /** Mirror: passes a request with events on as it came, after its events were taken. */
  forward?: Forward;
  log: Log;
  /** Where recordings go, and the thread that opens them. */
  recordings: Pick<RecordingsParts, 'store' | 'reader'>;
  /** Called for every refused request. */
  refused?: Refusals['note'];
  /** Called for every accepted request of a visitor. */
  sighted?: Proxies['note'];
  /** The client's location from a trusted proxy's headers. */
  locationOf?: Proxies['location'];
}

/** Events about conversations with language models carry whole conversations. */
const MAX_AI_EVENT_LENGTH = 8 * 1024 * 1024;

export interface Ingest {
  /** To mount at `/ingest`, and at any alias of it. */
  routes: Router;
  /** For requests that bypass express (web/front.ts): the same responses. */
  front: IngestFront;
}

export interface IngestFront {
  /** True for event paths below `/ingest` that may bypass express: not when requests are relayed unchanged. */
  takes(path: string): boolean;
  /** Answers such a request. */
  take(req: EventsRequest, res: ServerResponse): void;
}

const ways = new Map<string, CaptureRoute>([
  ...['/e', '/i/v0/e', '/batch', '/capture', '/track'].map((path): [string, CaptureRoute] => [path, {}]),
  ['/engage', { isEngage: true }],
  ['/i/v0/ai/batch', { maxEventLength: MAX_AI_EVENT_LENGTH }],
]);

/** Paths that accept events. */
export const eventPaths: readonly string[] = [...ways.keys()];

export function ingestRoutes(parts: EndpointParts, counts: EndpointCounts): Ingest {
  const { intake, projects, clock, log, forward, refused, sighted, locationOf } = parts;
  const settings = createSettings(parts);
  const tokens = createKnownTokens(projects);
  const bodies = createRequestBodies(parts.bodies);
  const captures = createCaptures({ intake, projects, bodies, tokens, clock, forward, sighted, locationOf });
  const captureRecordings = createRecordings({
    ...parts.recordings,
    projects,
    bodies,
    clock,
    counts: counts.recordings,
  });
  const refuse = createRefuse({ bodies: parts.bodies, counts, clock, log, refused });

  async function handle(req: Request, res: Response): Promise<void> {
    counts.requests++;
    setSharedHeaders(req, res);
    try {
      await route(req, res);
    } catch (error) {
      refuse(req, res, error);
    }
  }

  async function route(req: Request, res: Response): Promise<void> {
    if (req.method === 'OPTIONS') return void res.writeHead(200, { 'Content-Length': 0 }).end();
    if (req.method !== 'GET' && req.method !== 'POST' && req.method !== 'HEAD') {
      return answerText(res, 405, 'Method not allowed. Use GET, POST or OPTIONS.', {
        Allow: 'GET, HEAD, POST, OPTIONS',
      });
    }
    const path = withoutSlash(req.path);
    const way = ways.get(path);
    if (way !== undefined) return captures.capture(req, res, way);
    switch (path) {
      case '/i/v1/analytics/events':
        return captures.serverCapture(req, res);
      case '/s':
        return captureRecordings(req, res);
      case '/i/v1/logs':
        return ignore(req, res, 'logs', {});
      case '/i/v1/metrics':
        return ignore(req, res, 'metrics', {});
      case '/flags':
      case '/decide':
        return bodies.withDecoded(req, res, { maxBytes: MAX_EVENT_LENGTH }, ({ value }) =>
          settings.flags(req, res, value),
        );
      case '/flags/definitions':
      case '/api/feature_flag/local_evaluation':
        return settings.flagDefinitions(req, res);
      case '/api/early_access_features':
        return settings.earlyAccess(req, res);
      default:
        return routeByPattern(req, res, path);
    }
  }

  async function routeByPattern(req: Request, res: Response, path: string): Promise<void> {
    const list = Object.hasOwn(emptyLists, path) ? emptyLists[path] : undefined;
    if (list !== undefined) return answerJson(res, 200, list);
    if (path.startsWith('/static/')) return settings.staticScript(req, res, path.slice('/static/'.length));
    const [, token, what] = /^\/array\/([^/]+)\/(config|config\.js|array\.js)$/.exec(path) ?? [];
    if (token !== undefined) return settings.settings(req, res, token, what as SettingsForm);
    const [, flag] = /^\/api\/projects\/@current\/feature_flags\/([^/]+)\/remote_config$/.exec(path) ?? [];
    if (flag !== undefined) return settings.flagPayload(req, res, flag);
    const component = componentPath(path);
    if (component !== null) return componentCall(req, res, component);
    if (expectsJson(req, path)) return answerJson(res, 404, { type: 'not_found', detail: 'Not found.' });
    answerText(res, 404, 'Not found.');
  }

  async function componentCall(req: Request, res: Response, { token, what }: ComponentPath): Promise<void> {
    if (what === 'script') return settings.componentScript(req, res, token);
    if (what !== 'session') return captures.componentCapture(req, res, token, what);
    if (token !== null) await tokens.expect(acceptableToken(token));
    return bodies.drained(req, res, () => answerOk(req, res));
  }

  function ignore(
    req: Request,
    res: Response,
    what: keyof EndpointCounts['ignored'],
    answer: JsonObject,
  ): Promise<void> {
    return bodies.drained(req, res, () => {
      counts.ignored[what]++;
      answerJson(res, 200, answer);
    });
  }

  const routes = express.Router();
  routes.use((req, res) => void handle(req, res));
  return {
    routes,
    front: {
      takes: (path) => forward === undefined && ways.has(withoutSlash(path)),
      take(req, res) {
        counts.requests++;
        captures.capture(req, res, ways.get(withoutSlash(req.path)) ?? {}).catch((error: unknown) => {
          if (!res.headersSent) setSharedHeaders(req, res);
          refuse(req, res, error);
        });
      },
    },
  };
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Clients read every answer of these as JSON. */
function expectsJson(req: Request, path: string): boolean {
  return (
    /^\/(?:api|flags|decide|i)(?:\/|$)/.test(path) ||
    req.accepts(['text/plain', 'application/json']) === 'application/json'
  );
}
