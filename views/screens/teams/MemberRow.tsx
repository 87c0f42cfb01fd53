/** One member: who they are, their role as a menu where it may be changed, and what else can be done. */

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberSignIn, TeamMember, TeamView } from '#src/accounts/teams/contract.ts';
import { mayChange, type Role, roles } from '#src/accounts/values.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Avatar } from '#views/kit/Avatar.tsx';
import { smallButtonClass } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { ago } from '#views/words/relative.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Members.module.css';
import { Refusal } from './Refusal.tsx';
import { useTeamChange } from './use-team-change.ts';

type MemberAction = 'transfer' | 'remove' | 'leave' | null;

export function MemberRow({ team, member, manages }: { team: TeamView; member: TeamMember; manages: boolean }) {
  const text = usePart(teamWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  const { lastActiveAt } = member;
  return (
    <tr>
      <th scope="row">
        <span className={css['who']}>
          <Avatar name={member.name} />
          <span className={css['name']}>
            <span className={css['line']}>
              <span className="clip">{member.name}</span>
              {member.isYou && <span className={css['you']}>{text.you}</span>}
            </span>
            {member.email !== null && <span className={`${css['below']} clip`}>{member.email}</span>}
          </span>
        </span>
      </th>
      <td>
        <RoleCell team={team} member={member} />
      </td>
      {manages && (
        <>
          <td className={classNames(css['faint'], 'wide-only')}>
            {lastActiveAt === null ? text.never : ago(lastActiveAt, team.at, me?.timeZone ?? 'UTC', words)}
          </td>
          <td className={classNames(css['faint'], 'wide-only')}>{waysText(member.ways, text)}</td>
        </>
      )}
      <td className={css['end']}>
        <Options team={team} member={member} />
      </td>
    </tr>
  );
}

/** "Password and passkey". */
function waysText(ways: MemberSignIn[], text: (typeof teamWords)['en']): string {
  const names = ways.map((way) => text.ways[way]);
  const last = names.pop() ?? '';
  const all = names.length === 0 ? last : `${names.join(', ')} ${text.and} ${last}`;
  return all.charAt(0).toLocaleUpperCase() + all.slice(1);
}

function RoleCell({ team, member }: { team: TeamView; member: TeamMember }) {
  const text = usePart(teamWords);
  const trpc = useTrpc();
  const { prove, dialog } = useProof();
  const refresh = useTeamChange(team.id);
  const { mutateAsync, error } = useMutation({
    ...trpc.accounts.teams.changeRole.mutationOptions(),
    onSuccess: refresh,
  });
  const allowed = roles.filter((role) => mayChange(team.role, member.role, role));
  const isOnlyOwner = member.role === 'owner' && team.members.filter(({ role }) => role === 'owner').length === 1;
  if (allowed.length === 0 || isOnlyOwner) return <span>{text.roles[member.role]}</span>;
  const choose = async (role: Role) => {
    if (role === member.role) return;
    try {
      const done = await prove(() => mutateAsync({ team: team.id, user: member.id, role }).then(() => true));
      if (done) showToast(text.roleChanged(member.name, text.roles[role]));
    } catch {
      // Shown below the button.
    }
  };
  return (
    <span className={css['role']}>
      <Popover
        label={text.roleOf(member.name)}
        className={css['menu']}
        triggerClass={classNames(smallButtonClass, css['choice'])}
        trigger={
          <>
            {text.roles[member.role]}
            <span className="visually-hidden">{text.roleOf(member.name)}</span>
            <Icon name="down" small />
          </>
        }
        list
      >
        {[...allowed].reverse().map((role) => (
          <button
            key={role}
            type="button"
            className={optionClass(role === member.role)}
            aria-pressed={role === member.role}
            onClick={(event) => {
              closeAround(event.currentTarget);
              void choose(role);
            }}
          >
            <span className={css['option']}>
              <b>{text.roles[role]}</b>
              <small>{text.can[role]}</small>
            </span>
          </button>
        ))}
      </Popover>
      {error && dialog === null && (
        <span role="alert" className={css['failure']}>
          <Refusal error={error} />
        </span>
      )}
      {dialog}
    </span>
  );
}

/** A choice has been made in it. */
function closeAround(element: Element): void {
  element.closest<HTMLElement>('[popover]')?.hidePopover();
}

function Options({ team, member }: { team: TeamView; member: TeamMember }) {
  const text = usePart(teamWords);
  const [asked, setAsked] = useState<MemberAction>(null);
  const choices: [Exclude<MemberAction, null>, string][] = [];
  if (team.role === 'owner' && !member.isYou) choices.push(['transfer', text.makeOwner]);
  if (member.isYou) choices.push(['leave', text.leave]);
  else if (mayChange(team.role, member.role, null)) choices.push(['remove', text.remove]);
  if (choices.length === 0) return null;
  return (
    <>
      <Popover
        label={text.optionsFor(member.name)}
        align="end"
        triggerClass={classNames(css['more'], 'script-only')}
        trigger={
          <>
            <span className="visually-hidden">{text.optionsFor(member.name)}</span>
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />
            </svg>
          </>
        }
        list
      >
        {choices.map(([choice, label]) => (
          <button
            key={choice}
            type="button"
            className={optionClass()}
            onClick={(event) => {
              closeAround(event.currentTarget);
              setAsked(choice);
            }}
          >
            {label}
          </button>
        ))}
      </Popover>
      {asked !== null && <Ask asked={asked} team={team} member={member} onClose={() => setAsked(null)} />}
    </>
  );
}

interface AskProps {
  asked: Exclude<MemberAction, null>;
  team: TeamView;
  member: TeamMember;
  onClose(): void;
}

function Ask({ asked, team, member, onClose }: AskProps) {
  const text = usePart(teamWords);
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const { prove, dialog } = useProof();
  const refresh = useTeamChange(team.id);
  const transfer = useMutation(trpc.accounts.teams.transfer.mutationOptions());
  const remove = useMutation(trpc.accounts.teams.remove.mutationOptions());
  const leave = useMutation(trpc.accounts.teams.leave.mutationOptions());
  const target = { team: team.id, user: member.id };
  const kinds = {
    transfer: {
      title: text.makeOwnerTitle(member.name),
      text: text.makeOwnerText,
      action: text.makeOwnerButton,
      busy: text.makeOwnerBusy,
      work: () => prove(() => transfer.mutateAsync(target)).then(refresh),
    },
    remove: {
      title: text.removeTitle(member.name),
      text: text.removeText,
      action: text.removeButton,
      busy: text.removeBusy,
      work: () => remove.mutateAsync(target).then(refresh),
    },
    leave: {
      title: text.leaveTitle(team.name),
      text: text.leaveText,
      action: text.leaveButton,
      busy: text.leaveBusy,
      work: async () => {
        await leave.mutateAsync({ team: team.id });
        queryClient.clear();
        location.assign('/');
      },
    },
  };
  const { work, ...rest } = kinds[asked];
  return (
    <>
      <AskFirst {...rest} onConfirm={work} onClose={onClose} words={(error) => <Refusal error={error} />} />
      {dialog}
    </>
  );
}
