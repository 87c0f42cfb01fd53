/** A new password. Who has one gives it; who has none proves in another way who they are. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnAccount } from '#src/accounts/own/contract.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from '#src/accounts/values.ts';
import { TextField } from '#views/kit/Field.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { Section } from '#views/kit/Section.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { accountWords } from '#views/words/account.ts';
import { usePart } from '#views/words/words.tsx';
import { AccountForm } from './AccountForm.tsx';

export function AccountPassword({ account }: { account: OwnAccount }) {
  const { password: text, errors } = usePart(accountWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const change = useMutation(trpc.accounts.own.setPassword.mutationOptions());
  const { prove, dialog } = useProof();
  /** How often it was changed: the fields are emptied, and it is said. */
  const [times, setTimes] = useState(0);
  const { hasPassword } = account;
  const form = useForm<'current' | 'password'>({
    check: ({ current, password }) => ({
      ...(hasPassword && current === '' && { current: errors.current }),
      ...(password.length < MIN_PASSWORD && { password: errors.short }),
      ...(password.length > MAX_PASSWORD && { password: errors.long }),
    }),
    async send({ current, password }) {
      const done = await prove(async () => {
        await change.mutateAsync({ password, ...(hasPassword && { current }) });
        return true;
      });
      if (!done) return;
      setTimes((before) => before + 1);
      await client.invalidateQueries({ queryKey: trpc.accounts.own.get.queryKey() });
    },
    words: ({ code, field }) =>
      code !== 'invalid' ? null : field === 'current' ? { current: errors.current } : { password: errors.common },
  });
  return (
    <Section title={text.title} text={hasPassword ? text.text : text.none}>
      <AccountForm key={times} form={form} submit={hasPassword ? text.submit : text.set} busy={text.busy}>
        <input
          type="email"
          className="visually-hidden"
          name="username"
          value={account.email}
          autoComplete="username"
          aria-hidden="true"
          tabIndex={-1}
          readOnly
        />
        {hasPassword && (
          <TextField
            label={text.current}
            error={form.errors.current}
            name="current"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
        <TextField
          label={text.next}
          hint={text.hint}
          error={form.errors.password}
          name="password"
          type="password"
          autoComplete="new-password"
          required
        />
      </AccountForm>
      <p role="status">{times > 0 && text.done}</p>
      {dialog}
    </Section>
  );
}
