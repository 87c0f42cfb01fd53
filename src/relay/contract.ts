/** Status of relay and mirror, and the request of the mirror's queue. */

/** A request exactly as a client sent it, to be sent on later. */
export interface ForwardRequest {
  /** Project of its events; null when the token could not be looked up. */
  projectId: number | null;
  /** Receipt, ms since 1970. */
  receivedAt: number;
  method: string;
  /** Path and query below `/ingest`, starting with a slash. */
  path: string;
  /** Headers as the upstream will get them: hop-by-hop, cookie and authorization are already gone. */
  headers: Record<string, string>;
  /** The body's bytes, untouched. */
  body: Uint8Array;
}

/** Destination of events: this database, the upstream, or both. */
export type RelayMode = 'store' | 'relay' | 'mirror';

/**
 * Problems of an upstream. `refused`: connection refused. `name`: DNS failure. `tls`: certificate or protocol
 * error. `unreachable`: other network errors. `key`: unknown key (401, 403). `busy`: rate limited (429). `declined`: other 4xx.
 * `failing`: any other unsuccessful status.
 */
export type RelayProblemKind =
  | ('refused' | 'name' | 'tls' | 'late' | 'brokenOff' | 'unreachable')
  | ('key' | 'busy' | 'declined' | 'failing' | 'queueFull');

export interface RelayProblem {
  /** ms since 1970. */
  at: number;
  /** Safe to show: no address of ours, no stack. */
  message: string;
  /** Null: none of these. */
  kind: RelayProblemKind | null;
  /** HTTP status of the upstream, where one came. */
  status: number | null;
}

export interface RelayStatus {
  mode: RelayMode;
  /** Host name of the upstream; null in mode `store`. */
  host: string | null;
  /** True when the upstream is known to be operated outside Brazil, or cannot be determined: data leaves the country. */
  abroad: boolean;
  /** When the first of what follows was counted, by any process, ms; null while nothing was. */
  since: number | null;
  /** Requests passed on with an answer of the upstream; mirror: that it took. */
  passed: number;
  /** Requests answered 502 or 504 here; mirror: tries that the upstream did not take. */
  failed: number;
  /** Requests being relayed now, by the process that answers. */
  inFlight: number;
  lastProblem: RelayProblem | null;
  /** Mirror only: what waits, what the upstream refused for good, and what found the queue full. */
  queue: RelayQueueStatus | null;
}

export interface RelayQueueStatus {
  requests: number;
  bytes: number;
  /** Receipt of the oldest waiting request, ms; null when nothing waits. */
  oldestAt: number | null;
  refused: number;
  /** The dead list is full: only the latest refused requests are kept. */
  isRefusedFull: boolean;
  /** Reason and time of the newest refusal. */
  lastRefusal: RelayProblem | null;
  /** Requests stored here but not queued, because the queue was full. */
  skipped: number;
}

/** Result of trying the upstream once. */
export interface RelayTest {
  ok: boolean;
  /** HTTP status of the upstream, or null when none came. */
  status: number | null;
  tookMs: number;
  message: string;
  /** Kind of the problem; null: none, or not recognized. */
  kind: RelayProblemKind | null;
}
