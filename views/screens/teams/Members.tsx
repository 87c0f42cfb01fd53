/** Members of a team with their roles, invitations, and the rights of each role. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamView } from '#src/accounts/teams/contract.ts';
import { isAtLeast, roles } from '#src/accounts/values.ts';
import { frameQueries } from '#views/frame/queries.ts';
import { TeamPage } from '#views/frame/TeamPage.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart } from '#views/words/words.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { Invited } from './Invited.tsx';
import { MemberRow } from './MemberRow.tsx';
import css from './Members.module.css';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  return [
    ...frameQueries(trpc, props),
    { options: trpc.accounts.teams.view.queryOptions({ team: Number(props.params['team']) }), critical: true },
    { options: trpc.mail.status.queryOptions(), critical: true },
  ];
}

export function title(words: Words): string {
  return teamWords[words.language].members;
}

export function Screen({ params }: ScreenProps) {
  const id = Number(params['team']);
  return (
    <TeamPage
      team={id}
      tab="members"
      actions={
        <Late>
          <Invite id={id} />
        </Late>
      }
    >
      <Late fallback={<BarTableSkeleton rows={4} />}>
        <Content id={id} />
      </Late>
    </TeamPage>
  );
}

function Invite({ id }: { id: number }) {
  const text = usePart(teamWords);
  const trpc = useTrpc();
  const { data: team } = useSuspenseQuery(trpc.accounts.teams.view.queryOptions({ team: id }));
  const { data: mail } = useSuspenseQuery(trpc.mail.status.queryOptions());
  const [inviting, setInviting] = useState(false);
  if (!isAtLeast(team.role, 'admin')) return null;
  return (
    <>
      <Button kind="primary" small className="script-only" onClick={() => setInviting(true)}>
        {text.invite}
      </Button>
      {inviting && <InviteDialog team={team} sends={mail.isSetUp} onClose={() => setInviting(false)} />}
    </>
  );
}

function Content({ id }: { id: number }) {
  const text = usePart(teamWords);
  const trpc = useTrpc();
  const { data: team } = useSuspenseQuery(trpc.accounts.teams.view.queryOptions({ team: id }));
  const { data: mail } = useSuspenseQuery(trpc.mail.status.queryOptions());
  const manages = isAtLeast(team.role, 'admin');
  return (
    <div className="ph-no-capture">
      {manages && !mail.isSetUp && (
        <div className={css['notice']}>
          <Callout tone="warn">
            <strong>{text.noMail}</strong> {text.noMailText}{' '}
            <Link href={`/team/${id}/mail`} className="link">
              {text.setUpMail}
            </Link>
          </Callout>
        </div>
      )}
      <MemberTable team={team} manages={manages} />
      {team.invitations !== null && team.invitations.length > 0 && (
        <Invited team={team} invitations={team.invitations} sends={mail.isSetUp} />
      )}
      <RoleList />
    </div>
  );
}

function MemberTable({ team, manages }: { team: TeamView; manages: boolean }) {
  const text = usePart(teamWords);
  return (
    <table className={css['members']}>
      <thead>
        <tr>
          <th scope="col">{text.member}</th>
          <th scope="col">{text.role}</th>
          {manages && (
            <>
              <th scope="col" className="wide-only">
                {text.lastActive}
              </th>
              <th scope="col" className="wide-only">
                {text.signIn}
              </th>
            </>
          )}
          <th scope="col">
            <span className="visually-hidden">{text.options}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {team.members.map((member) => (
          <MemberRow key={member.id} team={team} member={member} manages={manages} />
        ))}
      </tbody>
    </table>
  );
}

function RoleList() {
  const text = usePart(teamWords);
  return (
    <section className={css['section']} aria-labelledby="roles">
      <h2 id="roles">{text.canDo}</h2>
      <dl className={css['roles']}>
        {[...roles].reverse().map((role) => (
          <div key={role}>
            <dt>{text.roles[role]}</dt>
            <dd>{text.can[role]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
