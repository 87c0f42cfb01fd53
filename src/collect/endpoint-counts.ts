/** Whole requests to `/ingest`, as /metrics shows them. */
import type { RefusalReason } from './contract.ts';

/** Whole requests since the start, by what was answered. */
export interface EndpointCounts {
  requests: number;
  refused: Record<RefusalReason, number>;
  /** Requests with content that is not stored: accepted and discarded. */
  ignored: Record<'logs' | 'metrics', number>;
  /** Of recordings: stored parts, requests that a project did not take, events that could not be read. */
  recordings: Record<'stored' | 'refused' | 'unread', number>;
}

/** All zero, for a new process. */
export function newEndpointCounts(): EndpointCounts {
  return {
    requests: 0,
    refused: { invalid: 0, token: 0, slow: 0, too_large: 0, overload: 0, unavailable: 0 },
    ignored: { logs: 0, metrics: 0 },
    recordings: { stored: 0, refused: 0, unread: 0 },
  };
}
