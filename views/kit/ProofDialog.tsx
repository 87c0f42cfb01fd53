/**
 * For actions that require recent authentication: runs the action, and when the server requires it, opens the dialog and retries. The
 * dialog is loaded on first use (ProofQuestion.tsx).
 *
 * @example
 * const { prove, dialog } = useProof();
 * await prove(() => revoke.mutateAsync({ id })); // … and `{dialog}` somewhere in the markup
 */
import { type ReactNode, useCallback, useState } from 'react';
import { CallError } from '#views/call-error.ts';
import { Late } from '#views/kit/Late.tsx';
import { failureOf } from '#views/trpc.ts';
import { lazyPart } from './lazy-part.tsx';

export interface Proof {
  /** Undefined when the person did not want to prove anything; then nothing happened. */
  prove<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  dialog: ReactNode;
}

const loadQuestion = () => import('#views/areas/proof.ts');
const Question = lazyPart<{ onProved(): void; onClose(): void }>(
  'proof',
  async () => (await loadQuestion()).ProofQuestion,
);

export function useProof(): Proof {
  const [asked, setAsked] = useState<{ answer(isProved: boolean): void } | null>(null);
  const prove = useCallback(async <Result,>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      const { code, field } = failureOf(error);
      if (code !== 'forbidden' || field !== 'proof') throw error;
    }
    // A connection that breaks here is the work's failure, and no reason to lose the screen.
    await loadQuestion().catch((cause: unknown) => {
      throw new CallError('The dialog could not be loaded', { appCode: 'network' }, cause);
    });
    const isProved = await new Promise<boolean>((answer) => setAsked({ answer }));
    setAsked(null);
    return isProved ? work() : undefined;
  }, []);
  return {
    prove,
    dialog: asked && (
      <Late>
        <Question onProved={() => asked.answer(true)} onClose={() => asked.answer(false)} />
      </Late>
    ),
  };
}
