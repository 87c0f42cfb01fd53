/** Requests with events: opened, given to the intake, passed on where a mirror is set, and answered in the form that their client reads. */
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { plainAddress } from '#src/kit/address.ts';
import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { isLate } from '#src/kit/late.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { Proxies } from '#src/proxies/proxies.ts';
import { componentEvent, projectByHost, tokenInBody } from './component.ts';
import { type Decoded, MAX_EVENT_LENGTH } from './decode.ts';
import { acceptableToken, fromServerCapture, isObject, openEnvelope } from './envelope.ts';
import { answerJson, answerOk, bearerOf, type EventsRequest, first, readClientHeaders, textIn } from './http.ts';
import type { Intake } from './intake.ts';
import type { KnownTokens } from './known-tokens.ts';
import { type ForwardDetails, forwardedAddress, mayPassOn } from './passing-on.ts';
import type { RequestBodies } from './request-body.ts';
import { answerCapture, resultsByUuid } from './results.ts';
import type { EventResult, Sender } from './run-events.ts';
import { cutUnits } from './steps/names.ts';

/** How events come at a path. */
export interface CaptureRoute {
  isEngage?: boolean;
  maxEventLength?: number;
}

/** Mirror: passes a request with events on as it came, after its events were taken. */
export type Forward = (request: Request, body: Buffer, details: ForwardDetails) => Promise<void>;

export interface CaptureParts {
  intake: Pick<Intake, 'take' | 'takeFor'>;
  projects: Pick<Projects, 'byToken' | 'list'>;
  bodies: RequestBodies;
  tokens: KnownTokens;
  clock: Clock;
  forward?: Forward | undefined;
  sighted?: Proxies['note'] | undefined;
  locationOf?: Proxies['location'] | undefined;
}

export interface Captures {
  /** Events of analytics clients, on every capture route. */
  capture(req: EventsRequest, res: ServerResponse, route: CaptureRoute): Promise<void>;
  /** The newer capture of servers: a token in the header, an answer per event. */
  serverCapture(req: Request, res: Response): Promise<void>;
  /** Events of a hosting platform's page view component. @param token null: from the body, else by the page's site */
  componentCapture(req: Request, res: Response, token: string | null, what: 'view' | 'event'): Promise<void>;
}

/** A request whose events were accepted. */
interface AcceptedRequest {
  req: EventsRequest;
  body: Buffer;
  token: string;
  sender: Sender;
  results: readonly EventResult[];
}

/** Timeout of the project look-up, ms. The events' own look-up came just before, so it is usually cached. */
const PROJECT_LOOKUP_TIMEOUT_MS = 200;

const MAX_USER_AGENT = 1000;

export function createCaptures(parts: CaptureParts): Captures {
  const { intake, projects, bodies, tokens, clock, forward, sighted, locationOf } = parts;

  async function capture(
    req: EventsRequest,
    res: ServerResponse,
    { isEngage = false, maxEventLength = MAX_EVENT_LENGTH }: CaptureRoute,
  ): Promise<void> {
    const receivedAt = clock.now();
    const token = first(req, 'token') ?? first(req, 'api_key');
    await bodies.withDecoded(req, res, { checkToken: tokens.check(token) }, async (decoded, body) => {
      const batch = openEnvelope(decoded.value, {
        token,
        sentAtMs: first(req, '_') ?? first(req, 'sent_at'),
        isEngage,
      });
      const sender = senderOf(req, receivedAt, decoded, maxEventLength);
      const visitor = visitorIn(batch.events[0]);
      const results = await intake.take(batch, sender);
      sight(req, sender, visitor);
      if (forward) await passOn(forward, { req, body, token: batch.token, sender, results });
      answerCapture(req, res, results);
    });
  }

  async function serverCapture(req: Request, res: Response): Promise<void> {
    const receivedAt = clock.now();
    const token = bearerOf(req);
    await bodies.withDecoded(req, res, { checkToken: tokens.check(token) }, async (decoded, body) => {
      const sentAt = req.get('posthog-request-timestamp') ?? textIn(decoded.value, 'created_at');
      if (isObject(decoded.value) && sentAt !== undefined) decoded.value['sent_at'] = sentAt;
      const batch = openEnvelope(decoded.value, { token });
      const lib = req.get('posthog-sdk-info');
      const events = batch.events.map((event) => fromServerCapture(event, lib));
      const uuids = events.map((event) => textIn(event, 'uuid'));
      const sender = senderOf(req, receivedAt, decoded, MAX_EVENT_LENGTH);
      const results = await intake.take({ ...batch, events }, sender);
      if (forward) await passOn(forward, { req, body, token: batch.token, sender, results });
      answerJson(res, 200, { results: resultsByUuid(uuids, results) });
    });
  }

  function sight({ headers }: EventsRequest, { address }: Sender, visitor: string): void {
    if (address !== null) sighted?.({ headers, address, visitor });
  }

  async function passOn(passTo: Forward, { req, body, token, sender, results }: AcceptedRequest): Promise<void> {
    const project = await projectSoon(token);
    if (project !== null && !mayPassOn(project.settings, sender, results)) return;
    const address = forwardedAddress(project?.settings.ipHandling ?? null, sender.address);
    // With a mirror no request comes past express: see `takes`.
    await passTo(req as Request, body, { projectId: project?.id ?? null, address });
  }

  async function projectSoon(token: string): Promise<Project | null> {
    const asked = projects.byToken(token).catch(() => null);
    return (await isLate(asked, PROJECT_LOOKUP_TIMEOUT_MS)) ? null : asked;
  }

  async function componentCapture(
    req: Request,
    res: Response,
    token: string | null,
    what: 'view' | 'event',
  ): Promise<void> {
    if (token !== null) await tokens.expect(acceptableToken(token));
    const receivedAt = clock.now();
    await bodies.withDecoded(req, res, { maxBytes: MAX_EVENT_LENGTH }, async (decoded) => {
      const event = componentEvent(decoded.value, what);
      const sentAt = typeof event['timestamp'] === 'number' ? event['timestamp'] : null;
      const batch = { events: [event], sentAt, historical: false };
      const sender = senderOf(req, receivedAt, decoded, MAX_EVENT_LENGTH);
      const visitor = visitorIn(event);
      const named = token ?? tokenInBody(decoded.value);
      if (named !== null) await intake.take({ ...batch, token: acceptableToken(named) }, sender);
      else await intake.takeFor(await projectOfPage(decoded.value), batch, sender);
      sight(req, sender, visitor);
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

  function senderOf(req: EventsRequest, receivedAt: number, decoded: Decoded, maxEventLength: number): Sender {
    return {
      receivedAt,
      address: req.ip === undefined ? null : plainAddress(req.ip),
      location: locationOf?.(req.headers) ?? null,
      userAgent: cutUserAgent(req.headers['user-agent'] ?? ''),
      ...readClientHeaders(req.headers),
      unclean: decoded.unclean,
      length: decoded.length,
      maxEventLength,
    };
  }

  return { capture, serverCapture, componentCapture };
}

/** The id that the client gave; older ones wrote it among the properties. */
function visitorIn(event: JsonValue | undefined): string {
  if (!isObject(event)) return '';
  return textIn(event, 'distinct_id') ?? textIn(event['properties'] ?? null, 'distinct_id') ?? '';
}

function cutUserAgent(userAgent: string): string {
  return userAgent.length > MAX_USER_AGENT ? `${cutUnits(userAgent, MAX_USER_AGENT - 3)}...` : userAgent;
}
