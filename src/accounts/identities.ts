/**
 * External accounts connected to people. Keyed by issuer and subject, never by address: an address is trusted
 * only when both the service and this installation have verified it. Owner of `identities`.
 */
import { AppError, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import type { Audit } from './audit.ts';
import type { Connections, Reader, UserId } from './contract.ts';
import type { Hosted } from './hosted.ts';
import type { Identity } from './identity.ts';
import type { Oidc } from './oidc.ts';
import { personByEmail } from './recovery-queries.ts';

export interface Identities {
  /** The connected person; null: none, and its address must not connect it to one. */
  personOf(identity: Identity, address: string): Promise<UserId | null>;
  /** Makes it someone's. @throws AppError `conflict` when it is someone else's */
  connect(reader: Reader, identity: Identity, address: string): Promise<void>;
  /** Connected accounts and available providers, for the account screen. */
  view(userId: UserId): Promise<Connections>;
  /** @throws AppError `not_found` */
  disconnect(reader: Reader, identity: Pick<Identity, 'issuer' | 'subject'>, address: string): Promise<void>;
}

export interface IdentitiesParts {
  audit: Audit;
  oidc: Pick<Oidc, 'providers'>;
  hosted: Pick<Hosted, 'host' | 'issuer'>;
}

export function createIdentities(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { audit, oidc, hosted }: IdentitiesParts,
): Identities {
  /** The provider's name on the sign-in page; its host when it is no longer configured. */
  function nameOf(issuer: string): string {
    const known = oidc.providers().find((each) => each.issuer === issuer)?.name;
    return known ?? (issuer === hosted.issuer ? (hosted.host ?? issuer) : new URL(issuer).host);
  }

  /** @returns the id of the connected person */
  async function connect(person: Person, { issuer, subject, email }: Identity, address: string): Promise<number> {
    return await db.transaction(async (trx) => {
      const [made] = await query(
        trx,
        sql`insert into identities (issuer, subject, user_id, email, created_at)
            values (${issuer}, ${subject}, ${person.id}, ${email}, ${new Date(clock.now())})
            on conflict (issuer, subject) do nothing
            returning user_id`,
      );
      if (made !== undefined) {
        await audit.note(trx, { actor: person, action: 'identity.added', details: { issuer }, address });
        return person.id;
      }
      const [known] = await query<{ user_id: number }>(
        trx,
        sql`select user_id from identities where issuer = ${issuer} and subject = ${subject}`,
      );
      return known?.user_id ?? person.id;
    });
  }

  return {
    async personOf(identity, address) {
      const { issuer, subject, email, emailVerified } = identity;
      const [known] = await query<{ id: number; is_disabled: boolean }>(
        db,
        sql`select users.id, users.disabled_at is not null as is_disabled
              from identities
              join users on users.id = identities.user_id
             where issuer = ${issuer} and subject = ${subject}`,
      );
      if (known !== undefined) return known.is_disabled ? null : (known.id as UserId);
      const person = email !== null && emailVerified ? await personByEmail(db, email) : null;
      if (person === null || person.email_verified_at === null) return null;
      return (await connect(person, identity, address)) as UserId;
    },
    async connect(reader, identity, address) {
      if ((await connect(reader, identity, address)) === reader.id) return;
      throw new AppError('conflict', 'This account is already connected to another user.');
    },
    async view(userId) {
      const rows = await query<{ issuer: string; subject: string; email: string | null; created_at: number }>(
        db,
        sql`select issuer, subject, email, created_at from identities where user_id = ${userId} order by created_at`,
      );
      const isNew = (issuer: string | null) => issuer !== null && !rows.some((row) => row.issuer === issuer);
      return {
        connected: rows.map(({ created_at, ...row }) => ({ ...row, name: nameOf(row.issuer), createdAt: created_at })),
        providers: oidc.providers().flatMap(({ id, name, issuer }) => (isNew(issuer) ? [{ id, name }] : [])),
        hosted: isNew(hosted.issuer) ? hosted.host : null,
        at: clock.now(),
      };
    },
    async disconnect(reader, { issuer, subject }, address) {
      const [gone] = await query(
        db,
        sql`delete from identities where issuer = ${issuer} and subject = ${subject} and user_id = ${reader.id}
            returning issuer`,
      );
      if (gone === undefined) throw notFound('connection');
      await audit.note(db, { actor: reader, action: 'identity.removed', details: { issuer }, address });
    },
  };
}

type Person = { id: number; name: string; email: string };
