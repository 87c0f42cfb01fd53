/** Passkeys: listed, added with a name, renamed, removed. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnAccount, Passkey } from '#src/accounts/own/contract.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import css from '#views/kit/Records.module.css';
import { Section } from '#views/kit/Section.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { makePasskey, passkeyProblem } from '#views/passkeys.ts';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { accountWords } from '#views/words/account.ts';
import { proofWords } from '#views/words/proof.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AccountForm } from './AccountForm.tsx';

export function AccountPasskeys({ account }: { account: OwnAccount }) {
  const { passkeys: text } = usePart(accountWords);
  return (
    <Section title={text.title} text={text.text}>
      {account.passkeys.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <ul className={css['list']}>
          {account.passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} account={account} />
          ))}
        </ul>
      )}
      <Add />
    </Section>
  );
}

function useRefresh(): () => Promise<void> {
  const trpc = useTrpc();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: trpc.accounts.own.get.queryKey() });
}

function Add() {
  const { passkeys: text, errors } = usePart(accountWords);
  const trpc = useTrpc();
  const refresh = useRefresh();
  const ask = useMutation(trpc.accounts.own.askForPasskey.mutationOptions());
  const add = useMutation(trpc.accounts.own.addPasskey.mutationOptions());
  const { prove, dialog } = useProof();
  const { passkeyProblems } = usePart(proofWords);
  const [problem, setProblem] = useState<string | null>(null);
  const [times, setTimes] = useState(0);
  const form = useForm<'name'>({
    check: ({ name }) => (name.trim() === '' ? { name: text.nameHint } : {}),
    async send({ name }) {
      setProblem(null);
      try {
        const question = await prove(() => ask.mutateAsync());
        if (question === undefined) return;
        await add.mutateAsync({ name, answer: await makePasskey(question) });
      } catch (error) {
        // Errors of the browser are not failures of a call; their messages are here.
        const known = passkeyProblem(error);
        if (known === null) throw error;
        setProblem(passkeyProblems[known]);
        return;
      }
      await refresh();
      setTimes((before) => before + 1);
      showToast(text.added);
    },
    words: ({ code }) => (code === 'conflict' ? { name: errors.tooMany } : null),
  });
  return (
    <>
      <AccountForm key={times} form={form} submit={text.add} busy={text.adding} problem={problem}>
        <TextField
          label={text.name}
          hint={text.nameHint}
          error={form.errors.name}
          name="name"
          autoComplete="off"
          maxLength={MAX_SHOWN_NAME_LENGTH}
          required
        />
      </AccountForm>
      {dialog}
    </>
  );
}

function Row({ passkey, account }: { passkey: Passkey; account: OwnAccount }) {
  const { passkeys: text } = usePart(accountWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const refresh = useRefresh();
  const remove = useMutation(trpc.accounts.own.removePasskey.mutationOptions());
  const { prove, dialog } = useProof();
  const [state, setState] = useState<'shown' | 'renamed' | 'removed'>('shown');
  const when = (ms: number) => ago(ms, account.at, account.timeZone, words);
  const { id, name, createdAt, usedAt } = passkey;
  if (state === 'renamed') return <Rename passkey={passkey} onDone={() => setState('shown')} />;
  const takeAway = async () => {
    const done = await prove(async () => {
      await remove.mutateAsync({ id });
      return true;
    });
    if (!done) return;
    await refresh();
    showToast(text.removed);
  };
  return (
    <li className={css['row']}>
      <div className={css['what']}>
        <p className={css['name']}>{name}</p>
        <p className={css['note']}>
          {text.since(when(createdAt))} · {usedAt === null ? text.neverUsed : text.used(when(usedAt))}
        </p>
      </div>
      <div className={css['actions']}>
        <Button small aria-label={text.renameNamed(name)} onClick={() => setState('renamed')}>
          {text.rename}
        </Button>
        <Button small aria-label={text.removeNamed(name)} className={css['danger']} onClick={() => setState('removed')}>
          {text.remove}
        </Button>
      </div>
      {state === 'removed' && (
        <AskFirst
          title={text.removeTitle(name)}
          text={text.removeText}
          action={text.remove}
          busy={text.removing}
          onConfirm={takeAway}
          onClose={() => setState('shown')}
        />
      )}
      {dialog}
    </li>
  );
}

function Rename({ passkey, onDone }: { passkey: Passkey; onDone(): void }) {
  const { passkeys: text, errors, profile, cancel } = usePart(accountWords);
  const trpc = useTrpc();
  const refresh = useRefresh();
  const rename = useMutation(trpc.accounts.own.renamePasskey.mutationOptions());
  const form = useForm<'name'>({
    async send({ name }) {
      await rename.mutateAsync({ id: passkey.id, name });
      await refresh();
      onDone();
    },
    words: (failure) =>
      failureOf(failure).code === 'invalid' || failure.code === 'invalid' ? { name: errors.name } : null,
  });
  return (
    <li className={css['form']}>
      <AccountForm
        form={form}
        submit={text.save}
        busy={profile.saving}
        more={
          <Button kind="quiet" onClick={onDone}>
            {cancel}
          </Button>
        }
      >
        <TextField
          label={text.name}
          error={form.errors.name}
          name="name"
          defaultValue={passkey.name}
          autoComplete="off"
          maxLength={MAX_SHOWN_NAME_LENGTH}
          required
        />
      </AccountForm>
    </li>
  );
}
