/**
 * Rate limits. Counters that protect accounts and mailboxes are in PostgreSQL (`rate_limits`), so they hold across processes
 * and restarts; without it each process counts on its own. Calls of screens are counted in memory only: a write
 * would cost more than most of them. Keys are hashes: the table has no personal data.
 */
import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';

export interface Limits {
  /**
   * Counts a sign-in attempt before it is verified. `account` is an address or another identifier of one account.
   *
   * @throws AppError `rate_limited` from the 6th attempt on one account, or the 31st from one client, in 15 minutes
   */
  signIn(account: string, client: string): Promise<Attempt>;
  /**
   * Counts a try of a link's password before it is verified.
   *
   * @throws AppError `rate_limited` from the 11th wrong one of a client, or the 101st of a link, in 15 minutes
   */
  sharePassword(link: string, client: string): Promise<Attempt>;
  /** A page of a shared link. @throws AppError `rate_limited` beyond 120 a minute of a client */
  sharedPage(client: string): Promise<void>;
  /** False: this mailbox (3 an hour) or client (10 an hour) has had enough; answer as if the mail had been sent. */
  mail(to: string, client: string): Promise<boolean>;
  /** Calls of screens in one request. @throws AppError `rate_limited` beyond 300 a minute */
  calls(session: string, count: number): Promise<void>;
  /**
   * Questions that make the database work. Give them back with what this returns.
   *
   * @throws AppError `rate_limited` when 20 of this session are running
   */
  heavy(session: string, count: number): () => void;
  /** A request with a key. `ok` is false beyond 240 a minute; the rest is for the `RateLimit-*` headers. */
  rest(key: string): Promise<Rate>;
  /** An export. @throws AppError `rate_limited` when two of this project are running */
  exporting(project: number): () => void;
}

export interface Attempt {
  /** It was right: earlier mistakes on this account are forgotten. */
  succeeded(): Promise<void>;
}

export interface Rate {
  ok: boolean;
  limit: number;
  remaining: number;
  resetSec: number;
}

const QUARTER_HOUR_SEC = 900;
const HOUR_SEC = 3_600;
const HEAVY_AT_ONCE = 20;
const EXPORTS_AT_ONCE = 2;
/** A busy session gets a place again this soon. */
const BUSY_RETRY_SEC = 2;
const REST_A_MINUTE = 240;
/** This many batched calls count as one: the queries of one screen. */
const CALLS_PER_POINT = 10;

export function createLimits({ write }: Pick<Deps, 'write'>): Limits {
  const kept = (keyPrefix: string, points: number, duration: number, tidies = false) =>
    new RateLimiterPostgres({
      storeClient: write,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      // One of them deletes what has ended, for all.
      clearExpiredByTimeout: tidies,
      keyPrefix,
      points,
      duration,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
  const signInAccount = kept('sign-in-account', 5, QUARTER_HOUR_SEC, true);
  const signInClient = kept('sign-in-client', 30, QUARTER_HOUR_SEC);
  const shareLink = kept('share-link', 100, QUARTER_HOUR_SEC);
  const shareClient = kept('share-client', 10, QUARTER_HOUR_SEC);
  const sharedPages = new RateLimiterMemory({ keyPrefix: 'shared', points: 120, duration: 60 });
  const mailTo = kept('mail-to', 3, HOUR_SEC);
  const mailClient = kept('mail-client', 10, HOUR_SEC);
  const restKey = kept('rest', REST_A_MINUTE, 60);
  const callsOf = new RateLimiterMemory({ keyPrefix: 'calls', points: 300, duration: 60 });
  const heavyOf = createGauge(HEAVY_AT_ONCE);
  const exportsOf = createGauge(EXPORTS_AT_ONCE);

  return {
    async signIn(account, client) {
      const [accountKey, clientKey] = [keyOf(addressKey(account)), keyOf(networkOf(client))];
      await take(signInClient, clientKey);
      await take(signInAccount, accountKey);
      return {
        async succeeded() {
          await Promise.all([signInAccount.delete(accountKey), signInClient.reward(clientKey, 1)]);
        },
      };
    },
    async sharePassword(link, client) {
      const [linkKey, clientKey] = [keyOf(link), keyOf(`${link} ${networkOf(client)}`)];
      await take(shareClient, clientKey);
      await take(shareLink, linkKey);
      return {
        async succeeded() {
          await Promise.all([shareClient.delete(clientKey), shareLink.reward(linkKey, 1)]);
        },
      };
    },
    sharedPage: (client) => take(sharedPages, keyOf(networkOf(client))),
    async mail(to, client) {
      const first = await count(mailClient, keyOf(networkOf(client)));
      return first.ok && (await count(mailTo, keyOf(addressKey(to)))).ok;
    },
    async calls(session, calls) {
      await take(callsOf, keyOf(withNetworks(session)), Math.ceil(calls / CALLS_PER_POINT));
    },
    heavy: (session, calls) => heavyOf(session, calls),
    async rest(key) {
      const { ok, result } = await count(restKey, keyOf(withNetworks(key)));
      return { ok, limit: REST_A_MINUTE, remaining: result.remainingPoints, resetSec: secondsOf(result) };
    },
    exporting: (project) => exportsOf(String(project), 1),
  };
}

type Limiter = RateLimiterMemory | RateLimiterPostgres;

async function take(limiter: Limiter, key: string, points = 1): Promise<void> {
  const { ok, result } = await count(limiter, key, points);
  if (!ok) throw tooMany(secondsOf(result));
}

/** The package rejects with the count when it is too high, and with an error when it fails. */
async function count(limiter: Limiter, key: string, points = 1): Promise<{ ok: boolean; result: RateLimiterRes }> {
  try {
    return { ok: true, result: await limiter.consume(key, points) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { ok: false, result: refusal };
    throw refusal;
  }
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}

/** Concurrency limit per key, in this process. A single request above the limit passes when it is the only one. */
function createGauge(most: number): (key: string, count: number) => () => void {
  const running = new Map<string, number>();
  return (key, taken) => {
    const now = running.get(key) ?? 0;
    if (now > 0 && now + taken > most) throw tooMany(BUSY_RETRY_SEC);
    running.set(key, now + taken);
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      const left = (running.get(key) ?? 0) - taken;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    };
  };
}

function tooMany(retryAfterSec: number): AppError {
  return new AppError('rate_limited', `Too many attempts. Try again in ${retryAfterSec} s.`, { retryAfterSec });
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Normalized as accounts are looked up (accounts/queries.ts), so that another spelling gives no additional attempts. */
function addressKey(address: string): string {
  return address.trim().normalize('NFC').toLowerCase();
}

/** Callers without session and key are identified by network, because one customer may have many addresses. */
function withNetworks(asker: string): string {
  return asker.split(' ').map(networkOf).join(' ');
}

/** The network of an address: an IPv6 customer has a whole /64. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped;
  const [head = '', tail] = mapped.split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
