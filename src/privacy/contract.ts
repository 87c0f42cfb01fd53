/** Data subject requests, as the screen shows them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';

/** An export waits to be fetched; an erasure waits to be begun, and is swept a minute later. */
export type RequestState = 'waiting' | 'sweeping' | 'done' | 'expired';

/** A receipt of a request, without the person's identity. */
export interface PrivacyRequest {
  id: number;
  kind: 'export' | 'erase';
  state: RequestState;
  /** Identifies the receipt: a prefix of a keyed hash. */
  subject: string;
  /** Name of the requester at that time. */
  askedBy: string;
  askedAt: number;
  doneAt: number | null;
  /** Rows by table. */
  counts: Record<string, number>;
}

export interface FoundPerson {
  uuid: string;
  label: string | null;
  identified: boolean;
  createdAt: number;
  distinctIds: string[];
  /** How many there are beyond those. */
  moreIds: number;
}

/** Search result by id or address: existing people, and receipts of erased ones. */
export interface PeopleSearchResult {
  people: FoundPerson[];
  receipts: PrivacyRequest[];
}

/** Deletions of one retention run. */
export interface RetentionRun {
  at: number;
  /** Events before this time were deleted, ms. */
  before: number;
  events: number;
  sessions: number;
  /** Deleted persons without a profile and without events. */
  persons: number;
}

export interface PrivacyOverview {
  requests: PrivacyRequest[];
  retention: RetentionRun[];
  /** Inputs of the privacy notice: project settings and the upstream. */
  settings: {
    cookieless: boolean;
    ipHandling: 'none' | 'truncated' | 'full';
    retentionDays: number | null;
    respectDnt: boolean;
    autocapture: boolean;
    exceptionCapture: boolean;
    webVitals: boolean;
    heatmaps: boolean;
    /** Recordings of visits; null: there are none. */
    replay: { isSample: boolean; masksText: boolean; console: boolean; network: boolean; retentionDays: number } | null;
    /** Null: events stay in this installation. */
    forwarding: { mode: 'relay' | 'mirror'; host: string } | null;
  };
}

/** A distinct id or an e-mail address. */
export const findInput = z.object({ search: z.string().check(z.trim(), z.minLength(1), z.maxLength(400)) });

export const personInput = z.object({ person: z.uuid() });

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
