/**
 * Emails: a closed list of kinds, the data of each, and the types that screens use. Read by the browser, so
 * zod/mini only.
 */
import * as z from 'zod/mini';
import type { TeamId, UserId } from '#src/accounts/contract.ts';
import type {
  AlertInterval,
  DescribedCondition,
  DescribedIssue,
  DescribedSubject,
  NoticeKind,
} from '#src/alerts/values.ts';
import type { Role } from '#src/projects/contract.ts';
import type { ReportConfirmData, ReportData } from '#src/reports/values.ts';

/**
 * Data of each kind. Callers build every `link` from the configured address, never from a request; names are rendered as
 * text. `minutes` and `days` are the link's lifetime.
 */
export interface MailData {
  /** Confirms the address of a new account. */
  verifyEmail: { link: string; minutes: number };
  magicLink: { link: string; minutes: number };
  resetPassword: { link: string; minutes: number };
  /** To the new address. */
  emailChangeConfirm: { link: string; minutes: number };
  /** To the old address; `link` leads to where it can be acted upon. */
  emailChanged: { link: string; newAddress: string; at: number; timeZone: string };
  passwordChanged: { link: string; at: number; timeZone: string };
  invitation: { link: string; inviter: string; team: string; role: Role; days: number };
  /** A team waits to be deleted; `link` leads to where that is undone. */
  teamDeletion: { link: string; team: string; by: string; deletesAt: number; timeZone: string };
  /** The same of a project. */
  projectDeletion: { link: string; project: string; team: string; by: string; deletesAt: number; timeZone: string };
  testMail: { link: string; by: string };
  /** An alert that fires, still fires, or no longer does; `subjectName` names its goal or insight, empty without one. */
  alert: AlertData;
  /** Numbers of a finished day, week or month. */
  report: ReportData;
  /** Asks the owner of an address whether they want a report. */
  reportConfirm: ReportConfirmData;
}

export interface AlertData {
  link: string;
  notice: NoticeKind;
  alert: string;
  project: string;
  subject: DescribedSubject;
  subjectName: string;
  condition: DescribedCondition;
  interval: AlertInterval;
  from: number;
  to: number;
  timeZone: string;
  value: number | null;
  expected: number | null;
  /** Of an alert that watches issues: those that the mail names, and how many there are. */
  issues?: readonly DescribedIssue[];
  allIssues?: number;
}

export type MailKind = keyof MailData;

export type MailLanguage = 'en' | 'pt-BR';

interface Envelope {
  /** One address, without a name. */
  to: string;
  language: MailLanguage;
  /** The account that it concerns: deleted with it. */
  userId?: UserId;
  /** The team with it in the outbox: deleted with it. */
  teamId?: TeamId;
  /**
   * The least role in that team that may copy the link while the mail is not sent. A link that signs someone in must not be given to
   * those who may do less. Default: admin.
   */
  readableBy?: 'admin' | 'owner';
  /** Expiry of the link, ms: the mail is not sent later. */
  until?: number;
}

export type MailMessage = { [Kind in MailKind]: Envelope & { kind: Kind; data: MailData[Kind] } }[MailKind];

/**
 * `queued` is being sent, or tried again; `outbox` waits for someone to pass the link on, since no mail service is set up; the others are
 * final.
 */
export const mailStates = ['queued', 'sent', 'failed', 'outbox'] as const;
export type MailState = (typeof mailStates)[number];

/**
 * Why a mail was not sent: the service did not respond, or refused it (`detail` has its message); the link expired; its content can
 * not be decrypted, because AUTH_SECRET was changed.
 */
export const mailErrors = ['unreachable', 'refused', 'expired', 'unreadable'] as const;
export interface MailError {
  kind: (typeof mailErrors)[number];
  detail: string;
}

/** A mail in the list: never its text. */
export interface MailItem {
  id: string;
  kind: MailKind;
  to: string;
  subject: string;
  state: MailState;
  /** ms since 1970. */
  createdAt: number;
  sentAt: number | null;
  /** When it is tried again. */
  nextAttemptAt: number | null;
  attempts: number;
  error: MailError | null;
  /** The text is kept, the mail was not sent, and the reader may have its link. */
  hasLink: boolean;
  /** The whole mail can be looked at: a report that is still kept. */
  hasCopy: boolean;
}

export interface Outbox {
  items: MailItem[];
  /** To be passed as `before` for older ones; null: there are none. */
  before: string | null;
  at: number;
}

/** Whether mails are sent, and the sender. */
export interface MailStatus {
  isSetUp: boolean;
  /** Null: not set up. */
  service: 'SendGrid' | 'SMTP' | null;
  from: string | null;
}

export interface TestOutcome {
  state: MailState;
  to: string;
  error: MailError | null;
}

export const mailRef = z.object({ id: z.uuid() });
export const outboxInput = z.object({ before: z.optional(z.uuid()) });

/** One address as the HTML standard has it, with a domain of at least two parts. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** True for one plain address: no display name, no list, nothing that a header could be made of. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}

export interface Sender {
  email: string;
  /** Empty: none. */
  name: string;
}

/** Reads `Luneta <luneta@example.com>` or an address alone; null when it is neither. */
export function senderOf(text: string): Sender | null {
  const named = /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]*)>\s*$/u.exec(text);
  const [name = '', email = ''] = named === null ? ['', text.trim()] : named.slice(1);
  return isMailAddress(email) ? { email, name } : null;
}

/** Text on one line: control characters, line ends and bidirectional marks become a space. */
export function oneLine(text: string, longest = 200): string {
  const flat = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return flat.length <= longest ? flat : `${flat.slice(0, longest - 1).trimEnd()}…`;
}
