/** What people may ask about themselves, as the screen sees it. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';

/** An export waits to be fetched; an erasure waits to be begun, and is swept a minute later. */
export type RequestState = 'waiting' | 'sweeping' | 'done' | 'expired';

/** A receipt: what was done for someone, without saying for whom. */
export interface PrivacyRequest {
  id: number;
  kind: 'export' | 'erase';
  state: RequestState;
  /** What tells the receipt from others: the beginning of a keyed hash. */
  subject: string;
  /** Who asked for it, by the name they had then. */
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

/** What was found under an id or address: people that are there, and receipts of some that are not. */
export interface Found {
  people: FoundPerson[];
  receipts: PrivacyRequest[];
}

/** What retention deleted in one run. */
export interface RetentionRun {
  at: number;
  /** What happened earlier is gone. */
  before: number;
  events: number;
  sessions: number;
  /** Without a profile, of whom nothing was left. */
  persons: number;
}

export interface PrivacyOverview {
  requests: PrivacyRequest[];
  retention: RetentionRun[];
  /** What the privacy notice depends on: the project's settings, and where events are forwarded to. */
  settings: {
    cookieless: boolean;
    ipHandling: 'none' | 'truncated' | 'full';
    retentionDays: number | null;
    respectDnt: boolean;
    autocapture: boolean;
    exceptionCapture: boolean;
    webVitals: boolean;
    /** Null: events stay in this installation. */
    forwarding: { mode: 'relay' | 'mirror'; host: string } | null;
  };
}

/** A distinct id or an e-mail address. */
export const findInput = z.object({ search: z.string().check(z.trim(), z.minLength(1), z.maxLength(400)) });

export const personInput = z.object({ person: z.uuid() });

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
