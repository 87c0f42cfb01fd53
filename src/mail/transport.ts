/** What hands a mail over: SendGrid or an SMTP server. Uses no table. */
import type { MailError } from './contract.ts';

export interface ReadyMail {
  /** Of the mail: the same at every try, so that mailboxes recognize a repeated hand-over. */
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Further headers by name. */
  headers: Record<string, string>;
}

/** `error` is safe to show: it has neither secrets nor the mail's content. */
export type Handover = { ok: true } | { ok: false; error: MailError; isFinal: boolean; retryAfterMs: number };

export interface Transport {
  /** Never rejects. */
  send(mail: ReadyMail): Promise<Handover>;
}

/** A hand-over that takes longer has failed. */
export const ANSWER_MS = 15_000;
export const LONGEST_ERROR = 300;
