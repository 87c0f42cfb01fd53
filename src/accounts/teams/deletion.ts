/**
 * Deletion of a team or project. It can be undone for a week, in which everything continues to work. Then a recurring job closes it
 * and deletes all its rows in all rooms. Every step can be interrupted and repeated.
 */
import type { Knex } from 'knex';
import { AppError, forbidden, invalid, notFound } from '#src/kit/errors.ts';
import { throwFailures } from '#src/kit/failures.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { MailData } from '#src/mail/contract.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import {
  closeProject,
  dueProjects,
  endProjectsOf,
  type Forget,
  forgetProject,
  requestDeletion,
  undoDeletion,
} from '#src/projects/forget.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Audit } from '../audit.ts';
import { DELETION_DAYS } from './contract.ts';
import * as queries from './deletion-queries.ts';
import { hasBuiltIn, lockTeam, owners, roleOf } from './queries.ts';
import { type Acting, entryOf } from './teams.ts';

export interface Deletion {
  /**
   * @param name what the caller has typed
   * @returns when it will be deleted, ms
   * @throws AppError `invalid` with field `name`, `conflict` for the team of the built-in project
   */
  askTeam(by: Acting, name: string): Promise<number>;
  /** @throws AppError `conflict` when no deletion is pending */
  undoTeam(by: Acting): Promise<void>;
  /** @throws AppError as `askTeam` */
  askProject(by: Acting, project: Project, name: string): Promise<number>;
  /** @throws AppError as `undoTeam` */
  undoProject(by: Acting, project: Project): Promise<void>;
  /** Recurring work. `forgets` are the rooms' own parts, in order. */
  run(signal: AbortSignal, forgets: readonly Forget[]): Promise<void>;
}

type Letter =
  | { kind: 'teamDeletion'; data: MailData['teamDeletion'] }
  | { kind: 'projectDeletion'; data: MailData['projectDeletion'] };

/** Every process remembers tokens for half a minute. */
const CLOSING_MS = 60_000;
/** Events that waited on some disk may come late. */
const SWEEPS_MS = 30 * dayMs;

export function createDeletion(
  { config, db, clock, log }: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  { audit, mail }: { audit: Audit; mail: Pick<Mail, 'send'> },
): Deletion {
  async function close(signal: AbortSignal): Promise<void> {
    const now = clock.now();
    for (const team of await queries.dueTeams(db, now)) await endProjectsOf(db, team.id, now);
    for (const { id, team_id: teamId, name } of await dueProjects(db, now)) {
      signal.throwIfAborted();
      await db.transaction(async (trx) => {
        await closeProject(trx, id);
        await queries.noteClosed(trx, id, now);
        await audit.note(trx, { teamId, actor: { name: 'Luneta' }, action: 'project.deleted', details: { name } });
      });
      log.info({ project: id }, 'deleting project');
    }
    for (const team of await queries.dueTeams(db, now)) {
      await queries.deleteTeam(db, team.id, now);
      log.info({ team: team.id }, 'team deleted');
    }
  }

  /** Deletes every row of a project in all rooms. */
  async function erase(project: ProjectId, isFirst: boolean, forgets: readonly Forget[], signal: AbortSignal) {
    for (const forget of forgets) await forget(db, project, signal);
    await queries.unlinkAudit(db, project);
    await forgetProject(db, project, signal);
    await queries.noteErased(db, project, clock.now());
    if (isFirst) log.info({ project }, 'project deleted');
  }

  const addressOf = (path: string) => `${new URL(path, config.PUBLIC_APP_URL)}`;

  /** @param letter makes each owner's mail */
  async function tellOwners(
    on: Knex,
    by: Acting,
    deletesAt: number,
    letter: (deletion: { by: string; deletesAt: number; timeZone: string }) => Letter,
  ): Promise<void> {
    for (const owner of await owners(on, by.team)) {
      await mail.send(on, {
        ...letter({ by: by.reader.name, deletesAt, timeZone: owner.time_zone }),
        to: owner.email,
        language: owner.language === 'pt-BR' ? 'pt-BR' : 'en',
        teamId: by.team,
        readableBy: 'owner',
        until: deletesAt,
      });
    }
  }

  return {
    askTeam: (by, typed) =>
      db.transaction(async (trx) => {
        const { name, deletes_at } = await lockTeam(trx, by.team);
        await requireOwner(trx, by);
        checkName(typed, name);
        if (deletes_at !== null) return deletes_at;
        if (await hasBuiltIn(trx, by.team)) {
          throw new AppError('conflict', 'This team contains Luneta’s own project and can’t be deleted.', {
            field: 'team',
          });
        }
        const deletesAt = clock.now() + DELETION_DAYS * dayMs;
        await queries.setDeletion(trx, by.team, deletesAt);
        await audit.note(trx, entryOf(by, 'team.deletionAsked', { name }));
        await tellOwners(trx, by, deletesAt, (owner) => ({
          kind: 'teamDeletion',
          data: { link: addressOf(`/team/${by.team}/settings`), team: name, ...owner },
        }));
        return deletesAt;
      }),
    undoTeam: (by) =>
      db.transaction(async (trx) => {
        const { name, deletes_at } = await lockTeam(trx, by.team);
        await requireOwner(trx, by);
        if (deletes_at === null || deletes_at <= clock.now()) throw notWaiting();
        await queries.setDeletion(trx, by.team, null);
        await audit.note(trx, entryOf(by, 'team.deletionUndone', { name }));
      }),
    askProject: (by, project, typed) =>
      db.transaction(async (trx) => {
        checkName(typed, project.name);
        if (project.builtIn)
          throw new AppError('conflict', 'Luneta’s own project can’t be deleted.', { field: 'project' });
        const deletesAt = clock.now() + DELETION_DAYS * dayMs;
        if (!(await requestDeletion(trx, project.id, deletesAt))) return project.deletesAt ?? deletesAt;
        const { name, id: projectId } = project;
        await audit.note(trx, { ...entryOf(by, 'project.deletionAsked', { name }), projectId });
        const { name: team } = await lockTeam(trx, by.team);
        await tellOwners(trx, by, deletesAt, (owner) => ({
          kind: 'projectDeletion',
          data: { link: addressOf(`/project/${projectId}/settings`), project: name, team, ...owner },
        }));
        return deletesAt;
      }),
    undoProject: (by, project) =>
      db.transaction(async (trx) => {
        if (!(await undoDeletion(trx, project.id, clock.now()))) throw notWaiting();
        const { name, id: projectId } = project;
        await audit.note(trx, { ...entryOf(by, 'project.deletionUndone', { name }), projectId });
      }),
    async run(signal, forgets) {
      await close(signal);
      const now = clock.now();
      const due = { closedBefore: now - CLOSING_MS, sweptBefore: now - dayMs };
      const failures: unknown[] = [];
      for (const { id, erased_at } of await queries.toErase(db, due)) {
        signal.throwIfAborted();
        // A failure of one does not block the others.
        await erase(id, erased_at === null, forgets, signal).catch((error: unknown) => failures.push(error));
      }
      await queries.forgetGone(db, now - SWEEPS_MS);
      throwFailures(failures);
    },
  };
}

async function requireOwner(on: Parameters<typeof roleOf>[0], by: Acting): Promise<void> {
  const own = await roleOf(on, by.team, by.reader.id);
  if (own === null) throw notFound('team');
  if (own.role !== 'owner') throw forbidden();
}

function checkName(typed: string, name: string): void {
  if (typed.trim().normalize('NFC') === name.trim().normalize('NFC')) return;
  throw invalid('name', 'Name doesn’t match. Enter it exactly as shown.');
}

function notWaiting(): AppError {
  return new AppError('conflict', 'No deletion is scheduled, or it can no longer be canceled.');
}
