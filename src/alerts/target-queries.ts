/** SQL of targets and of messages to them. */
import type { Role } from '#src/projects/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { timeOrNull } from './queries.ts';
import type { DeliveryError, DeliveryState, NoticeKind, TargetKind } from './values.ts';

export interface TargetRow {
  id: number;
  alert: number;
  kind: TargetKind;
  place: string;
  sealed: string | null;
  members: number[];
}

export function targetsOf(on: Queryable, project: number): Promise<TargetRow[]> {
  return query(
    on,
    sql`select id, alert, kind, place, sealed, members from alert_targets where project_id = ${project} order by id`,
  );
}

export async function insertTarget(
  on: Queryable,
  project: number,
  { alert, kind, place, sealed, members }: Omit<TargetRow, 'id'>,
): Promise<number> {
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into alert_targets (alert, project_id, kind, place, sealed, members)
        values (${alert}, ${project}, ${kind}, ${place}, ${sealed}, ${[...members]}::int[])
        returning id`,
  );
  return (row as { id: number }).id;
}

/** All others of the alert are deleted, with what still waits for them. */
export async function keepTargets(on: Queryable, alert: number, kept: readonly number[]): Promise<void> {
  await query(
    on,
    sql`with gone as (delete from alert_targets where alert = ${alert} and id <> all(${[...kept]}::int[]) returning id)
        delete from alert_deliveries where state = 'queued' and target in (select id from gone)`,
  );
}

export interface MemberRow {
  id: number;
  name: string;
  email: string;
  language: string;
  team: number;
  role: Role;
}

/** Members of the project's team who may sign in. */
export function membersOf(on: Queryable, project: number): Promise<MemberRow[]> {
  return query(
    on,
    sql`select users.id, users.name, users.email, users.language, members.team_id as team, members.role
          from projects
          join members on members.team_id = projects.team_id
          join users on users.id = members.user_id and users.disabled_at is null
         where projects.id = ${project}
         order by users.name, users.id`,
  );
}

/** Someone who leaves a team gets no more of its alerts. */
export async function removeMember(on: Queryable, projects: readonly number[], user: number): Promise<void> {
  await query(
    on,
    sql`update alert_targets set members = array_remove(members, ${user}::int)
         where project_id = any(${[...projects]}::int[]) and members @> ${[user]}::int[]`,
  );
}

export interface DeliveryRow {
  id: string;
  alert: number;
  target: number;
  kind: TargetKind;
  place: string;
  notice: NoticeKind;
  body: unknown;
  state: DeliveryState;
  tries: number;
  next_at: number | null;
  created_at: number;
  sent_at: number | null;
  status: number | null;
  error: DeliveryError | null;
  /** Of the target; null: it is gone. */
  sealed: string | null;
}

export interface NewDelivery {
  id: string;
  notice: NoticeKind;
  intervalFrom: number;
  body: unknown;
  now: number;
}

/** Once per target, interval and notice. */
export async function insertDelivery(
  on: Queryable,
  project: number,
  { id: target, alert, kind, place }: Pick<TargetRow, 'id' | 'alert' | 'kind' | 'place'>,
  { id, notice, intervalFrom, body, now }: NewDelivery,
): Promise<void> {
  await query(
    on,
    sql`insert into alert_deliveries (id, alert, target, project_id, kind, place, notice, interval_from, body, state, tries, next_at,
                                      created_at)
        values (${id}, ${alert}, ${target}, ${project}, ${kind}, ${place}, ${notice}, ${sql.time(intervalFrom)}, ${sql.json(body)},
                'queued', 0, ${sql.time(now)}, ${sql.time(now)})
        on conflict do nothing`,
  );
}

const columns = sql`deliveries.id, deliveries.alert, deliveries.target, deliveries.kind, deliveries.place, deliveries.notice,
  deliveries.body, deliveries.state, deliveries.tries, deliveries.next_at, deliveries.created_at, deliveries.sent_at,
  deliveries.status, deliveries.error`;

/** Takes messages that are due until `lease`. */
export function claimDeliveries(
  on: Queryable,
  { now, lease, most }: { now: number; lease: number; most: number },
): Promise<DeliveryRow[]> {
  return query(
    on,
    sql`with due as (
          select id from alert_deliveries
           where state = 'queued'
             and (next_at <= ${sql.time(now)} or next_at > ${sql.time(now)} + interval '1 day')
           order by next_at
           limit ${most}
             for update skip locked
        )
        update alert_deliveries as deliveries
           set tries = deliveries.tries + 1, next_at = ${sql.time(lease)}
          from due
         where deliveries.id = due.id
        returning ${columns}, (select sealed from alert_targets where id = deliveries.target) as sealed`,
  );
}

export async function noteDelivered(on: Queryable, id: string, status: number, now: number): Promise<void> {
  await query(
    on,
    sql`update alert_deliveries
           set state = 'sent', sent_at = ${sql.time(now)}, next_at = null, status = ${status}, error = null
         where id = ${id}`,
  );
}

/** @param nextAt null: given up */
export async function noteUndelivered(
  on: Queryable,
  id: string,
  { status, error, nextAt }: { status: number | null; error: DeliveryError; nextAt: number | null },
): Promise<void> {
  await query(
    on,
    sql`update alert_deliveries
           set state = ${nextAt === null ? 'failed' : 'queued'}, next_at = ${timeOrNull(nextAt)}, status = ${status}, error = ${error}
         where id = ${id} and state = 'queued'`,
  );
}

/** The newest first. */
export function deliveriesOf(on: Queryable, alert: number, most: number): Promise<DeliveryRow[]> {
  return query(
    on,
    sql`select ${columns}, null as sealed from alert_deliveries as deliveries
         where deliveries.alert = ${alert} order by deliveries.created_at desc, deliveries.id desc limit ${most}`,
  );
}

/** @returns false when it is not there, or waits already */
export async function redeliver(on: Queryable, alert: number, id: string, now: number): Promise<boolean> {
  const found = await query(
    on,
    sql`update alert_deliveries
           set state = 'queued', tries = 0, next_at = ${sql.time(now)}, error = null, status = null
         where alert = ${alert} and id = ${id} and state <> 'queued'
           and exists (select from alert_targets where alert_targets.id = alert_deliveries.target)
        returning id`,
  );
  return found.length > 0;
}
