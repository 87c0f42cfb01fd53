/**
 * A fast path without express for POSTs of events, the most frequent requests. Everything else, and every unusual request, goes through
 * express to the same room.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { Config } from '#src/config.ts';
import { clientAddress, type ProxySettings } from '#src/proxies/client-address.ts';
import type { EventsLog } from './request-log.ts';

/** A request as express would have made it, as far as events need it, with the id of its answer. */
export type FrontRequest = IncomingMessage & {
  path: string;
  query: NodeJS.Dict<string | string[]>;
  ip: string | undefined;
  requestId: string;
};

export interface FrontParts {
  config: ProxySettings & Pick<Config, 'INGEST_ALIAS'>;
  /** True for event paths below `/ingest`. */
  takes(path: string): boolean;
  take(req: FrontRequest, res: ServerResponse): void;
  log: EventsLog;
}

/** Puts the short way in front of the whole application. */
export function inFront(app: RequestListener, { config, takes, take, log }: FrontParts): RequestListener {
  const mounts = ['/ingest', `/${config.INGEST_ALIAS}`];
  const addressOf = clientAddress(config);
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
