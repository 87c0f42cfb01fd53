/** Sending a window of queued requests to the upstream, and what each answer means. No database here. */
import { describeStatus, describeUnreachable } from './problems.ts';
import type { Upstream } from './upstream.ts';

/** A row of `relay_queue`. */
export interface QueuedRequest {
  /** Text form of the day that names its partition. */
  day: string;
  id: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  attempts: number;
}

export interface WindowOutcome {
  delivered: QueuedRequest[];
  refused: { request: QueuedRequest; reason: string }[];
  /** To try again after `afterMs`. */
  postponed: { request: QueuedRequest; afterMs: number }[];
  /** Safe to show; null when all went well. */
  problem: string | null;
  /** Something was answered for good: what failed beside it may be at fault itself. */
  isWorking: boolean;
  /** How long the upstream asked all of those that are postponed to wait. */
  askedMs: number;
}

const ANSWER_MS = 10_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Statuses of a wrong key, address or firewall rule: after a correction the same request succeeds. */
const ABOUT_SETTINGS: ReadonlySet<number> = new Set([401, 403, 404]);
/** A request that fails this often while its neighbours pass is at fault itself. */
const MAX_ATTEMPTS = 10;

type Answer = { status: number; retryAfterMs: number } | { status: null; reason: string };

export async function deliverWindow(
  upstream: Upstream,
  window: QueuedRequest[],
  signal: AbortSignal,
): Promise<WindowOutcome> {
  const answers = await Promise.all(window.map((request) => send(upstream, request, signal)));
  const isWorking = answers.some(({ status }) => status !== null && status >= 200 && status < 300);
  const outcome: WindowOutcome = { delivered: [], refused: [], postponed: [], problem: null, isWorking, askedMs: 0 };
  const asked: number[] = [];
  for (const [index, answer] of answers.entries()) {
    const request = window[index] as QueuedRequest;
    const { status } = answer;
    if (status !== null && status >= 200 && status < 300) {
      outcome.delivered.push(request);
      continue;
    }
    const problem = status === null ? answer.reason : describeStatus(status);
    const isRefusal = status !== null && isFinal(status);
    if (isRefusal || (isWorking && request.attempts + 1 >= MAX_ATTEMPTS)) {
      outcome.refused.push({ request, reason: problem });
    } else {
      const askedMs = status === null ? 0 : answer.retryAfterMs;
      asked.push(askedMs);
      outcome.postponed.push({ request, afterMs: waitMs(request.attempts, askedMs) });
    }
    outcome.problem ??= problem;
  }
  outcome.isWorking ||= outcome.refused.length > 0;
  outcome.askedMs = asked.length === 0 ? 0 : Math.min(...asked);
  return outcome;
}

/** The request itself is at fault: the same answer would come again. */
function isFinal(status: number): boolean {
  if (status < 400 || status >= 500) return false;
  return status !== 408 && status !== 429 && !ABOUT_SETTINGS.has(status);
}

/** Longer after each failure, and never less than the upstream asked for, within a limit. */
export function waitMs(failures: number, askedMs: number): number {
  return Math.min(Math.max(FIRST_WAIT_MS * 2 ** failures, askedMs), LONGEST_WAIT_MS);
}

/** Never rejects. */
function send(upstream: Upstream, request: QueuedRequest, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = { ...request.headers, 'content-length': String(request.body.length) };
    const call = upstream.open(request.method, request.path, headers);
    const timer = setTimeout(() => end({ status: null, reason: 'Upstream timed out.' }), ANSWER_MS);
    const onAbort = () => end({ status: null, reason: 'Stopped while waiting for the upstream.' });
    function end(answer: Answer): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
      if (answer.status === null) call.destroy();
    }
    signal.addEventListener('abort', onAbort);
    call.on('error', (cause) => end({ status: null, reason: describeUnreachable(cause) }));
    call.on('response', (answer) => {
      answer.on('error', () =>
        end({ status: null, reason: 'The upstream closed the connection before the response was complete.' }),
      );
      answer.on('end', () => {
        const retryAfterMs = Number(answer.headers['retry-after'] ?? 0) * 1000;
        end({ status: answer.statusCode ?? 0, retryAfterMs: Number.isFinite(retryAfterMs) ? retryAfterMs : 0 });
      });
      answer.resume();
    });
    call.end(request.body);
  });
}
