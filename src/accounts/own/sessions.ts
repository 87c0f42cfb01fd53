/** Sign-ins as their owner sees them: where they are, how long they last, and their end. The cookie itself is the web room's. */
import { detectBrowser, detectDevice, detectOS } from '@posthog/core/utils';
import { notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Audit } from '../audit.ts';
import type { Reader } from '../contract.ts';
import type { SignIn } from './contract.ts';
import * as queries from './session-queries.ts';

export interface SignIns {
  /** A person's sessions, most recently used first; `sid` is the current one. */
  list(reader: Reader, sid: string): Promise<SignIn[]>;
  /** Ends one session of the person. @throws AppError `not_found` */
  end(reader: Reader, id: string, address: string): Promise<void>;
  /** Ends all sessions of the person but `sid`; all of them with ''. */
  endAll(reader: Reader, sid: string, address: string): Promise<void>;
  /** As `endAll`, in the transaction `on`. @returns the number of ended sessions */
  endOthers(on: Queryable, userId: number, sid: string): Promise<number>;
  /** True when a session was used since that time, ms. */
  anySeen(since: number): Promise<boolean>;
  /** Notes a use. Does not bring back what has ended. */
  seen(sid: string, at: number, until: number): Promise<void>;
  /** Notes that the person has proved again who they are. */
  proved(sid: string, at: number): Promise<void>;
  /** Notes that the person of a sign-in is at another service. False when it has ended: it does not come back by this. */
  noteJourney(sid: string, journey: object): Promise<boolean>;
  /** State saved before the redirect to a provider, signed in or not. Can be read once. */
  takeJourney<Journey>(sid: string): Promise<Journey | null>;
}

export function createSignIns({ db, clock }: Pick<Deps, 'db' | 'clock'>, audit: Audit): SignIns {
  return {
    async list(reader, sid) {
      const rows = await queries.ofUser(db, reader.id, clock.now());
      return rows.map((row) => ({
        id: row.id,
        isThis: row.sid === sid,
        how: row.how,
        device: deviceOf(row.user_agent),
        address: row.address,
        startedAt: row.started_at,
        seenAt: row.seen_at,
      }));
    },
    async end(reader, id, address) {
      if ((await queries.endOne(db, reader.id, id)) === 0) throw notFound('session');
      await audit.note(db, { actor: reader, action: 'signIn.ended', details: { sessions: 1 }, address });
    },
    async endAll(reader, sid, address) {
      const sessions = await queries.endOthers(db, reader.id, sid);
      await audit.note(db, { actor: reader, action: 'signIn.ended', details: { sessions }, address });
    },
    endOthers: (on, userId, sid) => queries.endOthers(on, userId, sid),
    anySeen: (since) => queries.anySeen(db, since),
    seen: (sid, at, until) => queries.noteSeen(db, sid, at, until),
    proved: (sid, at) => queries.noteProved(db, sid, at),
    noteJourney: (sid, journey) => queries.noteJourney(db, sid, journey),
    takeJourney: (sid) => queries.takeJourney(db, sid),
  };
}

/** Browser, OS and device of a user agent, as far as they can be determined. */
function deviceOf(userAgent: string): SignIn['device'] {
  const [os = ''] = detectOS(userAgent);
  const device = detectDevice(userAgent);
  return { browser: detectBrowser(userAgent, ''), os, device: device === os ? '' : device };
}
