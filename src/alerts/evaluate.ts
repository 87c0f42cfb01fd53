/** Evaluates finished intervals: each once, whichever process is first, however often it is cut short. */
import type { QueryScope } from '#src/insights/query/scope.ts';
import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { Judged } from './conditions.ts';
import type { Ledger } from './ledger.ts';
import type { Notice } from './notify.ts';
import { calendarOf, type NumbersInsights } from './numbers.ts';
import type { AlertRow } from './queries.ts';
import { lastFinished, missingIntervals, type Span } from './schedule.ts';
import { advance } from './state.ts';
import { type AlertProblem, isTold } from './values.ts';
import { judgeSpans } from './watching.ts';

export type AlertProject = QueryScope & { name: string; teamId: number | null };

export interface EvaluateParts<Trx> {
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
  ledger: Ledger<Trx>;
  insights: NumbersInsights;
  /** Name of the goal or insight of an alert; null: it has none. */
  subjectName(project: AlertProject, subject: AlertRow['subject']): Promise<string | null>;
  /** Writes the messages of an alert. */
  notify(trx: Trx, alert: AlertRow, notice: Notice): Promise<void>;
}

const MINUTE_MS = 60_000;
/** An evaluation that is not over by then was cut short. */
const LEASE_MS = 2 * MINUTE_MS;
/** Tries until an interval is given up. */
const MAX_TRIES = 8;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;

/** Evaluates what is due. @param projectOf null: it is gone */
export async function evaluateDue<Trx>(
  parts: EvaluateParts<Trx>,
  projectOf: (id: number) => Promise<AlertProject | null>,
  signal?: AbortSignal,
): Promise<void> {
  const { ledger, log } = parts;
  const projects = new Map<number, AlertProject | null>();
  // By a clock that is ahead, intervals would be evaluated before they are over, and not again.
  const aheadMs = Math.max(0, parts.clock.now() - (await ledger.databaseTime()));
  const clock = { now: () => parts.clock.now() - aheadMs };
  for (const alert of await ledger.active()) {
    if (signal?.aborted) return;
    if (!projects.has(alert.project_id)) projects.set(alert.project_id, await projectOf(alert.project_id));
    const project = projects.get(alert.project_id) ?? null;
    if (project === null || !isDue(alert, project, clock.now())) continue;
    // One that cannot be evaluated does not keep the others from it.
    await evaluateAlert({ ...parts, clock }, project, alert, signal).catch((error: unknown) =>
      log.warn({ err: error, alert: alert.id }, 'alert not evaluated'),
    );
  }
}

/** False when its last finished interval is the one that was evaluated last: no look at its evaluations is needed. */
function isDue(alert: AlertRow, project: AlertProject, now: number): boolean {
  return alert.last_from !== lastFinished(alert, now, calendarOf(project)).from;
}

async function evaluateAlert<Trx>(
  parts: EvaluateParts<Trx>,
  project: AlertProject,
  alert: AlertRow,
  signal?: AbortSignal,
): Promise<void> {
  const { ledger, clock } = parts;
  const now = clock.now();
  const calendar = calendarOf(project);
  const all = missingIntervals(alert, new Set(), now, calendar);
  const done = await ledger.doneStarts(alert.id, all[0]?.from ?? now);
  const missing = all.filter(({ from }) => !done.has(from));
  let known: Map<number, Judged> | null = null;
  for (const span of missing) {
    if (signal?.aborted) return;
    const tries = await ledger.claim(alert, span, { now, lease: now + LEASE_MS });
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
  { insights }: Pick<EvaluateParts<never>, 'insights'>,
  project: AlertProject,
  alert: AlertRow,
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

async function settle<Trx>(
  { ledger, notify, subjectName: nameOf }: EvaluateParts<Trx>,
  project: AlertProject,
  alert: AlertRow,
  { isLast, ...evaluated }: Evaluated,
): Promise<void> {
  const subjectName = await nameOf(project, alert.subject);
  const { span, judged, now } = evaluated;
  const { value, expected, fires } = judged;
  await ledger.settle(alert, evaluated, {
    advance(before) {
      const { after, notice } = advance(before, { fires, now, isLast });
      return { after, notice: isTold(alert.subject) ? null : notice };
    },
    tell: (trx, row, notice) => notify(trx, row, { notice, span, value, expected, subjectName, project, now }),
  });
}

/** What it watches may be gone: then it is turned off. Else it is tried again, later each time. */
async function noteError(
  { ledger, log }: Pick<EvaluateParts<unknown>, 'ledger' | 'log'>,
  alert: AlertRow,
  span: Span,
  { error, tries, now }: { error: unknown; tries: number; now: number },
): Promise<void> {
  const problem = problemOf(error);
  const isOver = problem === 'gone' || problem === 'invalid';
  if (isOver) await ledger.giveBack(alert.id, span);
  else {
    const wait = Math.min(MINUTE_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
    await ledger.noteFailure(alert.id, span, { retryAt: tries >= MAX_TRIES ? null : now + wait, now });
  }
  log.warn({ err: error, alert: alert.id, tries }, 'alert not evaluated');
  await ledger.noteProblem(alert.id, { problem, active: !isOver });
}

function problemOf(error: unknown): AlertProblem {
  if (!(error instanceof AppError)) return 'internal';
  if (error.code === 'not_found') return 'gone';
  if (error.code === 'invalid' || error.code === 'forbidden') return 'invalid';
  return error.code === 'timeout' ? 'timeout' : 'internal';
}
