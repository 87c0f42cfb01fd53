/** Error message of forms and dialogs. */
import { failureOf } from '#views/trpc.ts';
import { accountPartWords } from '#views/words/account-parts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';

/** Message of a failure; errors of accounts have their own words. */
export function Problem({ error }: { error: unknown }) {
  const { wait } = usePart(accountPartWords);
  const { words, format } = useWords();
  const failure = isFailure(error) ? error : failureOf(error);
  if (failure.code === 'rate_limited') return wait(format.number(failure.retryAfterSec ?? 60));
  if (!isFailure(error)) return <ErrorMessage error={error} />;
  const { code, requestId } = error;
  return `${words.errors.codes[code]}${requestId ? ` ${words.errors.request} ${requestId.slice(0, 8)}.` : ''}`;
}

/** True for failures of `useForm`. */
function isFailure(error: unknown): error is ReturnType<typeof failureOf> {
  return typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error;
}
