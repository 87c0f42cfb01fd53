/** Reports by email: what is sent, when and to whom. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { rowId } from '#src/kit/row.ts';
import { isMailAddress } from '#src/mail/contract.ts';
import {
  MAX_RECIPIENTS,
  type RecipientState,
  type ReportFrequency,
  type ReportKind,
  type ReportProblem,
  reportFrequencies,
  type SendState,
} from './values.ts';

/** What a report shows. */
export const reportSubject = z.discriminatedUnion('kind', [
  /** The project in short: visits, sources, pages, goals. */
  z.strictObject({ kind: z.literal('summary') }),
  z.strictObject({ kind: z.literal('dashboard'), id: rowId }),
  z.strictObject({ kind: z.literal('insight'), id: rowId }),
]);
export type ReportSubject = z.infer<typeof reportSubject>;

export const reportSchedule = z.strictObject({
  frequency: z.enum(reportFrequencies),
  /** Of weekly reports: 0 Sunday to 6 Saturday. */
  weekday: z._default(z.int().check(z.minimum(0), z.maximum(6)), 1),
  /** Of the reader's day. */
  hour: z._default(z.int().check(z.minimum(0), z.maximum(23)), 8),
});

/** A member of the team, who reads in the language and time zone of their account, or an address that has to agree first. */
export const recipientInput = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('member'), account: rowId }),
  z.strictObject({
    kind: z.literal('address'),
    address: z.string().check(z.trim(), z.maxLength(254), z.refine(isMailAddress, 'Invalid email address.')),
    language: z.enum(['en', 'pt-BR']),
    /** Absent: the project's. */
    timeZone: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  }),
]);
export type RecipientInput = z.infer<typeof recipientInput>;

const recipients = z
  .array(recipientInput)
  .check(z.maxLength(MAX_RECIPIENTS, `Use at most ${MAX_RECIPIENTS} recipients.`));

export const reportInput = z.object({
  subject: reportSubject,
  schedule: reportSchedule,
  recipients: z._default(recipients, []),
});
export type ReportInput = z.infer<typeof reportInput>;

export const reportRef = z.object({ report: rowId });

/** Changed fields; absent ones are unchanged. */
export const reportChange = z.object({
  report: rowId,
  /** The one that was changed; another newer one is a conflict. Absent: the newest. */
  revision: z.optional(z.int()),
  schedule: z.optional(reportSchedule),
  /** All of them: those that are missing get no more. */
  recipients: z.optional(recipients),
  active: z.optional(z.boolean()),
});
export type ReportChange = Omit<z.infer<typeof reportChange>, 'report'>;

/** Turns one's own report on or off. */
export const ownReport = z.object({ report: rowId, active: z.boolean() });

export interface ReportRecipient {
  /** Null: an address without an account. */
  account: number | null;
  /** Null: of a former member. */
  name: string | null;
  /** Null: of an account, and for viewers. */
  address: string | null;
  state: RecipientState;
  language: 'en' | 'pt-BR';
  timeZone: string;
  /** When it is due next, ms; null: not while it is off or not agreed to. */
  nextDue: number | null;
}

export interface Report {
  id: number;
  subject: { kind: ReportKind; id: number | null };
  /** Of the dashboard or insight; null: of the summary, or of what no longer exists. */
  name: string | null;
  schedule: { frequency: ReportFrequency; weekday: number; hour: number };
  active: boolean;
  /** Why it was turned off, or why the last one was not sent; null: it was. */
  problem: ReportProblem | null;
  recipients: ReportRecipient[];
  /** Of all recipients, ms; null: none. */
  nextDue: number | null;
  lastSent: number | null;
  createdBy: { id: number; name: string | null };
  changedAt: number;
  revision: number;
}

/** One due time of one recipient. */
export interface ReportSend {
  dueAt: number;
  /** Name or address. */
  to: string;
  state: SendState;
  /** Asked for by *Send now*. */
  manual: boolean;
  at: number;
  problem: ReportProblem | null;
  /** State of the mail; null: there is none, or it was deleted. */
  mail: 'queued' | 'sent' | 'failed' | 'outbox' | null;
}

export interface ReportWithHistory extends Report {
  /** The newest first. */
  sends: ReportSend[];
}

/** A report that the signed-in reader gets. */
export interface OwnReport {
  report: number;
  project: { id: number; name: string };
  subject: { kind: ReportKind; id: number | null };
  name: string | null;
  schedule: { frequency: ReportFrequency; weekday: number; hour: number };
  /** Turned off for everyone. */
  paused: boolean;
  active: boolean;
  nextDue: number | null;
}

/** A member who may be chosen. */
export interface ReportMember {
  id: number;
  name: string;
  /** Who asks. */
  isSelf: boolean;
}
