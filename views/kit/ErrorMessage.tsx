/** The only place where an error becomes words on a screen: what happened, what to do, and the request's code last. */
import { failureOf } from '#views/trpc.ts';
import { useWords } from '#views/words/words.tsx';

export function ErrorMessage({ error }: { error: unknown }) {
  const { words, format } = useWords();
  const { code, retryAfterSec, requestId } = failureOf(error);
  return (
    <>
      {words.errors.codes[code]}
      {retryAfterSec !== undefined && ` ${words.errors.retryAfter(format.number(retryAfterSec))}`}
      {requestId && (
        <>
          {` ${words.errors.request} `}
          <span className="mono">{requestId.slice(0, 8)}</span>.
        </>
      )}
    </>
  );
}
