/**
 * Requests that set cookies, such as signing in (src/accounts/endpoint.ts), which are no tRPC calls. JSON in, JSON out; errors become
 * the same type as those of calls. Browser only.
 */
import { CallError, type FailureCode } from './call-error.ts';

/** @throws CallError */
export async function post<Answer = unknown>(path: `/api/${string}`, body: object = {}): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    });
  } catch (cause) {
    throw new CallError('The server could not be reached', { appCode: 'network' }, cause);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer;
  const error = (answer as { error?: { code?: FailureCode; field?: string; requestId?: string } } | null)?.error;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new CallError(error?.code ?? 'unreadable', {
    appCode: error?.code ?? 'unreadable',
    field: error?.field,
    requestId: error?.requestId,
    retryAfterSec: Number.isFinite(wait) ? wait : undefined,
  });
}
