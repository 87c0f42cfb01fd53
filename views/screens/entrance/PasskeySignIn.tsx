/** Signing in with a passkey: a button, and among what the browser fills into the e-mail field where it can. */
import { useEffect, useRef, useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { offerPasskeys, type PasskeyQuestion, passkeyProblem, promptPasskey } from '#views/passkeys.ts';
import { post } from '#views/post.ts';
import { failureOf } from '#views/trpc.ts';
import { proofWords } from '#views/words/proof.ts';
import { secondStepWords } from '#views/words/second-step.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { onwards } from './onwards.ts';

const ask = async () => (await post<{ question: PasskeyQuestion }>('/api/sign-in/passkey/question')).question;

export function PasskeySignIn({ next }: { next: string | null }) {
  const { signInWithPasskey } = usePart(secondStepWords);
  const { passkeyProblems, passkeyBusy } = usePart(proofWords);
  const { words } = useWords();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOffered = useRef(false);

  const enter = async (answer: object) => {
    await post('/api/sign-in/passkey', { answer });
    onwards({}, next);
  };
  const show = (error: unknown) => {
    const known = passkeyProblem(error);
    setProblem(known === null ? words.errors.codes[failureOf(error).code] : passkeyProblems[known]);
  };
  const use = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      await enter(await promptPasskey(await ask()));
    } catch (error) {
      show(error);
    } finally {
      setIsBusy(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: offered once, when the page is there
  useEffect(() => {
    if (isOffered.current) return;
    isOffered.current = true;
    offerPasskeys(ask).then(
      (answer) => answer && enter(answer).catch(show),
      () => undefined, // the button remains
    );
  }, []);
  return (
    <>
      <Button icon="lock" className="script-only" busy={isBusy && passkeyBusy} onClick={() => void use()}>
        {signInWithPasskey}
      </Button>
      <FormError>{problem}</FormError>
    </>
  );
}
