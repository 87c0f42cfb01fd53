/** Operations on alerts, and who asks. */
import type { NoteChange } from '#src/accounts/note-change.ts';
import type { InsightReader } from '#src/insights/saved/saved-insights.ts';
import type {
  Alert,
  AlertChange,
  AlertInput,
  AlertMember,
  AlertPreview,
  AlertPreviewInput,
  AlertSummary,
  ChangedAlert,
} from './contract.ts';
import type { AlertProject } from './evaluate.ts';

/** With the language of who asks. */
export type AlertReader = Omit<InsightReader, 'project'> & { project: AlertProject; language?: string };

/** Alerts about personal data are hidden without access to persons. Methods about one alert throw AppError `not_found` for a missing or hidden one. */
export interface Alerts {
  /** Those that fire first, then by name. */
  list(asker: AlertReader): Promise<AlertSummary[]>;
  get(asker: AlertReader, id: number): Promise<Alert>;
  /** The last finished intervals of an alert. @throws AppError as queries */
  chart(asker: AlertReader, id: number): Promise<AlertPreview>;
  /** The same of one that is not saved. @throws AppError `not_found` for a goal or insight, `invalid`, as queries */
  preview(asker: AlertReader, asked: AlertPreviewInput): Promise<AlertPreview>;
  /** Members of the team, for email. */
  members(asker: AlertReader): Promise<AlertMember[]>;
  /** @throws AppError `invalid`, `not_found` for a goal or insight, `conflict` when there are too many */
  create(asker: AlertReader, input: AlertInput, noted?: NoteChange): Promise<ChangedAlert>;
  /** @throws AppError as `create`; `conflict` with field `revision` when someone else has changed it */
  update(asker: AlertReader, id: number, change: AlertChange, noted?: NoteChange): Promise<ChangedAlert>;
  /** @throws AppError `conflict` when it does not fire */
  acknowledge(asker: AlertReader, id: number, noted?: NoteChange): Promise<AlertSummary>;
  /** @param hours null: no longer */
  snooze(asker: AlertReader, id: number, hours: number | null, noted?: NoteChange): Promise<AlertSummary>;
  remove(asker: AlertReader, id: number, noted?: NoteChange): Promise<void>;
  /** Sends a test message to one target. @throws AppError `rate_limited` after three an hour, or ten of the project */
  test(asker: AlertReader, id: number, target: number): Promise<void>;
  /** Sends a message again. @throws AppError `conflict` when it waits already, or its target is gone */
  redeliver(asker: AlertReader, id: number, delivery: string): Promise<void>;
  /** Recurring work: evaluates what is due, and sends messages. @param projectOf null: it is gone */
  work(projectOf: (id: number) => Promise<AlertProject | null>, signal?: AbortSignal): Promise<void>;
  /** Recurring work: deletes old evaluations and messages. */
  tidy(): Promise<void>;
}
