/** What went wrong, as forms and dialogs of settings say it. */
import { failureOf } from '#views/trpc.ts';
import { accountPartWords } from '#views/words/account-parts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';

/** A failure in words; what is known of accounts is said in theirs. */
export function Problem({ error }: { error: unknown }) {
  const { wait } = usePart(accountPartWords);
  const { words, format } = useWords();
  const failure = isFailure(error) ? error : failureOf(error);
  if (failure.code === 'rate_limited') return wait(format.number(failure.retryAfterSec ?? 60));
  if (!isFailure(error)) return <ErrorMessage error={error} />;
  const { code, requestId } = error;
  return `${words.errors.codes[code]}${requestId ? ` ${words.errors.request} ${requestId.slice(0, 8)}.` : ''}`;
}

/** What `useForm` gives is a failure already. */
function isFailure(error: unknown): error is ReturnType<typeof failureOf> {
  return typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error;
}
