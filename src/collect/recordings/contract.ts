/** What the collector hands over of a recording, and what it asks of the room that stores recordings. Types only. */
import type { RecordingSummary } from '#src/kit/recording/summary.ts';

/** An element of a request to `/s`: events of one window of a session, ready to be stored. Times are ms by the client's clock. */
export interface RecordedPart {
  /** Stored once. */
  uuid: string;
  session: string;
  window: string;
  distinctId: string;
  fromMs: number;
  toMs: number;
  /** When it arrived; of a migration, when it was recorded. By our clock. */
  receivedAt: number;
  /** The server's clock minus the client's; 0 when they agree. */
  skewMs: number;
  /** Begins with a full snapshot. */
  hasFull: boolean;
  /** Of the events as JSON lines, bytes. */
  rawLength: number;
  /** The lines, zstd. */
  body: Uint8Array;
  summary: RecordingSummary;
  /** Ids of password, card and CPF fields that are known after these events. */
  secretFields: number[];
}

/** Secret fields by session and window. */
export type KnownFields = Record<string, Record<string, readonly number[]>>;

/** Where recordings are stored. */
export interface RecordingStore {
  /** Secret fields of sessions that are being recorded. */
  secretFields(projectId: number, sessions: readonly string[]): Promise<KnownFields>;
  /** Resolves when all parts are committed; those that were stored before are left out. */
  store(projectId: number, parts: readonly RecordedPart[]): Promise<void>;
  /** How the project stands to its budget; cached. Never rejects. */
  budget(projectId: number, budgetGb: number): Promise<RecordingBudget>;
}

/** `thin`: half the sample is recorded. `full`: nothing is accepted until older recordings were deleted. */
export type RecordingBudget = 'ok' | 'thin' | 'full';
