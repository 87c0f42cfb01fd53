/**
 * What must not compile: a number that came in with a request in the place of one that a room gave. Checked by the compiler alone
 * (part of `npm run check`): a line below that compiles is an unused `@ts-expect-error`, which fails it.
 */
import type { Accounts } from '#src/accounts/accounts.ts';
import type { TeamId, UserId } from '#src/accounts/contract.ts';
import type { Acting } from '#src/accounts/teams/teams.ts';
import type { Live } from '#src/events/live.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Forget } from '#src/projects/forget.ts';

declare const input: { project: number; team: number; user: number };
declare const accounts: Accounts;
declare const live: Live;
declare const forget: Forget;
declare const acting: Omit<Acting, 'team'>;

export function mustNotCompile(): unknown[] {
  // @ts-expect-error a number is no project
  const project: ProjectId = input.project;
  // @ts-expect-error a number is no team
  const team: TeamId = input.team;
  // @ts-expect-error a number is no person
  const user: UserId = input.user;
  return [
    ...[project, team, user],
    // @ts-expect-error the log of a team that was only named
    accounts.audit.list(input.team, {}),
    // @ts-expect-error a team that was only named
    accounts.teams.view({ ...acting, team: input.team }),
    // @ts-expect-error a project that was only named
    live.snapshot(input.project),
    // @ts-expect-error a project that was only named
    forget(undefined as never, input.project, AbortSignal.timeout(0)),
    // @ts-expect-error a team in the place of a project
    live.snapshot(input.team as TeamId),
  ];
}
