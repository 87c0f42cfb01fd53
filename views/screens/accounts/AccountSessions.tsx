/** Where one is signed in, and how to end that: one, all others, all. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnAccount, SignIn } from '#src/accounts/own/contract.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import css from '#views/kit/Records.module.css';
import { Buttons, Section } from '#views/kit/Section.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { accountWords } from '#views/words/account.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function AccountSessions({ account }: { account: OwnAccount }) {
  const { sessions: text } = usePart(accountWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const endMany = useMutation(trpc.accounts.own.endSessions.mutationOptions());
  const [isConfirming, setIsConfirming] = useState(false);
  const endOthers = async () => {
    await endMany.mutateAsync({ keepThis: true });
    await client.invalidateQueries({ queryKey: trpc.accounts.own.get.queryKey() });
    showToast(text.othersEnded);
  };
  const endAll = async () => {
    await endMany.mutateAsync({ keepThis: false });
    location.assign('/sign-in');
  };
  return (
    <Section title={text.title} text={text.text}>
      <ul className={css['list']}>
        {account.signIns.map((signIn) => (
          <Row key={signIn.id} signIn={signIn} account={account} />
        ))}
      </ul>
      <FormError>{endMany.error && !isConfirming && <Problem error={endMany.error} />}</FormError>
      <Buttons>
        {account.signIns.length > 1 && (
          <Button
            busy={endMany.isPending && !isConfirming && text.ending}
            onClick={() => void endOthers().catch(() => undefined)}
          >
            {text.endOthers}
          </Button>
        )}
        <Button onClick={() => setIsConfirming(true)}>{text.endAll}</Button>
      </Buttons>
      {isConfirming && (
        <AskFirst
          title={text.endAllTitle}
          text={text.endAllText}
          action={text.endAll}
          busy={text.ending}
          onConfirm={endAll}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </Section>
  );
}

function Row({ signIn, account }: { signIn: SignIn; account: OwnAccount }) {
  const { sessions: text } = usePart(accountWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const end = useMutation(
    trpc.accounts.own.endSession.mutationOptions({
      onSuccess: () => showToast(text.ended),
      onSettled: () => client.invalidateQueries({ queryKey: trpc.accounts.own.get.queryKey() }),
    }),
  );
  const when = (ms: number) => ago(ms, account.at, account.timeZone, words);
  const { id, isThis, how, device, address, startedAt, seenAt } = signIn;
  const os = device.device || device.os;
  const name = device.browser === '' ? text.unknown : os === '' ? device.browser : text.on(device.browser, os);
  return (
    <li className={css['row']}>
      <div className={css['what']}>
        <p className={css['name']}>
          {name}
          {isThis && <span className={css['mark']}>{text.thisOne}</span>}
        </p>
        <p className={css['note']}>
          <span className="mono">{address}</span> · {text.by[how]} · {text.since(when(startedAt))} ·{' '}
          {text.lastUsed(when(seenAt))}
        </p>
        <FormError>{end.error && <Problem error={end.error} />}</FormError>
      </div>
      {!isThis && (
        <Button
          small
          aria-label={text.endNamed(name)}
          busy={end.isPending && text.ending}
          onClick={() => end.mutate({ id })}
        >
          {text.end}
        </Button>
      )}
    </li>
  );
}
