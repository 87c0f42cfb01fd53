/** Asks for the proof: the password, or a passkey. Shown by `useProof` (ProofDialog.tsx). */
import { useEffect, useRef, useState } from 'react';
import { type PasskeyQuestion, passkeyProblem, promptPasskey } from '#views/passkeys.ts';
import { post } from '#views/post.ts';
import { proofWords } from '#views/words/proof.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';
import { FormError, TextField } from './Field.tsx';
import css from './ProofQuestion.module.css';
import { useForm } from './use-form.ts';

interface Ways {
  hasPassword: boolean;
  /** Null: no passkey. */
  question: PasskeyQuestion | null;
}

export function ProofQuestion({ onProved, onClose }: { onProved(): void; onClose(): void }) {
  const text = usePart(proofWords);
  const [ways, setWays] = useState<Ways | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    post<Ways>('/api/sign-in/prove/question').then(setWays, setFailure);
  }, []);
  return (
    <Dialog label={text.title} onClose={onClose}>
      <div className={css['proof']}>
        <h2>{text.title}</h2>
        <p>{ways === null || ways.hasPassword || ways.question ? text.lead : text.neither}</p>
        {failure !== null && (
          <FormError>
            <ErrorMessage error={failure} />
          </FormError>
        )}
        {ways?.hasPassword && <Password onProved={onProved} />}
        {ways?.question && <Passkey question={ways.question} isOnly={!ways.hasPassword} onProved={onProved} />}
        <Button kind="quiet" onClick={onClose}>
          {text.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

function Password({ onProved }: { onProved(): void }) {
  const text = usePart(proofWords);
  const { words, format } = useWords();
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  const form = useForm<'password'>({
    async send({ password }) {
      await post('/api/sign-in/prove', { password });
      onProved();
    },
    words: ({ code }) => (code === 'invalid' ? { password: text.wrong } : null),
  });
  const { failure } = form;
  return (
    <form method="post" action="/api/sign-in/prove" noValidate className={css['proof']} onSubmit={form.onSubmit}>
      <div ref={field}>
        <TextField
          label={text.password}
          error={form.errors.password}
          name="password"
          type="password"
          autoComplete="current-password"
        />
      </div>
      <FormError>
        {failure &&
          (failure.code === 'rate_limited'
            ? text.wait(format.number(failure.retryAfterSec ?? 60))
            : words.errors.codes[failure.code])}
      </FormError>
      <Button type="submit" kind="primary" busy={form.busy && text.busy}>
        {text.submit}
      </Button>
    </form>
  );
}

function Passkey({ question, isOnly, onProved }: { question: PasskeyQuestion; isOnly: boolean; onProved(): void }) {
  const text = usePart(proofWords);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isFirst = useRef(true);
  const ask = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      // A question counts once: every further try needs a new one.
      const asked = isFirst.current ? question : (await post<Ways>('/api/sign-in/prove/question')).question;
      isFirst.current = false;
      await post('/api/sign-in/prove', { answer: await promptPasskey(asked ?? question) });
      onProved();
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  const problem = failure === null ? null : passkeyProblem(failure);
  return (
    <>
      <Button
        icon="lock"
        {...(isOnly && { kind: 'primary' as const })}
        busy={isBusy && text.passkeyBusy}
        onClick={() => void ask()}
      >
        {text.passkey}
      </Button>
      <FormError>
        {failure !== null && (problem === null ? <ErrorMessage error={failure} /> : text.passkeyProblems[problem])}
      </FormError>
    </>
  );
}
