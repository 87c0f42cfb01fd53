/** SQL of alerts and their evaluations. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { Judged } from './conditions.ts';
import type { AlertCondition, AlertSubject } from './contract.ts';
import type { Span } from './schedule.ts';
import type { StateNow } from './state.ts';
import type { AlertInterval, AlertProblem, AlertState } from './values.ts';

export interface AlertRow {
  id: number;
  project_id: number;
  created_by: number;
  author: string | null;
  language: string;
  name: string;
  subject: AlertSubject;
  interval: AlertInterval;
  condition: AlertCondition;
  active: boolean;
  since: number;
  state: AlertState;
  state_at: number;
  notified_at: number | null;
  acknowledged_name: string | null;
  snoozed_until: number | null;
  last_from: number | null;
  last_to: number | null;
  last_value: number | null;
  last_expected: number | null;
  problem: AlertProblem | null;
  revision: number;
  changed_at: number;
}

const rows = sql`
  select alerts.id, alerts.project_id, alerts.created_by, users.name as author, alerts.language, alerts.name, alerts.subject,
         alerts.interval, alerts.condition, alerts.active, alerts.since, alerts.state, alerts.state_at, alerts.notified_at,
         acknowledging.name as acknowledged_name, alerts.snoozed_until, alerts.last_from, alerts.last_to, alerts.last_value,
         alerts.last_expected, alerts.problem, alerts.revision, alerts.changed_at
    from alerts
    left join users on users.id = alerts.created_by
    left join users as acknowledging on acknowledging.id = alerts.acknowledged_by`;

/** Those that fire first, then by name. */
export function alertsOf(on: Queryable, project: number): Promise<AlertRow[]> {
  return query(
    on,
    sql`${rows}
         where alerts.project_id = ${project}
         order by array_position(array['firing', 'acknowledged'], alerts.state), lower(alerts.name), alerts.id`,
  );
}

export async function alertOf(on: Queryable, project: number, id: number): Promise<AlertRow | null> {
  const [row] = await query<AlertRow>(on, sql`${rows} where alerts.project_id = ${project} and alerts.id = ${id}`);
  return row ?? null;
}

/** Of all projects. */
export function activeAlerts(on: Queryable): Promise<AlertRow[]> {
  return query(on, sql`${rows} where alerts.active order by alerts.id`);
}

export interface NewAlert {
  name: string;
  subject: AlertSubject;
  interval: AlertInterval;
  condition: AlertCondition;
  by: number;
  language: string;
  since: number;
  now: number;
}

/** @returns its number; null when the project has `most` */
export async function insertAlert(
  on: Queryable,
  project: number,
  { name, subject, interval, condition, by, language, since, now }: NewAlert,
  most: number,
): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into alerts (project_id, created_by, language, name, subject, interval, condition, active, since, state, state_at,
                            revision, created_at, changed_at)
        select ${project}::int, ${by}::int, ${language}::text, ${name}::text, ${sql.json(subject)}, ${interval}::text,
               ${sql.json(condition)}, true, ${sql.time(since)}, 'ok', ${sql.time(now)}, 1, ${sql.time(now)}, ${sql.time(now)}
         where (select count(*) from alerts where project_id = ${project}) < ${most}
        returning id`,
  );
  return row?.id ?? null;
}

/** As it is until the transaction ends; null: there is none. */
export async function lockAlert(
  on: Queryable,
  project: number,
  id: number,
): Promise<Pick<AlertRow, 'revision' | 'active' | 'state' | 'name'> | null> {
  const [row] = await query<Pick<AlertRow, 'revision' | 'active' | 'state' | 'name'>>(
    on,
    sql`select revision, active, state, name from alerts where project_id = ${project} and id = ${id} for update`,
  );
  return row ?? null;
}

export interface AlertFields {
  name: string;
  subject: AlertSubject;
  interval: AlertInterval;
  condition: AlertCondition;
  active: boolean;
}

/** @param since null: it watches the same as before; else evaluations begin again, from this time on */
export async function updateAlert(
  on: Queryable,
  id: number,
  { name, subject, interval, condition, active }: AlertFields,
  { since, now }: { since: number | null; now: number },
): Promise<void> {
  const again =
    since === null
      ? sql.empty
      : sql`, since = ${sql.time(since)}, state = 'ok', state_at = ${sql.time(now)}, notified_at = null, acknowledged_by = null,
              snoozed_until = null, last_from = null, last_to = null, last_value = null, last_expected = null, problem = null`;
  await query(
    on,
    sql`update alerts
           set name = ${name}, subject = ${sql.json(subject)}, interval = ${interval}, condition = ${sql.json(condition)},
               active = ${active}, revision = revision + 1, changed_at = ${sql.time(now)} ${again}
         where id = ${id}`,
  );
  if (since !== null) await query(on, sql`delete from alert_evaluations where alert = ${id}`);
}

/** With all that belongs to it. */
export async function deleteAlert(on: Queryable, id: number): Promise<void> {
  await query(on, sql`delete from alert_deliveries where alert = ${id}`);
  await query(on, sql`delete from alert_issues where alert = ${id}`);
  await query(on, sql`delete from alert_evaluations where alert = ${id}`);
  await query(on, sql`delete from alert_targets where alert = ${id}`);
  await query(on, sql`delete from alerts where id = ${id}`);
}

/** @returns false when it does not fire */
export async function acknowledge(on: Queryable, id: number, by: number, now: number): Promise<boolean> {
  const found = await query(
    on,
    sql`update alerts set state = 'acknowledged', state_at = ${sql.time(now)}, acknowledged_by = ${by}
         where id = ${id} and state = 'firing'
        returning id`,
  );
  return found.length > 0;
}

export async function snooze(on: Queryable, id: number, until: number | null): Promise<void> {
  await query(on, sql`update alerts set snoozed_until = ${timeOrNull(until)} where id = ${id}`);
}

/** Starts of intervals that were evaluated. */
export async function doneStarts(on: Queryable, id: number, from: number): Promise<Set<number>> {
  const found = await query<{ interval_from: number }>(
    on,
    sql`select interval_from from alert_evaluations
         where alert = ${id} and interval_from >= ${sql.time(from)} and outcome <> 'pending'`,
  );
  return new Set(found.map((row) => row.interval_from));
}

/** Takes an interval for this process until `lease`. @returns how often it was taken; null: it is done, or someone else has it */
export async function claim(
  on: Queryable,
  { id, project_id }: Pick<AlertRow, 'id' | 'project_id'>,
  { from, to }: Span,
  { now, lease }: { now: number; lease: number },
): Promise<number | null> {
  const [row] = await query<{ tries: number }>(
    on,
    sql`insert into alert_evaluations (alert, interval_from, interval_to, project_id, outcome, tries, retry_at)
        values (${id}, ${sql.time(from)}, ${sql.time(to)}, ${project_id}, 'pending', 1, ${sql.time(lease)})
        on conflict (alert, interval_from) do update
           set tries = alert_evaluations.tries + 1, retry_at = excluded.retry_at
         where alert_evaluations.outcome = 'pending'
           and (alert_evaluations.retry_at <= ${sql.time(now)}
                or alert_evaluations.retry_at > ${sql.time(now)} + interval '2 hours')
        returning tries`,
  );
  return row?.tries ?? null;
}

/** @returns false when it is no longer this process's to finish */
export async function finish(
  on: Queryable,
  id: number,
  { from }: Span,
  { value, expected, fires, tries, now }: Pick<Judged, 'value' | 'expected' | 'fires'> & { tries: number; now: number },
): Promise<boolean> {
  const found = await query(
    on,
    sql`update alert_evaluations
           set outcome = 'done', retry_at = null, evaluated_at = ${sql.time(now)}, value = ${value}, expected = ${expected},
               fires = ${fires}
         where alert = ${id} and interval_from = ${sql.time(from)} and outcome = 'pending' and tries = ${tries}
        returning alert`,
  );
  return found.length > 0;
}

export async function giveBack(on: Queryable, id: number, { from }: Span): Promise<void> {
  await query(
    on,
    sql`delete from alert_evaluations
         where alert = ${id} and interval_from = ${sql.time(from)} and outcome = 'pending'`,
  );
}

/** @param retryAt null: given up */
export async function noteFailure(
  on: Queryable,
  id: number,
  { from }: Span,
  { retryAt, now }: { retryAt: number | null; now: number },
): Promise<void> {
  await query(
    on,
    sql`update alert_evaluations
           set retry_at = ${timeOrNull(retryAt)}, outcome = ${retryAt === null ? 'failed' : 'pending'},
               evaluated_at = ${timeOrNull(retryAt === null ? now : null)}
         where alert = ${id} and interval_from = ${sql.time(from)} and outcome = 'pending'`,
  );
}

export async function noteProblem(
  on: Queryable,
  id: number,
  { problem, active }: { problem: AlertProblem; active: boolean },
): Promise<void> {
  await query(on, sql`update alerts set problem = ${problem}, active = active and ${active} where id = ${id}`);
}

export async function saveState(
  on: Queryable,
  id: number,
  { state, stateAt, notifiedAt }: StateNow,
  { from, to }: Span,
  { value, expected }: Pick<Judged, 'value' | 'expected'>,
): Promise<void> {
  await query(
    on,
    sql`update alerts
           set state = ${state}, state_at = ${sql.time(stateAt)}, notified_at = ${timeOrNull(notifiedAt)},
               acknowledged_by = case when ${state} = 'acknowledged' then acknowledged_by end,
               last_from = ${sql.time(from)}, last_to = ${sql.time(to)}, last_value = ${value}, last_expected = ${expected},
               problem = null
         where id = ${id}`,
  );
}

/** Fires from now on; one that is acknowledged stays so. */
export async function beginFiring(
  on: Queryable,
  id: number,
  { stateAt, now }: { stateAt: number; now: number },
): Promise<void> {
  await query(
    on,
    sql`update alerts
           set state = case when state = 'acknowledged' then state else 'firing' end, state_at = ${sql.time(stateAt)},
               notified_at = ${sql.time(now)}
         where id = ${id}`,
  );
}

export interface EvaluationRow {
  alert: number;
  interval_from: number;
  interval_to: number;
  outcome: 'done' | 'failed';
  value: number | null;
  expected: number | null;
  fires: boolean | null;
  evaluated_at: number;
}

/** The newest first. */
export function evaluationsOf(on: Queryable, id: number, most: number): Promise<EvaluationRow[]> {
  return query(
    on,
    sql`select alert, interval_from, interval_to, outcome, value, expected, fires, evaluated_at
          from alert_evaluations
         where alert = ${id} and outcome <> 'pending'
         order by interval_from desc
         limit ${most}`,
  );
}

/** Evaluations and messages that ended so long ago. */
export async function tidy(on: Queryable, evaluationsBefore: number, deliveriesBefore: number): Promise<void> {
  await query(on, sql`delete from alert_evaluations where interval_to < ${sql.time(evaluationsBefore)}`);
  await query(on, sql`delete from alert_issues where at < ${sql.time(evaluationsBefore)}`);
  await query(
    on,
    sql`delete from alert_deliveries where created_at < ${sql.time(deliveriesBefore)} and state <> 'queued'`,
  );
}

export function timeOrNull(ms: number | null): Sql {
  return ms === null ? sql`null::timestamptz` : sql.time(ms);
}
