/** `/ingest` in relay mode: any path below it, to one fixed host. */
import express, { type Request, type Response, type Router } from 'express';
import { AppError } from '#src/kit/errors.ts';
import { type ClientFacts, createRelay, type Mirror, type Relay, type RelayDeps, toForward } from './relay.ts';
import { ClientTooSlow } from './stream.ts';

const METHODS = new Set(['GET', 'POST', 'OPTIONS']);

/** The router to mount at `/ingest`. Must come before anything that reads a body or a cookie. */
export function relayRoutes(deps: RelayDeps, relay: Relay = createRelay(deps)): Router {
  const routes = express.Router();
  routes.use((req, res) => answer(req, res, relay, deps));
  return routes;
}

/** For the collector in mode `mirror`: keeps a request that it took, as it came, for the upstream. */
export function forwardTo(
  mirror: Mirror,
  { clock }: Pick<RelayDeps, 'clock'>,
): (req: Request, body: Buffer, whose: { projectId: number | null; address: string }) => Promise<void> {
  return async (req, body, { projectId, address }) => {
    const request = toForward(req, pathOf(req), { ...clientOf(req), address }, body, clock.now(), projectId);
    // Whether it may be passed on is decided once its project is known: when it comes back.
    await (projectId === null ? mirror.putAside(request) : mirror.enqueue(request));
  };
}

/** Below `/ingest`, with the query. A client may name a whole address, and an upstream would go by its host. */
function pathOf({ url }: Request): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function clientOf(req: Request): ClientFacts {
  return { address: req.ip ?? '', host: req.get('host') ?? '', protocol: req.protocol };
}

async function answer(req: Request, res: Response, relay: Relay, { log }: RelayDeps): Promise<void> {
  if (!METHODS.has(req.method)) {
    res.set('Allow', [...METHODS].join(', ')).sendStatus(405);
    return;
  }
  try {
    await relay.pass(req, res, pathOf(req), clientOf(req));
  } catch (error) {
    if (res.headersSent || res.destroyed) return;
    const known = error instanceof AppError ? error : new AppError('internal', 'Internal error.', { cause: error });
    if (known.code === 'internal') log.error({ err: error }, 'failed to relay a request');
    const status = error instanceof ClientTooSlow ? 408 : known.status;
    // Every status from 500 up makes the clients try again later; the rest of a refused body is not worth reading.
    if (status >= 500) res.set('Retry-After', String(known.retryAfterSec ?? 5));
    if (!req.complete) res.set('Connection', 'close');
    res.status(status).json({ status: 0, code: known.code, detail: known.message });
  }
}
