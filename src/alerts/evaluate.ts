/** Evaluates finished intervals: each once, whichever process is first, however often it is cut short. */
import type { QueryScope } from '#src/insights/query/scope.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Judged } from './conditions.ts';
import { type NotifyParts, notify } from './notify.ts';
import { calendarOf, type NumbersInsights } from './numbers.ts';
import * as queries from './queries.ts';
import { lastFinished, missingIntervals, type Span } from './schedule.ts';
import { advance } from './state.ts';
import { type AlertProblem, isTold } from './values.ts';
import { judgeSpans } from './watching.ts';

export type AlertProject = QueryScope & { name: string; teamId: number | null };

export interface EvaluateParts extends Pick<Deps, 'db' | 'clock' | 'log'>, NotifyParts {
  insights: NumbersInsights;
  /** Name of the goal or insight of an alert; null: it has none. */
  subjectName(project: AlertProject, subject: queries.AlertRow['subject']): Promise<string | null>;
}

const MINUTE_MS = 60_000;
/** An evaluation that is not over by then was cut short. */
const LEASE_MS = 2 * MINUTE_MS;
/** Tries until an interval is given up. */
const MAX_TRIES = 8;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;

/** Evaluates what is due. @param projectOf null: it is gone */
export async function evaluateDue(
  parts: EvaluateParts,
  projectOf: (id: number) => Promise<AlertProject | null>,
  signal?: AbortSignal,
): Promise<void> {
  const projects = new Map<number, AlertProject | null>();
  for (const alert of await queries.activeAlerts(parts.db)) {
    if (signal?.aborted) return;
    if (!projects.has(alert.project_id)) projects.set(alert.project_id, await projectOf(alert.project_id));
    const project = projects.get(alert.project_id) ?? null;
    if (project === null || !isDue(alert, project, parts.clock.now())) continue;
    // One that cannot be evaluated does not keep the others from it.
    await evaluateAlert(parts, project, alert, signal).catch((error: unknown) =>
      parts.log.warn({ err: error, alert: alert.id }, 'alert not evaluated'),
    );
  }
}

/** False when its last finished interval is the one that was evaluated last: no look at its evaluations is needed. */
function isDue(alert: queries.AlertRow, project: AlertProject, now: number): boolean {
  return alert.last_from !== lastFinished(alert, now, calendarOf(project)).from;
}

async function evaluateAlert(
  parts: EvaluateParts,
  project: AlertProject,
  alert: queries.AlertRow,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = parts;
  const now = clock.now();
  const calendar = calendarOf(project);
  const all = missingIntervals(alert, new Set(), now, calendar);
  const done = await queries.doneStarts(db, alert.id, all[0]?.from ?? now);
  const missing = all.filter(({ from }) => !done.has(from));
  let known: Map<number, Judged> | null = null;
  for (const span of missing) {
    if (signal?.aborted) return;
    const tries = await queries.claim(db, alert, span, { now, lease: now + LEASE_MS });
    if (tries === null) return;
    try {
      known ??= await judgedFrom(parts, project, alert, missing);
    } catch (error) {
      await noteError(parts, alert, span, { error, tries, now });
      return;
    }
    const isLast = span === all.at(-1);
    await settle(parts, project, alert, { span, judged: known.get(span.from) as Judged, tries, isLast, now });
  }
}

/** All at once: the query is the same. */
async function judgedFrom(
  { insights }: EvaluateParts,
  project: AlertProject,
  alert: queries.AlertRow,
  spans: readonly Span[],
): Promise<Map<number, Judged>> {
  const judged = await judgeSpans(insights, project, alert, spans);
  return new Map(spans.map((span, at) => [span.from, judged[at] as Judged]));
}

interface Evaluated {
  span: Span;
  judged: Judged;
  tries: number;
  isLast: boolean;
  now: number;
}

/** Writes the result, the state that follows, and the messages, all or nothing. */
async function settle(
  parts: EvaluateParts,
  project: AlertProject,
  alert: queries.AlertRow,
  { span, judged, tries, isLast, now }: Evaluated,
): Promise<void> {
  const subjectName = await parts.subjectName(project, alert.subject);
  await parts.db.transaction(async (trx) => {
    const locked = await queries.lockAlert(trx, project.id, alert.id);
    // It watches something else now, or nothing.
    if (locked === null || !locked.active || locked.revision !== alert.revision) {
      await queries.giveBack(trx, alert.id, span);
      return;
    }
    if (!(await queries.finish(trx, alert.id, span, { ...judged, tries, now }))) return;
    const row = await queries.alertOf(trx, project.id, alert.id);
    if (row === null) return;
    const before = {
      state: row.state,
      stateAt: row.state_at,
      notifiedAt: row.notified_at,
      snoozedUntil: row.snoozed_until,
    };
    const { after, notice: due } = advance(before, { fires: judged.fires, now, isLast });
    const notice = isTold(alert.subject) ? null : due;
    await queries.saveState(trx, alert.id, after, span, judged);
    if (notice !== null) {
      const { value, expected } = judged;
      await notify(parts, trx, row, { notice, span, value, expected, subjectName, project, now });
    }
  });
}

/** What it watches may be gone: then it is turned off. Else it is tried again, later each time. */
async function noteError(
  { db, log }: EvaluateParts,
  alert: queries.AlertRow,
  span: Span,
  { error, tries, now }: { error: unknown; tries: number; now: number },
): Promise<void> {
  const problem = problemOf(error);
  const isOver = problem === 'gone' || problem === 'invalid';
  if (isOver) await queries.giveBack(db, alert.id, span);
  else {
    const wait = Math.min(MINUTE_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
    await queries.noteFailure(db, alert.id, span, { retryAt: tries >= MAX_TRIES ? null : now + wait, now });
  }
  log.warn({ err: error, alert: alert.id, tries }, 'alert not evaluated');
  await queries.noteProblem(db, alert.id, { problem, active: !isOver });
}

function problemOf(error: unknown): AlertProblem {
  if (!(error instanceof AppError)) return 'internal';
  if (error.code === 'not_found') return 'gone';
  if (error.code === 'invalid' || error.code === 'forbidden') return 'invalid';
  return error.code === 'timeout' ? 'timeout' : 'internal';
}
