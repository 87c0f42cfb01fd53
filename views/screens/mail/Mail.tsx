/** Mail: whether it is set up, what was written and what became of it, links to pass on by hand, and a test. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { TestOutcome } from '#src/mail/contract.ts';
import { frameQueries } from '#views/frame/queries.ts';
import { TeamPage } from '#views/frame/TeamPage.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { Late } from '#views/kit/Late.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { mailWords } from '#views/words/mail.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Mail.module.css';
import { MailList, outboxQuery } from './MailList.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  return [
    ...frameQueries(trpc, props),
    { options: trpc.mail.status.queryOptions(), critical: true },
    { options: outboxQuery(trpc, props), critical: true },
  ];
}

export function title(words: Words): string {
  return mailWords[words.language].title;
}

export function Screen(props: ScreenProps) {
  const team = Number(props.params['team']);
  return (
    <TeamPage team={team} tab="mail">
      <Late>
        <Setup team={team} />
        <MailList {...props} />
      </Late>
    </TeamPage>
  );
}

function Setup({ team }: { team: number }) {
  const text = usePart(mailWords);
  const trpc = useTrpc();
  const { data: status } = useSuspenseQuery(trpc.mail.status.queryOptions());
  return (
    <section className={css['setup']} aria-label={text.title}>
      {status.isSetUp ? <p>{text.setUp(status.service ?? '', status.from ?? '')}</p> : <HowTo />}
      <Test team={team} />
    </section>
  );
}

function HowTo() {
  const text = usePart(mailWords);
  return (
    <>
      <Callout tone="warn">
        <strong>{text.notSetUp}</strong> {text.notSetUpText}
      </Callout>
      <details className={css['how']}>
        <summary>{text.how}</summary>
        <ol>
          {text.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </details>
    </>
  );
}

function Test({ team }: { team: number }) {
  const text = usePart(mailWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { mutate, isPending, data, error } = useMutation(
    trpc.mail.sendTest.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: [['mail', 'outbox']] }),
    }),
  );
  return (
    <div className={`${css['test']} script-only`}>
      <Button small busy={isPending && text.testing} onClick={() => mutate({ team })}>
        {text.test}
      </Button>
      <p role="status" className={`${data?.error ? css['failed'] : ''} ph-no-capture`}>
        {data && <Outcome outcome={data} />}
        {error && <ErrorMessage error={error} />}
      </p>
    </div>
  );
}

function Outcome({ outcome: { state, to, error } }: { outcome: TestOutcome }) {
  const text = usePart(mailWords);
  return (
    <>
      {text.tested[state](to)}
      {error && ` ${text.errors[error.kind](error.detail)}`}
    </>
  );
}
