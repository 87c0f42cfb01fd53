/**
 * `/ingest`: everything that analytics clients ask of a server, below any prefix. Reads no cookie, ever. Third renderer of errors:
 * clients drop on 4xx and try again on 5xx, so overload and absence are 503 with `Retry-After`, and a success is exactly 200.
 * @see docs/wire.md
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response, type Router } from 'express';
import { AppError, type ErrorCode } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { isLate } from '#src/kit/late.ts';
import type { Log } from '#src/kit/log.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { BodyReader, Ticket } from './body.ts';
import { type ComponentPath, componentEvent, componentPath, projectByHost, tokenInBody } from './component.ts';
import type { RefusalReason } from './contract.ts';
import { type Decoded, decode, MAX_EVENT_LENGTH } from './decode.ts';
import { acceptableToken, fromServerCapture, isObject, openEnvelope } from './envelope.ts';
import {
  answerJson,
  answerOk,
  answerText,
  bearerOf,
  type EventsRequest,
  first,
  readClientHeaders,
  setSharedHeaders,
  textIn,
} from './http.ts';
import type { EventResult, Intake, Sender } from './intake.ts';
import { createKnownTokens } from './known-tokens.ts';
import { addressToTell, mayPassOn, type Whose } from './passing-on.ts';
import type { Refusals } from './refusals.ts';
import { emptyLists } from './remote-config.ts';
import { answerCapture, resultsByUuid } from './results.ts';
import { createSettings, type SettingsForm, type SettingsParts } from './settings.ts';
import { plainAddress } from './steps/geo.ts';
import { cutUnits } from './steps/names.ts';
import type { CheckToken } from './whose.ts';

export interface EndpointParts extends SettingsParts {
  intake: Intake;
  projects: Pick<Projects, 'byToken' | 'known' | 'list'>;
  bodies: BodyReader;
  /** Mirror: passes a request with events on as it came, after its events were taken. */
  forward?: (request: Request, body: Buffer, whose: Whose) => Promise<void>;
  log: Log;
  /** Told of every refused request. */
  refused?: Refusals['note'];
}

/** Whole requests since the start, by what was answered. */
export interface EndpointCounts {
  requests: number;
  refused: Record<RefusalReason, number>;
  /** Requests to paths whose content has no home yet: taken and forgotten. */
  ignored: Record<'recordings' | 'logs' | 'metrics', number>;
}

/** Events about conversations with language models carry whole conversations. */
const MAX_AI_EVENT_LENGTH = 8 * 1024 * 1024;
const MAX_USER_AGENT = 1000;

export interface Ingest {
  /** To mount at `/ingest`, and at any alias of it. */
  routes: Router;
  /** For what comes past express (web/front.ts): the same answers. */
  front: IngestFront;
}

export interface IngestFront {
  /** Whether events are POSTed to this path below `/ingest`, and may come past express: not when they are passed on as they came. */
  takes(path: string): boolean;
  /** Answers such a request. */
  take(req: EventsRequest, res: ServerResponse): void;
}

/** How events come at a path. */
interface CaptureRoute {
  isEngage?: boolean;
  maxEventLength?: number;
}

/** A request whose events were taken. */
interface AcceptedRequest {
  req: EventsRequest;
  body: Buffer;
  token: string;
  sender: Sender;
  results: readonly EventResult[];
}

/** How long a request waits for the database to say whose it is; its events have asked the same just before. */
const PROJECT_LOOKUP_TIMEOUT_MS = 200;

const ways = new Map<string, CaptureRoute>([
  ...['/e', '/i/v0/e', '/batch', '/capture', '/track'].map((path): [string, CaptureRoute] => [path, {}]),
  ['/engage', { isEngage: true }],
  ['/i/v0/ai/batch', { maxEventLength: MAX_AI_EVENT_LENGTH }],
]);

/** Where events are taken. */

export const eventPaths: readonly string[] = [...ways.keys()];

export function ingestRoutes(parts: EndpointParts, counts: EndpointCounts): Ingest {
  const { intake, projects, bodies, clock, log } = parts;
  const settings = createSettings(parts);
  const tokens = createKnownTokens(projects);

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
    if (way !== undefined) return capture(req, res, way);
    switch (path) {
      case '/i/v1/analytics/events':
        return serverCapture(req, res);
      case '/s':
        return ignore(req, res, 'recordings', { status: 1, quota_limited: ['recordings'] });
      case '/i/v1/logs':
        return ignore(req, res, 'logs', {});
      case '/i/v1/metrics':
        return ignore(req, res, 'metrics', {});
      case '/flags':
      case '/decide':
        return withDecoded(req, res, { maxBytes: MAX_EVENT_LENGTH }, ({ value }) => settings.flags(req, res, value));
      case '/flags/definitions':
      case '/api/feature_flag/local_evaluation':
        return settings.flagDefinitions(req, res);
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
    const component = componentPath(path);
    if (component !== null) return componentCall(req, res, component);
    if (expectsJson(req, path)) return answerJson(res, 404, { type: 'not_found', detail: 'Not found.' });
    answerText(res, 404, 'Not found.');
  }

  // ------------------------------------------------------------------------------------------------------- events

  async function capture(
    req: EventsRequest,
    res: ServerResponse,
    { isEngage = false, maxEventLength = MAX_EVENT_LENGTH }: CaptureRoute,
  ): Promise<void> {
    const receivedAt = clock.now();
    const token = first(req, 'token') ?? first(req, 'api_key');
    await withDecoded(req, res, { checkToken: tokens.check(token) }, async (decoded, body) => {
      const batch = openEnvelope(decoded.value, {
        token,
        sentAtMs: first(req, '_') ?? first(req, 'sent_at'),
        isEngage,
      });
      const sender = senderOf(req, receivedAt, decoded, maxEventLength);
      const results = await intake.take(batch, sender);
      if (parts.forward) await passOn(parts.forward, { req, body, token: batch.token, sender, results });
      answerCapture(req, res, results);
    });
  }

  /** The newer capture of servers: a token in the header, an answer per event. */
  async function serverCapture(req: Request, res: Response): Promise<void> {
    const receivedAt = clock.now();
    const token = bearerOf(req);
    await withDecoded(req, res, { checkToken: tokens.check(token) }, async (decoded, body) => {
      const sentAt = req.get('posthog-request-timestamp') ?? textIn(decoded.value, 'created_at');
      if (isObject(decoded.value) && sentAt !== undefined) decoded.value['sent_at'] = sentAt;
      const batch = openEnvelope(decoded.value, { token });
      const lib = req.get('posthog-sdk-info');
      const events = batch.events.map((event) => fromServerCapture(event, lib));
      const uuids = events.map((event) => textIn(event, 'uuid'));
      const sender = senderOf(req, receivedAt, decoded, MAX_EVENT_LENGTH);
      const results = await intake.take({ ...batch, events }, sender);
      if (parts.forward) await passOn(parts.forward, { req, body, token: batch.token, sender, results });
      answerJson(res, 200, { results: resultsByUuid(uuids, results) });
    });
  }

  async function passOn(
    forward: NonNullable<EndpointParts['forward']>,
    { req, body, token, sender, results }: AcceptedRequest,
  ): Promise<void> {
    const project = await projectSoon(token);
    if (project !== null && !mayPassOn(project.settings, sender, results)) return;
    const address = addressToTell(project?.settings.ipHandling ?? null, sender.address);
    // With a mirror no request comes past express: see `takes`.
    await forward(req as Request, body, { projectId: project?.id ?? null, address });
  }

  async function projectSoon(token: string): Promise<Project | null> {
    const asked = projects.byToken(token).catch(() => null);
    return (await isLate(asked, PROJECT_LOOKUP_TIMEOUT_MS)) ? null : asked;
  }

  async function componentCall(req: Request, res: Response, { token, what }: ComponentPath): Promise<void> {
    if (what === 'script') return settings.componentScript(req, res, token);
    if (token !== null) await tokens.expect(acceptableToken(token));
    if (what === 'session') return drained(req, res, () => answerOk(req, res));
    const receivedAt = clock.now();
    await withDecoded(req, res, { maxBytes: MAX_EVENT_LENGTH }, async (decoded) => {
      const event = componentEvent(decoded.value, what);
      const sentAt = typeof event['timestamp'] === 'number' ? event['timestamp'] : null;
      const batch = { events: [event], sentAt, historical: false };
      const sender = senderOf(req, receivedAt, decoded, MAX_EVENT_LENGTH);
      const named = token ?? tokenInBody(decoded.value);
      if (named !== null) await intake.take({ ...batch, token: acceptableToken(named) }, sender);
      else await intake.takeFor(await projectOfPage(decoded.value), batch, sender);
      answerOk(req, res);
    });
  }

  async function projectOfPage(value: JsonValue): Promise<Project> {
    const project = projectByHost(value, await projects.list());
    if (project === null) {
      throw new AppError('unauthenticated', 'Missing project token, and no single project matches this site.');
    }
    return project;
  }

  /** Reads and decodes a request, and lets go of its share of the memory whatever comes of it. */
  async function withDecoded(
    req: EventsRequest,
    res: ServerResponse,
    { maxBytes, checkToken }: { maxBytes?: number; checkToken?: CheckToken },
    use: (decoded: Decoded, body: Buffer) => Promise<void>,
  ): Promise<void> {
    const ticket = bodies.admit(req);
    try {
      const body = await readBody(req, ticket);
      if (body === null) return void res.destroy();
      const turn = ticket.turn();
      if (turn !== undefined) await turn;
      const incoming = {
        body,
        data: first(req, 'data'),
        compression: first(req, 'compression'),
        contentType: req.headers['content-type'],
        contentEncoding: req.headers['content-encoding'],
        largeTurn: ticket.largeTurn,
        checkToken,
      };
      const decoded = await decode(incoming, maxBytes);
      ticket.hold(decoded.length);
      await use(decoded, body);
    } finally {
      ticket.release();
    }
  }

  function readBody(req: IncomingMessage, ticket: Ticket): Promise<Buffer | null> {
    return req.method === 'POST' ? bodies.read(req, ticket) : Promise.resolve(EMPTY);
  }

  function ignore(
    req: Request,
    res: Response,
    what: keyof EndpointCounts['ignored'],
    answer: JsonObject,
  ): Promise<void> {
    return drained(req, res, () => {
      counts.ignored[what]++;
      answerJson(res, 200, answer);
    });
  }

  /** Reads a body of which nothing is kept. */
  async function drained(req: Request, res: Response, answer: () => void): Promise<void> {
    const ticket = bodies.admit(req);
    try {
      if (await bodies.drain(req, ticket)) answer();
      else res.destroy();
    } finally {
      ticket.release();
    }
  }

  function senderOf(req: EventsRequest, receivedAt: number, decoded: Decoded, maxEventLength: number): Sender {
    return {
      receivedAt,
      address: req.ip === undefined ? null : plainAddress(req.ip),
      userAgent: cutUserAgent(req.headers['user-agent'] ?? ''),
      ...readClientHeaders(req.headers),
      unclean: decoded.unclean,
      length: decoded.length,
      maxEventLength,
    };
  }

  // ---------------------------------------------------------------------------------------------------- refusals

  function refuse(req: EventsRequest, res: ServerResponse, error: unknown): void {
    if (res.headersSent || res.destroyed) return;
    const known = error instanceof AppError ? error : new AppError('internal', 'Internal error.', { cause: error });
    if (known.code === 'internal') log.error({ err: error, path: req.path }, 'ingest request failed');
    const { status, reason } = refusals[known.code] ?? UNAVAILABLE;
    counts.refused[reason]++;
    parts.refused?.(reason, req, clock.now());
    const headers: Record<string, string> = {};
    if (status === 503) headers['Retry-After'] = String(known.retryAfterSec ?? 5);
    if (!req.complete && !(known.code === 'rate_limited' && isShort(req))) headers['Connection'] = 'close';
    // The answer goes out at once; whoever reads it only when all is sent finds it there.
    const rest = reason === 'too_large' ? bodies.forgetRest(req) : undefined;
    answerText(res, status, known.message, headers, rest);
  }

  const routes = express.Router();
  routes.use((req, res) => void handle(req, res));
  return {
    routes,
    front: {
      takes: (path) => parts.forward === undefined && ways.has(withoutSlash(path)),
      take(req, res) {
        counts.requests++;
        capture(req, res, ways.get(withoutSlash(req.path)) ?? {}).catch((error: unknown) => {
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

export function newEndpointCounts(): EndpointCounts {
  return {
    requests: 0,
    refused: { invalid: 0, token: 0, slow: 0, too_large: 0, overload: 0, unavailable: 0 },
    ignored: { recordings: 0, logs: 0, metrics: 0 },
  };
}

const UNAVAILABLE: { status: number; reason: RefusalReason } = { status: 503, reason: 'unavailable' };
/** What clients do with it decides: 4xx is final, 503 is tried again. */
const refusals: Partial<Record<ErrorCode, { status: number; reason: RefusalReason }>> = {
  invalid: { status: 400, reason: 'invalid' },
  unauthenticated: { status: 401, reason: 'token' },
  timeout: { status: 408, reason: 'slow' },
  rate_limited: { status: 503, reason: 'overload' },
  too_large: { status: 413, reason: 'too_large' },
};

const EMPTY = Buffer.alloc(0);
const SHORT_BODY_BYTES = 64 * 1024;

/** What is left of a short body is read and forgotten: that costs less than a new connection for whoever is refused and comes again. */
function isShort(req: IncomingMessage): boolean {
  const announced = Number(req.headers['content-length'] ?? Number.NaN);
  return announced <= SHORT_BODY_BYTES;
}

function cutUserAgent(userAgent: string): string {
  return userAgent.length > MAX_USER_AGENT ? `${cutUnits(userAgent, MAX_USER_AGENT - 3)}...` : userAgent;
}

/** Clients read every answer of these as JSON. */
function expectsJson(req: Request, path: string): boolean {
  return (
    /^\/(?:api|flags|decide|i)(?:\/|$)/.test(path) ||
    req.accepts(['text/plain', 'application/json']) === 'application/json'
  );
}
