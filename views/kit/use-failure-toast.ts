import { failureOf } from '#views/trpc.ts';
import { useWords } from '#views/words/words.tsx';
import { showToast } from './toast.tsx';

/** For `onError` of mutations that show no message elsewhere. */
export function useFailureToast(): (error: unknown) => void {
  const { words } = useWords();
  return (error) => showToast(words.errors.codes[failureOf(error).code]);
}
