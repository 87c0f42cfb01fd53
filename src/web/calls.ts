/** `/api/trpc`: the calls of the screens over HTTP. */
import { type AnyTRPCRouter, TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import compression from 'compression';
import { type Request, type Response, Router } from 'express';
import { AppError, errorTable } from '#src/kit/errors.ts';
import type { Context, Language, Rooms } from '#src/trpc/context.ts';
import { asSafeError } from '#src/trpc/procedure.ts';
import { requireJson } from './csrf.ts';
import { onResponseEnd } from './on-response-end.ts';
import type { Report } from './report.ts';
import { requestIdOf } from './request-log.ts';
import { callBodyBytes } from './server.ts';
import type { Sessions } from './session.ts';
import { streamRoutes } from './streams.ts';

/** In one request. A screen asks a handful; thousands would fit into an address. */
const mostCallsAtOnce = 100;

/** Questions over events: what makes the database and the processor work. */
const heavyCalls = /^(insights|profiles\.behind)\./;

export interface CallParts {
  rooms: Rooms;
  router: AnyTRPCRouter;
  languageOf(req: Request): Language;
  report: Report;
  sessions: Pick<Sessions, 'readerOf' | 'sidOf' | 'provedAtOf'>;
  access: Context['access'];
}

export function callRoutes({ rooms, router, languageOf, report, sessions, access }: CallParts): Router {
  const routes = Router();
  // Before what keeps something of each answer that is open.
  routes.use(
    streamRoutes({
      router,
      contextOf: (req, res, path, signal) => contextOf(req, res, [path], signal),
      onError: ({ error, path, ctx }) => noteError(error, path, ctx),
    }),
  );
  routes.use(compression());
  routes.use(requireJson);
  routes.use(
    createExpressMiddleware({
      router,
      maxBodySize: callBodyBytes,
      maxBatchSize: mostCallsAtOnce,
      createContext: ({ req, res, info }) =>
        contextOf(
          req,
          res,
          info.calls.map(({ path }) => path),
          info.signal,
        ),
      responseMeta({ errors }) {
        const waits = errors.flatMap((error) => asSafeError(error).retryAfterSec ?? []);
        return {
          headers: new Headers({
            'cache-control': 'private, no-store',
            ...(waits.length === 0 ? {} : { 'retry-after': String(Math.max(...waits)) }),
          }),
        };
      },
      onError: ({ error, path = '', ctx }) => noteError(error, path, ctx),
    }),
  );
  return routes;

  async function contextOf(req: Request, res: Response, paths: string[], signal: AbortSignal): Promise<Context> {
    await limitCalls(req, res, paths);
    return {
      ...rooms,
      requestId: requestIdOf(res),
      signal,
      language: languageOf(req),
      ...callerOf(req, sessions),
      access,
    };
  }

  function noteError(error: TRPCError, path: string, ctx: Pick<Context, 'requestId'> | undefined): void {
    if (asSafeError(error).code !== 'internal') return;
    const about = { requestId: ctx?.requestId ?? '', path };
    report(error.cause ?? error, about, 'call failed');
  }

  /** Thrown from the context, so that each call of the request is answered in the words of calls. */
  async function limitCalls(req: Request, res: Response, paths: string[]): Promise<void> {
    const session = sessions.sidOf(req) || (req.ip ?? '');
    const heavy = paths.filter((path) => heavyCalls.test(path)).length;
    try {
      await rooms.limits.calls(session, paths.length);
      if (heavy > 0) onResponseEnd(res, rooms.limits.heavy(session, heavy));
    } catch (cause) {
      throw cause instanceof AppError ? new TRPCError({ code: errorTable[cause.code].trpc, cause }) : cause;
    }
  }
}

/** The caller and its network address. */
export function callerOf(
  req: Request,
  sessions: Pick<Sessions, 'readerOf' | 'sidOf' | 'provedAtOf'>,
): Pick<Context, 'reader' | 'sid' | 'provedAt' | 'client'> {
  return {
    reader: sessions.readerOf(req),
    sid: sessions.sidOf(req),
    provedAt: sessions.provedAtOf(req),
    client: { address: req.ip ?? '', userAgent: (req.get('user-agent') ?? '').slice(0, 300) },
  };
}
