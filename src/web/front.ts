/**
 * What comes by the thousand goes past express: POSTs of events. Everything else, and whatever looks unusual, takes the long way, where
 * the same room answers it.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { Config } from '#src/config.ts';
import type { EventsLog } from './request-log.ts';

/** A request as express would have made it, as far as events need it, with the id of its answer. */
export type FrontRequest = IncomingMessage & {
  path: string;
  query: NodeJS.Dict<string | string[]>;
  ip: string | undefined;
  requestId: string;
};

export interface FrontParts {
  config: Pick<Config, 'TRUST_PROXY' | 'INGEST_ALIAS'>;
  /** Whether this path below `/ingest` is one of events. */
  takes(path: string): boolean;
  take(req: FrontRequest, res: ServerResponse): void;
  log: EventsLog;
}

/** Puts the short way in front of the whole application. */
export function inFront(app: RequestListener, { config, takes, take, log }: FrontParts): RequestListener {
  const mounts = ['/ingest', `/${config.INGEST_ALIAS}`];
  const addressOf = clientAddress(config.TRUST_PROXY);
  return (req, res) => {
    const url = req.url ?? '';
    const mount =
      req.method === 'POST' ? mounts.find((each) => url.startsWith(each) && url[each.length] === '/') : undefined;
    if (mount === undefined || url.includes('#')) return app(req, res);
    const search = url.indexOf('?');
    const whole = search < 0 ? url : url.slice(0, search);
    const path = whole.slice(mount.length);
    if (!takes(path)) return app(req, res);
    const front = req as FrontRequest;
    front.path = path;
    front.query = search < 0 ? NOTHING : parse(url.slice(search + 1));
    front.ip = addressOf(req);
    front.requestId = log.begin(req, res, whole);
    take(front, res);
  };
}

const NOTHING: NodeJS.Dict<string | string[]> = Object.freeze({});

/**
 * The client's address as express tells it: each proxy that is trusted added whom it heard from at the end of `X-Forwarded-For`.
 * @param hops TRUST_PROXY
 */
export function clientAddress(hops: number): (req: IncomingMessage) => string | undefined {
  return ({ socket, headers }) => {
    const forwarded = hops === 0 ? undefined : headers['x-forwarded-for'];
    if (forwarded === undefined || forwarded === '') return socket.remoteAddress;
    const list = String(forwarded)
      .split(',')
      .map((address) => address.replace(/^ +| +$/g, ''))
      .filter((address) => address !== '');
    return list.length === 0 ? socket.remoteAddress : list[Math.max(0, list.length - hops)];
  };
}
