/** Operations on reports, and who asks. */
import type { NoteChange } from '#src/accounts/note-change.ts';
import type { InsightReader } from '#src/insights/saved/saved-insights.ts';
import type { WrittenMail } from '#src/mail/mail.ts';
import type { ReportProject } from './compose.ts';
import type {
  OwnReport,
  Report,
  ReportChange,
  ReportInput,
  ReportMember,
  ReportSubject,
  ReportWithHistory,
} from './contract.ts';
import type { RecipientState, ReportKind, ReportSchedule } from './values.ts';

export type ReportReader = Omit<InsightReader, 'project' | 'reader'> & {
  project: ReportProject;
  reader: InsightReader['reader'] & { name?: string };
  language?: string;
};

/** Viewers see and change only reports that they made or receive. Methods about one report throw AppError `not_found` for a missing or hidden one. */
export interface Reports {
  list(asker: ReportReader): Promise<Report[]>;
  get(asker: ReportReader, id: number): Promise<ReportWithHistory>;
  /** Whom the asker may choose as recipients: members of the team, for viewers themselves. */
  members(asker: ReportReader): Promise<ReportMember[]>;
  /**
   * @throws AppError `not_found` for what it shows or for a member, `forbidden` for viewers with other recipients than themselves, `conflict`
   * when there are too many, or when it reveals persons to recipients who may not see them, `rate_limited` after ten new addresses an hour
   */
  create(asker: ReportReader, input: ReportInput, noted?: NoteChange): Promise<Report>;
  /** @throws AppError as `create`; `conflict` with field `revision` when someone else has changed it */
  update(asker: ReportReader, id: number, change: ReportChange, noted?: NoteChange): Promise<Report>;
  remove(asker: ReportReader, id: number, noted?: NoteChange): Promise<void>;
  /** Turns the report on or off for the reader alone. @throws AppError `not_found` for who is no recipient */
  setOwn(asker: ReportReader, id: number, active: boolean): Promise<void>;
  /** Sends it now, of the last finished period. @returns to how many. @throws AppError `rate_limited` after three an hour, as queries */
  sendNow(asker: ReportReader, id: number): Promise<{ recipients: number }>;
  /** The mail as the reader would get it. @throws AppError as queries */
  preview(asker: ReportReader, asked: { subject: ReportSubject; schedule: ReportSchedule }): Promise<WrittenMail>;
  /** Reports that an account gets, of these projects. */
  own(account: number, projects: readonly { id: number; name: string }[]): Promise<OwnReport[]>;
  /** What the link of a mail is about; null: it has ended. */
  link(token: string): Promise<ReportLink | null>;
  /** Recurring work: sends what is due. @param projectOf null: it is gone */
  work(projectOf: (id: number) => Promise<ReportProject | null>, signal?: AbortSignal): Promise<void>;
  /** Recurring work: deletes old history, and addresses that never agreed. */
  tidy(): Promise<void>;
}

/** A link in a mail to a reader without a session. */
export interface ReportLink {
  kind: 'confirm' | 'unsubscribe';
  state: RecipientState;
  language: 'en' | 'pt-BR';
  project: string;
  report: { kind: ReportKind; name: string; schedule: ReportSchedule };
  /** Agrees to get it. */
  confirm(): Promise<void>;
  /** Ends it for this reader. */
  unsubscribe(): Promise<void>;
}
