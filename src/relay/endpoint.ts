/** `/ingest` in relay mode: any path below it, to one fixed host. */
import express, { type Request, type Response, type Router } from 'express';
import { AppError } from '#src/kit/errors.ts';
import type { Proxies } from '#src/proxies/proxies.ts';
import { type ClientFacts, createRelay, type Mirror, type Relay, type RelayDeps, toForward } from './relay.ts';
import { ClientTooSlow } from './stream-limits.ts';

const METHODS = new Set(['GET', 'POST', 'OPTIONS']);

/**
 * The router to mount at `/ingest`. Must come before anything that reads a body or a cookie.
 * @param sighted called for every request with events that was passed on
 */
export function relayRoutes(
  deps: RelayDeps,
  relay: Relay = createRelay(deps),
  sighted: Proxies['note'] = () => undefined,
): Router {
  const routes = express.Router();
  routes.use((req, res) => answer(req, res, relay, deps, sighted));
  return routes;
}

/** For the collector in mode `mirror`: queues an accepted request, unchanged, for the upstream. */
export function forwardTo(
  mirror: Mirror,
  deps: Pick<RelayDeps, 'clock' | 'config'>,
): (req: Request, body: Buffer, whose: { projectId: number | null; address: string }) => Promise<void> {
  return async (req, body, { projectId, address }) => {
    const client = { ...clientOf(req, deps), address };
    const request = toForward(req, pathOf(req), client, body, deps.clock.now(), projectId);
    // Permission to forward is decided once its project is known, at replay.
    await (projectId === null ? mirror.putAside(request) : mirror.enqueue(request));
  };
}

/** Below `/ingest`, with the query. A client may name a whole address, and an upstream would go by its host. */
function pathOf({ url }: Request): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function clientOf(req: Request, { config }: Pick<RelayDeps, 'config'>): ClientFacts {
  return {
    address: req.ip ?? '',
    host: req.get('host') ?? '',
    protocol: req.protocol,
    ipHeader: config.CLIENT_IP_HEADER,
  };
}

async function answer(
  req: Request,
  res: Response,
  relay: Relay,
  deps: RelayDeps,
  sighted: Proxies['note'],
): Promise<void> {
  if (!METHODS.has(req.method)) {
    res.set('Allow', [...METHODS].join(', ')).sendStatus(405);
    return;
  }
  try {
    const client = clientOf(req, deps);
    await relay.pass(req, res, pathOf(req), client);
    // Bodies are not read here: visitors are distinguished by headers alone.
    const { headers, method } = req;
    const visitor = `${headers['x-forwarded-for'] ?? ''} ${headers.forwarded ?? ''}`;
    if (method === 'POST') sighted({ headers, address: client.address, visitor });
  } catch (error) {
    if (res.headersSent || res.destroyed) return;
    const known = error instanceof AppError ? error : new AppError('internal', 'Internal error.', { cause: error });
    if (known.code === 'internal') deps.log.error({ err: error }, 'failed to relay a request');
    const status = error instanceof ClientTooSlow ? 408 : known.status;
    // Every status from 500 up makes the clients try again later; the rest of a refused body is not worth reading.
    if (status >= 500) res.set('Retry-After', String(known.retryAfterSec ?? 5));
    if (!req.complete) res.set('Connection', 'close');
    res.status(status).json({ status: 0, code: known.code, detail: known.message });
  }
}
