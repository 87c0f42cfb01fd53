/** Invitations that wait: a new link for each, by mail or to be copied, and their end. */
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation, InvitedBy, TeamView } from '#src/accounts/teams/contract.ts';
import { mayChange } from '#src/accounts/values.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { Button } from '#views/kit/Button.tsx';
import { CopyLink } from '#views/kit/CopyLink.tsx';
import { copyText } from '#views/kit/copy.ts';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { ago } from '#views/words/relative.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Members.module.css';
import { useTeamChange } from './use-team-change.ts';

interface InvitedProps {
  team: TeamView;
  invitations: Invitation[];
  /** Mail is set up. */
  sends: boolean;
}

export function Invited({ team, invitations, sends }: InvitedProps) {
  const text = usePart(teamWords);
  return (
    <section className={css['section']} aria-labelledby="invited">
      <h2 id="invited">
        {text.invited} <span className={css['note']}>{text.invitedNote}</span>
      </h2>
      <ul className={css['invited']}>
        {invitations.map((invitation) => (
          <Row key={invitation.id} team={team} invitation={invitation} sends={sends} />
        ))}
      </ul>
    </section>
  );
}

function Row({ team, invitation, sends }: { team: TeamView; invitation: Invitation; sends: boolean }) {
  const text = usePart(teamWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  const refresh = useTeamChange(team.id);
  const renewal = useMutation(trpc.accounts.teams.renewInvitation.mutationOptions());
  const revocation = useMutation({
    ...trpc.accounts.teams.revokeInvitation.mutationOptions(),
    onSuccess: refresh,
  });
  const [link, setLink] = useState<string | null>(null);
  const { email, role, createdAt, expiresAt, inviter, id } = invitation;
  const when = ago(createdAt, team.at, me?.timeZone ?? 'UTC', words);
  const hasEnded = expiresAt <= team.at;

  const renew = async (by: InvitedBy) => {
    try {
      const made = await renewal.mutateAsync({ team: team.id, invitation: id, by });
      if (made.link === null) showToast(text.sent(email));
      else await copyText(made.link);
      setLink(made.link);
      await refresh();
    } catch {
      // Shown below the row.
    }
  };
  const renewing = renewal.isPending ? renewal.variables.by : null;
  const error = renewal.error ?? revocation.error;
  return (
    <li>
      <span className={css['who']}>
        <Avatar name={null} />
        <span className={css['name']}>
          <span className="clip">{email}</span>
          <span className={css['below']}>
            {text.invitedBy(text.roles[role], when, inviter)}
            {hasEnded && ` · ${text.ended}`}
          </span>
        </span>
      </span>
      <span className={`${css['actions']} script-only`}>
        {mayChange(team.role, null, role) && (
          <>
            <Button
              small
              icon="copy"
              aria-label={text.newLinkFor(email)}
              busy={renewing === 'link' && text.newLinkBusy}
              onClick={() => void renew('link')}
            >
              {text.newLink}
            </Button>
            {sends && (
              <Button
                small
                aria-label={text.resendTo(email)}
                busy={renewing === 'mail' && text.resending}
                onClick={() => void renew('mail')}
              >
                {text.resend}
              </Button>
            )}
          </>
        )}
        <Button
          small
          kind="quiet"
          aria-label={text.revokeFor(email)}
          busy={revocation.isPending && text.revoking}
          onClick={() => revocation.mutate({ team: team.id, invitation: id })}
        >
          {text.revoke}
        </Button>
      </span>
      {link !== null && (
        <div className={css['link']}>
          <CopyLink label={text.invitationLink(email)} link={link} copy={text.copyLink} autoFocus />
          <p className={css['below']}>{text.linkText(email)}</p>
        </div>
      )}
      {error !== null && (
        <div className={css['link']}>
          <FormError>
            {failureOf(error).code === 'rate_limited' ? text.errors.wait : <ErrorMessage error={error} />}
          </FormError>
        </div>
      )}
    </li>
  );
}
