/** What the relay and the mirror say about themselves, and the request that the mirror's queue keeps. */

/** A request exactly as a client sent it, to be sent on later. */
export interface ForwardRequest {
  /** Whose events it holds; null when the token could not be looked up. */
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

/** Where events go: only into this database, only to the upstream, or both. */
export type RelayMode = 'store' | 'relay' | 'mirror';

/**
 * What goes wrong with an upstream. `refused`: nothing listens there. `name`: its name leads nowhere. `tls`: its certificate, or what it
 * speaks. `unreachable`: anything else on the way. `key`: it does not know the key (401, 403). `busy`: too much for it (429). `declined`: 4xx
 * otherwise. `failing`: any other answer that is no success.
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
  /** So much was refused that of it only the latest is kept. */
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
  /** Of what went wrong; null: nothing did, or something else. */
  kind: RelayProblemKind | null;
}
