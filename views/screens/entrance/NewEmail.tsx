/** Where the link to a new address leads: it is changed by the button, not by opening the page. */
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { useForm } from '#views/kit/use-form.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';
import { secondStepWords } from '#views/words/second-step.ts';
import { usePart } from '#views/words/words.tsx';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import css from './NewEmail.module.css';

const tokenOf = (search: URLSearchParams) => search.get('token') ?? '';

export const queries: ScreenModule['queries'] = (trpc, { search }) => [
  { options: trpc.accounts.own.emailOfLink.queryOptions({ token: tokenOf(search) }), critical: true },
];

export const title: ScreenModule['title'] = ({ language }) => secondStepWords[language].newEmail.title;

export function Screen({ search }: ScreenProps) {
  const { newEmail: text } = usePart(secondStepWords);
  return (
    <Late fallback={<Entrance title={text.title}>{null}</Entrance>}>
      <Confirmation token={tokenOf(search)} />
    </Late>
  );
}

function Confirmation({ token }: { token: string }) {
  const { newEmail: text } = usePart(secondStepWords);
  const trpc = useTrpc();
  const { data: email } = useSuspenseQuery({
    ...trpc.accounts.own.emailOfLink.queryOptions({ token }),
    // Once used it is gone, and the page still has to say what happened.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const confirm = useMutation(trpc.accounts.own.confirmEmail.mutationOptions());
  const failedCode = (confirm.error as { data?: { appCode?: string } } | null)?.data?.appCode;
  const form = useForm<never>({ send: async () => void (await confirm.mutateAsync({ token })) });
  if (confirm.data !== undefined) {
    return (
      <Entrance title={text.done} lead={text.doneText(confirm.data)}>
        <p className={css['on']}>
          <ButtonLink href="/">{text.on}</ButtonLink>
        </p>
      </Entrance>
    );
  }
  if (email === null || failedCode === 'not_found')
    return (
      <Entrance title={text.dead} lead={text.deadText}>
        {null}
      </Entrance>
    );
  if (failedCode === 'conflict')
    return (
      <Entrance title={text.title} lead={text.taken}>
        {null}
      </Entrance>
    );
  return (
    <Entrance title={text.title} lead={<span className="ph-no-capture">{text.lead(email)}</span>}>
      <EntranceForm form={form} action="/api/sign-in/email" submit={text.submit} busy={form.busy && text.busy} />
    </Entrance>
  );
}
