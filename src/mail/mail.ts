/**
 * Mail. What is sent is first written to the table `mails`, in the caller's transaction; right after its commit it is handed to
 * SendGrid or an SMTP server, and by the recurring job when that fails. Without either it stays in the outbox, where anyone who may see it
 * copies its link.
 * At least once: a process that dies between the hand-over and its note sends a mail twice. Owner of `mails`.
 */
import { domainToASCII } from 'node:url';
import type { Knex } from 'knex';
import type { TeamId } from '#src/accounts/contract.ts';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { hourMs } from '#src/kit/zone.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Queryable } from '#src/store/sql.ts';
import {
  isMailAddress,
  type MailError,
  type MailItem,
  type MailLanguage,
  type MailMessage,
  type MailStatus,
  type Outbox,
  senderOf,
  type TestOutcome,
} from './contract.ts';
import { createDelivery } from './delivery.ts';
import * as queries from './queries.ts';
import { composeLetter, renderMail, type WrittenMail } from './render.tsx';
import { seal, unseal } from './seal.ts';
import { createSendgrid } from './sendgrid.ts';
import { createSmtp } from './smtp.ts';
import type { Transport } from './transport.ts';

export type { WrittenMail };

export interface Mail {
  /**
   * Queues a mail; it leaves right after the commit when `on` is a transaction, and is not written at all when that is rolled back.
   *
   * @throws AppError `invalid` with field `email` for what is not one plain address
   */
  send(on: Knex | Knex.Transaction, message: MailMessage): Promise<{ id: string }>;
  /** The words of a mail, for messages that go elsewhere. */
  compose(message: Pick<MailMessage, 'language' | 'kind' | 'data'>): ComposedMessage;
  /** The mail as it would be sent. */
  preview(message: Pick<MailMessage, 'to' | 'language' | 'kind' | 'data'>): WrittenMail;
  /** Sends what is due and forgets what is old. For the recurring job. */
  deliver(signal: AbortSignal): Promise<{ sent: number; failed: number }>;
  status(): MailStatus;
  /** Mails that a reader may see, newest first. */
  outbox(reader: Reader, before: string | null): Promise<Outbox>;
  /** The link of a mail that was not sent. @throws AppError `not_found`, `forbidden`, `conflict` when it is gone */
  link(reader: Reader, id: string): Promise<string>;
  /** A report as it is kept, until it is sent. @throws AppError as `link` */
  copy(reader: Reader, id: string): Promise<WrittenMail>;
  /** Audit details of a mail with a link that this reader may see. @throws AppError as `link` */
  about(reader: Reader, id: string): Promise<MailAbout>;
  /** True when the link is known only from the mailbox: the mail was sent, and its link was never shown here. */
  wasOnlyMailed(on: Queryable, id: string): Promise<boolean>;
  /** Sends a mail of the outbox, or one that failed, again. @throws AppError as `link`, and `conflict` without a mail service */
  resend(reader: Reader, id: string): Promise<MailAbout>;
  /**
   * Sends a test mail and waits for the outcome.
   * @throws AppError `rate_limited` after ten per team and hour, because the mailbox may be unverified
   */
  test(to: { address: string; name: string; language: MailLanguage; teamId: TeamId }): Promise<TestOutcome>;
  /** Waits for the hand-overs under way. */
  stop(): Promise<void>;
}

/** A message in plain words. */
export interface ComposedMessage {
  title: string;
  lines: string[];
  link: string;
  linkLabel: string;
}

/** The reader's access: a role in a team; `all` for the server's administrator. */
export interface Reader {
  team: TeamId;
  role: Role;
  all: boolean;
}

/** Audit details of a mail. */
export interface MailAbout {
  kind: string;
  to: string;
  /** The mail's team; null: none. */
  teamId: number | null;
}

export interface MailOptions {
  secrets: Pick<Secrets, 'keys'>;
  /** Another address than SendGrid's: tests. */
  sendgridUrl?: string;
}

const PAGE = 50;
const MAX_TESTS = 10;

export function createMail(deps: Pick<Deps, 'config' | 'db' | 'log' | 'clock'>, options: MailOptions): Mail {
  const { config, db, log, clock } = deps;
  const service = serviceOf(config, options.sendgridUrl);
  const keys = () => options.secrets.keys('mail');
  const delivery = createDelivery({ db, log, clock, service, keys });

  async function send(on: Knex | Knex.Transaction, message: MailMessage): Promise<{ id: string }> {
    const to = withAsciiDomain(message.to);
    if (!isMailAddress(to)) throw invalid('email', 'Invalid email address.');
    const now = clock.now();
    const id = uuidV7(now);
    const written = renderMail({ ...message, to });
    const [key] = await keys();
    await queries.insertMail(
      on,
      {
        id,
        kind: message.kind,
        to,
        language: message.language,
        userId: message.userId ?? null,
        teamId: message.teamId ?? null,
        readableBy: message.readableBy ?? 'admin',
        subject: written.subject,
        body: seal(key as Buffer, id, written),
        until: message.until ?? null,
        isQueued: service !== null,
      },
      now,
    );
    return { id };
  }

  /** A mail that this reader may have the link of. */
  async function readable({ team, role, all }: Reader, id: string): Promise<queries.MailRow> {
    const row = await queries.byId(db, id, all ? 'all' : { team });
    if (row === null) throw notFound('mail');
    if (!all && !mayReadLink(row, role)) {
      throw new AppError('forbidden', 'Only a team owner can view this link.');
    }
    if (row.body === null || row.state === 'sent' || row.state === 'queued') throw gone();
    return row;
  }

  return {
    async send(on, message) {
      const sent = await send(on, message);
      if (service !== null) delivery.soon(sent.id, 'executionPromise' in on ? on.executionPromise : Promise.resolve());
      return sent;
    },
    compose(message) {
      const { subject, paragraphs, action } = composeLetter(message);
      return { title: subject, lines: paragraphs, link: action.link, linkLabel: action.label };
    },
    preview: (message) => renderMail(message),
    deliver: (signal) => delivery.deliver(signal),
    status: () => ({
      isSetUp: service !== null,
      service: service === null ? null : config.SENDGRID_API_KEY === undefined ? 'SMTP' : 'SendGrid',
      from: service === null ? null : (config.MAIL_FROM ?? null),
    }),
    async outbox({ team, role, all }, before) {
      const rows = await queries.list(db, { whose: all ? 'all' : { team }, before, most: PAGE + 1 });
      const items = rows.slice(0, PAGE).map((row) => itemOf(row, all || mayReadLink(row, role)));
      return { items, before: rows.length > PAGE ? (items.at(-1)?.id ?? null) : null, at: clock.now() };
    },
    async link(reader, id) {
      const row = await readable(reader, id);
      const written = unseal(await keys(), id, row.body as Buffer);
      if (written === null || isEnded(row)) throw gone();
      await queries.noteShown(db, id, clock.now());
      return written.link;
    },
    async copy(reader, id) {
      const { team, all } = reader;
      const row = await queries.byId(db, id, all ? 'all' : { team });
      if (row === null || row.kind !== 'report' || !(all || mayReadLink(row, reader.role))) throw notFound('mail');
      const written = row.body === null ? null : unseal(await keys(), id, row.body);
      if (written === null) throw gone();
      return written;
    },
    about: async (reader, id) => aboutOf(await readable(reader, id)),
    wasOnlyMailed: (on, id) => queries.wasOnlyMailed(on, id),
    async resend(reader, id) {
      const row = await readable(reader, id);
      if (service === null) throw new AppError('conflict', 'Email isn’t set up. Copy the link instead.');
      if (isEnded(row)) throw gone();
      if ((await queries.requeue(db, row.id, clock.now())).length === 0) throw gone();
      delivery.soon(row.id, Promise.resolve());
      return aboutOf(row);
    },
    async test({ address, name, language, teamId }) {
      const link = config.PUBLIC_APP_URL;
      const earlier = await queries.testsSince(db, teamId, clock.now() - hourMs);
      const first = earlier.at(-MAX_TESTS)?.created_at;
      if (first !== undefined) throw tooManyTests(first + hourMs - clock.now());
      const { id } = await send(db, { kind: 'testMail', to: address, language, teamId, data: { link, by: name } });
      await delivery.one(id);
      const row = await queries.byId(db, id, 'all');
      return { state: row?.state ?? 'failed', to: address, error: row === null ? null : errorOf(row) };
    },
    stop: () => delivery.settled(),
  };

  function isEnded(row: queries.MailRow): boolean {
    return row.expires_at !== null && row.expires_at <= clock.now();
  }

  function itemOf(row: queries.MailRow, isAllowed: boolean): MailItem {
    const isWaiting = row.state === 'outbox' || row.state === 'failed';
    return {
      id: row.id,
      kind: row.kind,
      to: row.to_address,
      subject: row.subject,
      state: row.state,
      createdAt: row.created_at,
      sentAt: row.sent_at,
      nextAttemptAt: row.next_attempt_at,
      attempts: row.attempts,
      error: errorOf(row),
      hasLink: isAllowed && isWaiting && row.body !== null && !isEnded(row),
      hasCopy: isAllowed && row.kind === 'report' && row.body !== null,
    };
  }
}

function serviceOf(config: Deps['config'], baseUrl: string | undefined): Transport | null {
  const { SENDGRID_API_KEY: apiKey, SMTP_URL: url, MAIL_FROM } = config;
  const from = MAIL_FROM === undefined ? null : senderOf(MAIL_FROM);
  if (from === null) return null;
  if (apiKey !== undefined) return createSendgrid({ apiKey, from, baseUrl });
  return url === undefined ? null : createSmtp({ url, from });
}

/** Converts an internationalized domain to punycode, as the mail service expects. Other addresses are unchanged. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // The platform's own reading is generous: it would cut off a path, and leave tabs out.
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? address.slice(0, at) + domainToASCII(domain) : address;
}

function aboutOf({ kind, to_address, team_id }: queries.MailRow): MailAbout {
  return { kind, to: to_address, teamId: team_id };
}

function mayReadLink({ readable_by }: queries.MailRow, role: Role): boolean {
  return role === 'owner' || (role === 'admin' && readable_by === 'admin');
}

function errorOf({ error_kind, error_detail }: queries.MailRow): MailError | null {
  return error_kind === null ? null : { kind: error_kind, detail: error_detail ?? '' };
}

function tooManyTests(waitMs: number): AppError {
  return new AppError('rate_limited', 'Too many test emails. Try again later.', {
    retryAfterSec: Math.ceil(waitMs / 1000),
  });
}

function gone(): AppError {
  return new AppError('conflict', 'Link no longer available: it was sent or has expired.');
}
