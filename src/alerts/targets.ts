/** Whom an alert notifies: stored with addresses and tokens encrypted, listed without them. */
import { randomBytes } from 'node:crypto';
import { invalid } from '#src/kit/errors.ts';
import { seal, unseal } from '#src/kit/secret-box.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { AlertTarget, ChangedAlert, TargetInput } from './contract.ts';
import type { TargetSecret } from './shapes.ts';
import * as queries from './target-queries.ts';

export interface Targets {
  /** Of all alerts of a project, by alert. */
  byAlert(project: number): Promise<Map<number, AlertTarget[]>>;
  /**
   * Replaces the targets of an alert. @returns secrets of webhooks that are new
   * @throws AppError `invalid` for people who are not in the team, and targets that are not stored
   */
  save(on: Queryable, project: number, alert: number, given: readonly TargetInput[]): Promise<ChangedAlert['secrets']>;
  /** Null: it cannot be read, because AUTH_SECRET was changed. */
  open(alert: number, sealed: string): Promise<TargetSecret | null>;
}

interface TargetsParts {
  db: Queryable;
  secrets: Pick<Secrets, 'keys'>;
}

/** Sealed before the target has its number: bound to the alert. */
const ownerOf = (alert: number): string => `alert ${alert}`;

export function createTargets({ db, secrets }: TargetsParts): Targets {
  const keys = () => secrets.keys('alerts');

  return {
    async open(alert, sealed) {
      const text = unseal(await keys(), ownerOf(alert), sealed);
      return text === null ? null : (JSON.parse(text) as TargetSecret);
    },
    async byAlert(project) {
      const [rows, members] = await Promise.all([queries.targetsOf(db, project), queries.membersOf(db, project)]);
      const found = new Map<number, AlertTarget[]>();
      for (const { id, alert, kind, place, members: ids } of rows) {
        const people = members
          .filter((member) => ids.includes(member.id))
          .map((member) => ({ id: member.id, name: member.name }));
        found.set(alert, [...(found.get(alert) ?? []), { id, kind, place, members: people }]);
      }
      return found;
    },
    async save(on, project, alert, given) {
      const rows = (await queries.targetsOf(on, project)).filter((row) => row.alert === alert);
      const members = new Set((await queries.membersOf(on, project)).map(({ id }) => id));
      const kept = given.flatMap((each) => (each.kind === 'stored' ? [each.id] : []));
      if (!kept.every((id) => rows.some((row) => row.id === id))) {
        throw invalid('targets', 'This target no longer exists. Add it again.');
      }
      await queries.keepTargets(on, alert, kept);
      const [key] = await keys();
      const secretsMade: ChangedAlert['secrets'] = [];
      for (const each of given) {
        if (each.kind === 'stored') continue;
        if (each.kind === 'email') {
          if (!each.members.every((id) => members.has(id))) {
            throw invalid('targets', 'Choose members of the team.');
          }
          await queries.insertTarget(on, project, {
            alert,
            kind: 'email',
            place: '',
            sealed: null,
            members: [...new Set(each.members)],
          });
          continue;
        }
        const { place, secret } = secretOf(each);
        const sealed = seal(key as Buffer, ownerOf(alert), JSON.stringify(secret));
        const target = await queries.insertTarget(on, project, { alert, kind: each.kind, place, sealed, members: [] });
        if ('secret' in secret && secret.secret !== undefined)
          secretsMade.push({ target, place, secret: secret.secret });
      }
      return secretsMade;
    },
  };
}

/** What is stored of a target, and what is shown of it. */
function secretOf(given: Exclude<TargetInput, { kind: 'email' | 'stored' }>): { place: string; secret: TargetSecret } {
  if (given.kind === 'telegram') return { place: given.chat, secret: { token: given.token, chat: given.chat } };
  const { host } = new URL(given.url);
  if (given.kind !== 'webhook') return { place: host, secret: { url: given.url } };
  return { place: host, secret: { url: given.url, secret: `whsec_${randomBytes(24).toString('base64url')}` } };
}
