/**
 * `/ingest` passed on to an upstream host: the relay (nothing is stored here) and the mirror (stored here as well). Owner of the
 * tables `relay_queue` and `relay_counts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import { type Config, ingestMode } from '#src/config.ts';
import type { Clock } from '#src/kit/clock.ts';
import { AppError, unavailable } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { ForwardRequest, RelayMode, RelayStatus, RelayTest } from './contract.ts';
import { createCounts, type RelayTotals } from './counts.ts';
import { type ClientFacts, headersForUpstream } from './headers.ts';
import { createMirror, type Mirror } from './mirror.ts';
import { describeUnreachable, kindOf, withCode } from './problems.ts';
import { streamThrough } from './stream.ts';
import { ClientTooSlow, type RelayLimits, relayLimits } from './stream-limits.ts';
import { createUpstream, type Upstream } from './upstream.ts';

export type { ClientFacts } from './headers.ts';
export type { Mirror } from './mirror.ts';

export interface Relay {
  readonly mode: RelayMode;
  /**
   * Streams the request to the upstream and its answer back.
   * @param path below `/ingest`, with the query
   * @throws AppError `upstream`, `timeout`, `too_large` or `unavailable` when nothing was answered yet
   */
  pass(req: IncomingMessage, res: ServerResponse, path: string, client: ClientFacts): Promise<void>;
  /** Keeps what a client sent, for the upstream. Only in mode `mirror`. */
  readonly mirror: Mirror | null;
  status(): Promise<RelayStatus>;
  /** Tries the upstream once, without sending an event. */
  test(): Promise<RelayTest>;
  /** Recurring work, daily. */
  tidy(): Promise<void>;
  stop(): Promise<void>;
}

export interface RelayDeps {
  config: Config;
  write: Pool;
  log: Log;
  clock: Clock;
  fetch: typeof globalThis.fetch;
}

export interface RelayOptions {
  limits?: Partial<RelayLimits>;
  /** Takes requests for the mirror while the database is away, as the spool does. */
  keep?: (request: ForwardRequest) => Promise<void>;
}

/** Requests relayed at once; beyond it, 503 before the body is read. */
const MAX_IN_FLIGHT = 500;
const TEST_MS = 5000;

const noCounts: RelayTotals = { passed: 0, failed: 0, skipped: 0, since: null, lastProblem: null };

/** In mode `store` (no PUBLIC_POSTHOG_HOST) the relay forwards nothing and returns an error. */
export function createRelay(deps: RelayDeps, options: RelayOptions = {}): Relay {
  const { config, log } = deps;
  const host = config.PUBLIC_POSTHOG_HOST;
  const upstream = host === undefined ? null : createUpstream(host);
  const mode: RelayMode = ingestMode(config);
  const limits = { ...relayLimits, ...options.limits };
  const counts = createCounts(deps);
  const mirror = upstream && mode === 'mirror' ? createMirror(deps, upstream, counts, options.keep) : null;
  let inFlight = 0;

  return {
    mode,
    mirror,
    async pass(req, res, path, client) {
      if (upstream === null) throw unavailable('No upstream configured. Set PUBLIC_POSTHOG_HOST.');
      if (inFlight >= MAX_IN_FLIGHT) throw unavailable('Too many requests in flight. Retry in a moment.');
      if (Number(req.headers['content-length'] ?? 0) > limits.bodyBytes) {
        throw new AppError('too_large', 'Request too large to forward.');
      }
      inFlight++;
      try {
        const headers = headersForUpstream(req.headers, client, path);
        if (await streamThrough(upstream, req, res, path, headers, limits)) counts.count('passed');
      } catch (error) {
        if (isUpstreamsFault(error)) {
          counts.count('failed');
          counts.problem(withCode(error));
          log.warn({ err: error, path: path.split('?')[0] }, 'upstream request failed');
        }
        throw error;
      } finally {
        inFlight--;
      }
    },
    async status() {
      const [{ skipped, ...totals }, queue] = await Promise.all([
        upstream ? counts.read() : noCounts,
        mirror?.status(),
      ]);
      return {
        mode,
        host: upstream?.host ?? null,
        abroad: upstream?.isAbroad ?? false,
        inFlight,
        ...totals,
        queue: queue ? { ...queue, skipped } : null,
      };
    },
    test: () => tryUpstream(upstream, deps),
    async tidy() {
      if (upstream !== null) await counts.fold();
    },
    async stop() {
      upstream?.close();
      await counts.stop();
    },
  };
}

function isUpstreamsFault(error: unknown): error is AppError {
  if (error instanceof ClientTooSlow) return false;
  return error instanceof AppError && (error.code === 'upstream' || error.code === 'timeout');
}

/** Asks for the remote config, which every installation answers and which measures nothing. */
async function tryUpstream(upstream: Upstream | null, { config, clock, fetch }: RelayDeps): Promise<RelayTest> {
  if (upstream === null)
    return {
      ok: false,
      status: null,
      tookMs: 0,
      message: 'No upstream configured. Set PUBLIC_POSTHOG_HOST.',
      kind: null,
    };
  const url = upstream.urlOf(`/array/${encodeURIComponent(config.PUBLIC_POSTHOG_KEY ?? 'test')}/config`);
  const startedAt = clock.elapsed();
  const tookMs = () => Math.round(clock.elapsed() - startedAt);
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TEST_MS) });
    await answer.body?.cancel();
    const ok = answer.status === 200;
    const message = ok
      ? 'Upstream is responding.'
      : `Upstream responded with ${answer.status}.${answer.status === 404 || answer.status === 401 ? ' Check PUBLIC_POSTHOG_KEY.' : ''}`;
    // An upstream responds with 404 to the remote config of an unknown key.
    const kind = ok ? null : answer.status === 404 ? 'key' : kindOf(message).kind;
    return { ok, status: answer.status, tookMs: tookMs(), message, kind };
  } catch (error) {
    const isLate = (error as { name?: string }).name === 'TimeoutError';
    const message = isLate ? `No response within ${TEST_MS / 1000} s.` : describeUnreachable(error);
    return { ok: false, status: null, tookMs: tookMs(), message, kind: kindOf(message).kind };
  }
}

/** A request for the mirror's queue, as the upstream will get it. */
export function toForward(
  req: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
  client: ClientFacts,
  body: Uint8Array,
  receivedAt: number,
  projectId: number | null = null,
): ForwardRequest {
  const headers = headersForUpstream(req.headers, client, path);
  delete headers['content-length'];
  return { projectId, receivedAt, method: req.method ?? 'POST', path, headers, body };
}
