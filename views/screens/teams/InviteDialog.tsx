/** Invites a person: by mail where mail is set up, else by a link that is shown this once. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamView } from '#src/accounts/teams/contract.ts';
import { mayChange, type Role, roles } from '#src/accounts/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { CopyLink } from '#views/kit/CopyLink.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { EmailField } from '#views/kit/EmailField.tsx';
import { FormError, SelectField } from '#views/kit/Field.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { type Failure, useTrpc } from '#views/trpc.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Dialogs.module.css';
import { useTeamChange } from './use-team-change.ts';

export interface InviteDialogProps {
  team: TeamView;
  /** Mail is set up. */
  sends: boolean;
  onClose(): void;
}

export function InviteDialog({ team, sends, onClose }: InviteDialogProps) {
  const text = usePart(teamWords);
  const [made, setMade] = useState<{ email: string; link: string } | null>(null);
  return (
    <Dialog label={text.inviteTitle} onClose={onClose} className="ph-no-capture">
      <div className={css['body']}>
        <h2>{text.inviteTitle}</h2>
        {made === null ? (
          <InviteForm team={team} sends={sends} onClose={onClose} onMade={setMade} />
        ) : (
          <>
            <p>{text.linkText(made.email)}</p>
            <CopyLink label={text.invitationLink(made.email)} link={made.link} copy={text.copyLink} autoFocus />
            <div className={css['buttons']}>
              <Button onClick={onClose}>{text.done}</Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

interface InviteFormProps extends InviteDialogProps {
  onMade(made: { email: string; link: string }): void;
}

function InviteForm({ team, sends, onClose, onMade }: InviteFormProps) {
  const text = usePart(teamWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const refresh = useTeamChange(team.id);
  const invite = useMutation(trpc.accounts.teams.invite.mutationOptions());
  const form = useForm<'email' | 'role'>({
    check: ({ email }) => (/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email.trim()) ? {} : { email: text.errors.email }),
    async send({ email, role }, { submitter }) {
      const by = submitter === 'link' || !sends ? 'link' : 'mail';
      const { link } = await invite.mutateAsync({ team: team.id, email, role: role as Role, by });
      await refresh();
      if (link !== null) return onMade({ email: email.trim(), link });
      showToast(text.sent(email.trim()));
      onClose();
    },
    words: ({ code, field }: Failure) => {
      if (code === 'conflict' && field === 'email') return { email: text.errors.member };
      if (code === 'invalid' && field === 'role') return { role: text.errors.role };
      return code === 'invalid' ? { email: text.errors.email } : null;
    },
  });
  const offered = roles.filter((role) => mayChange(team.role, null, role));
  const { failure } = form;
  return (
    <form method="post" noValidate className={css['form']} onSubmit={form.onSubmit}>
      <EmailField label={text.email} hint={text.emailHint} error={form.errors.email} autoComplete="off" />
      <SelectField label={text.role} error={form.errors.role} name="role" defaultValue="member">
        {[...offered].reverse().map((role) => (
          <option key={role} value={role}>
            {text.roles[role]}
          </option>
        ))}
      </SelectField>
      <FormError>{failure && (refusals(text)[failure.code] ?? words.errors.codes[failure.code])}</FormError>
      <div className={css['buttons']}>
        <Button onClick={onClose}>{text.cancel}</Button>
        {sends && (
          <Button type="submit" name="mail" kind="primary" busy={form.busy && text.inviting}>
            {text.sendInvitation}
          </Button>
        )}
        <Button
          type="submit"
          name="link"
          {...(sends ? {} : { kind: 'primary' as const })}
          busy={form.busy && text.inviting}
        >
          {text.createLink}
        </Button>
      </div>
    </form>
  );
}

function refusals({ errors }: (typeof teamWords)['en']): Partial<Record<Failure['code'], string>> {
  return { rate_limited: errors.wait, conflict: errors.deleting };
}
