/** The look-out for the first event: the lens, since when, a test event, and what came but was not stored. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Install } from '#src/collect/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { Lens } from '#views/kit/Icon.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { installWords } from '#views/words/install.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Listening.module.css';

export interface ListeningProps {
  install: Install;
  reference: string;
  timeZone: string;
}

export function Listening({ install, reference, timeZone }: ListeningProps) {
  const { words, format } = useWords();
  const text = usePart(installWords);
  const time = useServerTime();
  const [since] = useState(time);
  const test = useTestEvent(reference);
  const { lastProblem } = install;
  return (
    <>
      <div className={css['listening']}>
        <Lens large live />
        <p role="status">
          <b className={css['title']}>{text.listening}</b>
          <span className="dim">
            {text.listeningHint} <span className="num">{text.since(format.clock(since, timeZone))}</span>
          </span>
        </p>
        <Button
          className="script-only"
          busy={test.isPending && text.testing}
          onClick={() => test.mutate({ project: reference })}
        >
          {text.test}
        </Button>
      </div>
      {test.isError && (
        <Callout tone="neg">
          <ErrorMessage error={test.error} />
        </Callout>
      )}
      {lastProblem && (
        <Callout tone="warn">
          {text.problem(ago(lastProblem.at, Math.max(time, lastProblem.at), timeZone, words))}{' '}
          {Object.hasOwn(text.problems, lastProblem.reason) ? (
            text.problems[lastProblem.reason as keyof typeof text.problems]
          ) : (
            <code className="mono">{lastProblem.reason}</code>
          )}
        </Callout>
      )}
    </>
  );
}

function useTestEvent(project: string) {
  const text = usePart(installWords);
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.collect.sendTestEvent.mutationOptions({
      onSuccess() {
        showToast(text.tested);
        void queryClient.invalidateQueries(trpc.events.now.queryFilter({ project }));
        void queryClient.invalidateQueries(trpc.insights.pathFilter());
        void queryClient.invalidateQueries(trpc.collect.install.queryFilter({ project }));
      },
    }),
  );
}
