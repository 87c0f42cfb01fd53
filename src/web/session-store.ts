/** Stored sessions, keyed by a hash of the cookie's id: a leaked table grants no access. */
import PgSession from 'connect-pg-simple';
import session from 'express-session';
import { storedSid } from '#src/kit/stored-sid.ts';

const Store = PgSession(session);
type Base = InstanceType<typeof Store>;

export class HashedSessionStore extends Store {
  override get(sid: string, callback: Parameters<Base['get']>[1]): void {
    super.get(storedSid(sid), callback);
  }

  override set(sid: string, data: session.SessionData, callback?: Parameters<Base['set']>[2]): void {
    super.set(storedSid(sid), data, callback);
  }

  override destroy(sid: string, callback?: Parameters<Base['destroy']>[1]): void {
    super.destroy(storedSid(sid), callback);
  }

  override touch(sid: string, data: session.SessionData, callback?: () => void): void {
    super.touch(storedSid(sid), data, callback);
  }
}
