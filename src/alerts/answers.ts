/** Alerts as they are answered. */
import type { AlertDelivery, AlertEvaluation, AlertSummary, AlertTarget } from './contract.ts';
import type { AlertRow, EvaluationRow } from './queries.ts';
import type { DeliveryRow } from './target-queries.ts';

export function summaryOf(row: AlertRow, subjectName: string | null, targets: AlertTarget[] = []): AlertSummary {
  const isEvaluated = row.last_from !== null && row.last_to !== null;
  return {
    id: row.id,
    name: row.name,
    subject: row.subject,
    subjectName,
    interval: row.interval,
    condition: row.condition,
    active: row.active,
    state: row.state,
    stateAt: row.state_at,
    acknowledgedBy: row.state === 'acknowledged' ? row.acknowledged_name : null,
    snoozedUntil: row.snoozed_until,
    last: isEvaluated
      ? {
          from: row.last_from as number,
          to: row.last_to as number,
          value: row.last_value,
          expected: row.last_expected,
        }
      : null,
    problem: row.problem,
    targets,
    createdBy: { id: row.created_by, name: row.author },
    changedAt: row.changed_at,
    revision: row.revision,
  };
}

export function evaluationOf(row: EvaluationRow): AlertEvaluation {
  return {
    from: row.interval_from,
    to: row.interval_to,
    value: row.value,
    expected: row.expected,
    fires: row.fires,
    failed: row.outcome === 'failed',
    at: row.evaluated_at,
  };
}

export function deliveryOf(row: DeliveryRow): AlertDelivery {
  return {
    id: row.id,
    target: row.target,
    kind: row.kind,
    place: row.place,
    notice: row.notice,
    state: row.state,
    tries: row.tries,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    nextAt: row.state === 'queued' ? row.next_at : null,
    status: row.status,
    error: row.error,
  };
}
