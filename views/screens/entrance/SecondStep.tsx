/** The second step of a sign-in: a code of the app, a recovery code, or a passkey. */
import { useEffect, useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { type PasskeyQuestion, passkeyProblem, promptPasskey } from '#views/passkeys.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { failureOf } from '#views/trpc.ts';
import { proofWords } from '#views/words/proof.ts';
import { secondStepWords } from '#views/words/second-step.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import { onwards, withNext } from './onwards.ts';
import css from './SecondStep.module.css';

export const queries: ScreenModule['queries'] = () => [];

export const title: ScreenModule['title'] = ({ language }) => secondStepWords[language].secondStep.title;

const ask = async () =>
  (await post<{ question: PasskeyQuestion | null }>('/api/sign-in/second-step/question')).question;

export function Screen({ search }: ScreenProps) {
  const { secondStep: text } = usePart(secondStepWords);
  const next = search.get('next');
  const [isOver, setIsOver] = useState(false);
  const [hasPasskey, setHasPasskey] = useState(false);
  const [isRecovery, setIsRecovery] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Throws what is not about the time that it took. */
  const orOver = (error: unknown) => {
    if (failureOf(error).code !== 'unauthenticated') throw error;
    setIsOver(true);
  };
  useEffect(() => {
    ask().then(
      (question) => setHasPasskey(question !== null),
      (error: unknown) => {
        if (failureOf(error).code === 'unauthenticated') setIsOver(true);
      },
    );
  }, []);
  const form = useForm<'code'>({
    check: ({ code }) => (code.trim() === '' ? { code: text.empty } : {}),
    async send({ code }) {
      setProblem(null);
      await post('/api/sign-in/second-step', { code }).then(() => onwards({}, next), orOver);
    },
    words: ({ code }) =>
      code === 'invalid'
        ? { code: isRecovery ? text.wrongRecovery : text.wrong }
        : code === 'conflict'
          ? { code: text.unreadable }
          : null,
  });
  if (isOver) {
    return (
      <Entrance title={text.expired} lead={text.expiredText}>
        <p className={css['again']}>
          <Link href={withNext('/sign-in', next)}>{text.again}</Link>
        </p>
      </Entrance>
    );
  }
  return (
    <Entrance title={text.title} lead={isRecovery ? text.recoveryLead : text.lead}>
      <EntranceForm
        form={form}
        action="/api/sign-in/second-step"
        submit={text.submit}
        busy={form.busy && text.busy}
        problem={problem ?? undefined}
        below={
          <>
            {hasPasskey && <Passkey next={next} onProblem={setProblem} onOver={() => setIsOver(true)} />}
            <Button kind="quiet" onClick={() => setIsRecovery(!isRecovery)}>
              {isRecovery ? text.useCode : text.useRecovery}
            </Button>
          </>
        }
      >
        <TextField
          key={String(isRecovery)}
          label={isRecovery ? text.recovery : text.code}
          error={form.errors.code}
          name="code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
        />
      </EntranceForm>
    </Entrance>
  );
}

function Passkey(props: { next: string | null; onProblem(text: string | null): void; onOver(): void }) {
  const { next, onProblem, onOver } = props;
  const { secondStep: text } = usePart(secondStepWords);
  const { words } = useWords();
  const { passkeyProblems, passkeyBusy } = usePart(proofWords);
  const [isBusy, setIsBusy] = useState(false);
  const use = async () => {
    setIsBusy(true);
    onProblem(null);
    try {
      const question = await ask();
      if (question === null) return;
      await post('/api/sign-in/second-step/passkey', { answer: await promptPasskey(question) });
      onwards({}, next);
    } catch (error) {
      const { code } = failureOf(error);
      const known = passkeyProblem(error);
      if (code === 'unauthenticated') onOver();
      else onProblem(known === null ? words.errors.codes[code] : passkeyProblems[known]);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button icon="lock" busy={isBusy && passkeyBusy} onClick={() => void use()}>
      {text.usePasskey}
    </Button>
  );
}
