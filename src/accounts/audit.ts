/** The log of who did what, when and from where. Rows are only added; they go with their team. Owner of `audit`. */

import { createRecent } from '#src/kit/recent.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { TeamId } from './contract.ts';
import {
  type AuditAction,
  type AuditDetails,
  type AuditItem,
  type AuditPage,
  type AuditQuestion,
  auditActions,
} from './teams/contract.ts';

export interface AuditEntry {
  /** The team of the log; absent for actions on a personal account. */
  teamId?: number | null;
  projectId?: number | null;
  /** The actor with their current name; a `Reader` fits. Without an id: not an account here, or unknown. */
  actor: { id?: number | null; name: string; email?: string | null };
  action: AuditAction;
  details?: AuditDetails;
  /** Network address of the request; null for what the program does by itself. */
  address?: string | null;
}

export interface Audit {
  /** Notes one deed; in the same transaction as the deed, where there is one. */
  note(on: Queryable, entry: AuditEntry): Promise<void>;
  /** Notes that someone was refused `what`, once in ten minutes. Does not fail: the refusal itself matters more. */
  refused(entry: Omit<AuditEntry, 'action' | 'details'>, what: string): void;
  /** A page of a team's log, newest first. */
  list(teamId: TeamId, asked: AuditQuestion): Promise<AuditPage>;
}

const PAGE = 50;
const LONGEST = 200;
const MAX_PEOPLE = 200;
/** The same refusal again within this time is one. */
const REFUSAL_MS = 10 * 60_000;
const MAX_REFUSALS = 2_000;

/** Details with such names are never stored. Matches the detail's name, never a value that a person chose. */
const secretNames = /password|secret|token|hash|code$|cookie|link$/i;

export function createAudit({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Audit {
  const refusals = createRecent<string, number>(MAX_REFUSALS);

  async function note(on: Queryable, entry: AuditEntry): Promise<void> {
    const { teamId = null, projectId = null, actor, action, details = {}, address = null } = entry;
    const secret = Object.keys(details).find((name) => secretNames.test(name));
    if (secret !== undefined) throw new Error(`the audit log must not store secrets: ${action} contains ${secret}`);
    await query(
      on,
      sql`insert into audit (at, team_id, project_id, user_id, actor, actor_email, action, details, address)
          values (${new Date(clock.now())}, ${teamId}, ${projectId}, ${actor.id ?? null}, ${cut(actor.name)},
                  ${actor.email == null ? null : cut(actor.email)}, ${action}, ${sql.json(details)}, ${address})`,
    );
  }

  return {
    note,
    refused(entry, what) {
      const key = `${entry.actor.id} ${entry.teamId} ${what}`;
      const now = clock.now();
      if (now - (refusals.get(key) ?? Number.NEGATIVE_INFINITY) < REFUSAL_MS) return;
      refusals.set(key, now);
      note(db, { ...entry, action: 'access.refused', details: { what } }).catch((error: unknown) =>
        log.warn({ err: error }, 'failed to write a denied access to the audit log'),
      );
    },
    async list(teamId, { before, kind, person }) {
      const older = before && sql`and (at, id) < (${new Date(before.at)}, ${before.id}::bigint)`;
      const ofKind = kind && sql`and action = any(${[...auditActions[kind]]}::text[])`;
      const by = person === undefined ? sql.empty : sql`and user_id = ${person}`;
      const rows = await query<AuditRow>(
        db,
        sql`select id, at, user_id, actor, actor_email, action, details, project_id, address
              from audit
             where team_id = ${teamId} ${older ?? sql.empty} ${ofKind ?? sql.empty} ${by}
             order by at desc, id desc
             limit ${PAGE + 1}`,
      );
      const items = rows.slice(0, PAGE).map(itemOf);
      const last = items.at(-1);
      const isMore = rows.length > PAGE && last !== undefined;
      return { items, before: isMore ? { at: last.at, id: last.id } : null, people: await people(teamId) };
    },
  };

  /** The people in the log, by their latest names. */
  function people(teamId: TeamId): Promise<AuditPage['people']> {
    return query(
      db,
      sql`select id, name
            from (select distinct on (user_id) user_id as id, actor as name
                    from audit
                   where team_id = ${teamId} and user_id is not null
                   order by user_id, at desc) as each
           order by name, id
           limit ${MAX_PEOPLE}`,
    );
  }
}

interface AuditRow {
  id: number;
  at: number;
  user_id: number | null;
  actor: string;
  actor_email: string | null;
  action: AuditAction;
  details: AuditDetails;
  project_id: number | null;
  address: string | null;
}

function itemOf(row: AuditRow): AuditItem {
  const { id, at, action, details, address } = row;
  const actor = { id: row.user_id, name: row.actor, email: row.actor_email };
  return { id, at, actor, action, details, project: row.project_id, address };
}

function cut(text: string): string {
  return text.slice(0, LONGEST);
}
