/** The upstream. Its host is fixed by the settings: no request can change it. */
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Config } from '#src/config.ts';

export interface Upstream {
  /** Host name to show. */
  readonly host: string;
  readonly isAbroad: boolean;
  /** The address that a path below `/ingest` stands for. */
  urlOf(path: string): string;
  /** Starts a request; the caller writes the body. */
  open(method: string, path: string, headers: Record<string, string>): ClientRequest;
  /** Closes idle connections. */
  close(): void;
}

/** Connections to one upstream host: more requests wait for a free one. */
const MAX_SOCKETS = 256;

/** @param host PUBLIC_POSTHOG_HOST, checked by the settings not to be our own address */
export function createUpstream(host: NonNullable<Config['PUBLIC_POSTHOG_HOST']>): Upstream {
  const api = new URL(host);
  const assets = assetsHost(api);
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 16 };
  const agent = api.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  const request = api.protocol === 'https:' ? requestHttps : requestHttp;

  const baseOf = (path: string) => (/^\/(static|array)\//.test(path) ? assets : api);
  const pathBelow = (base: URL, path: string) => base.pathname.replace(/\/$/, '') + path;

  return {
    host: api.host,
    isAbroad: isAbroad(api.hostname),
    urlOf(path) {
      const base = baseOf(path);
      return base.origin + pathBelow(base, path);
    },
    open(method, path, headers) {
      const base = baseOf(path);
      return request({
        agent,
        method,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port === '' ? undefined : base.port,
        path: pathBelow(base, path),
        headers: { ...headers, host: base.host },
      });
    },
    close() {
      agent.destroy();
    },
  };
}

/** PostHog's clouds serve scripts and remote config from a separate host; other installations from the same one. */
function assetsHost(api: URL): URL {
  const cloud = /^(us|eu|app)(\.i)?\.posthog\.com$/.exec(api.hostname);
  return cloud ? new URL(`https://${cloud[1] === 'eu' ? 'eu' : 'us'}-assets.i.posthog.com`) : api;
}

/** Data sent to another host is assumed to leave the country, unless its name shows otherwise. */
function isAbroad(hostname: string): boolean {
  const isNear = hostname === 'localhost' || /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname);
  return !(isNear || hostname === '[::1]' || /\.(br|local|internal|test)$/.test(hostname));
}
