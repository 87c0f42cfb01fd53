import { failureOf } from '#views/trpc.ts';
import { useWords } from '#views/words/words.tsx';
import { showToast } from './toast.tsx';

/** For `onError` of mutations without a place of their own for the message. */
export function useFailureToast(): (error: unknown) => void {
  const { words } = useWords();
  return (error) => showToast(words.errors.codes[failureOf(error).code]);
}
