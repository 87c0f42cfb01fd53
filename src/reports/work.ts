/** The recurring work: sends what is due, to all recipients of all projects. */
import type { Knex } from 'knex';
import type { Deps } from '#src/store/deps.ts';
import { languageOf } from './answers.ts';
import { type ComposeParts, createComposer, type ReportProject } from './compose.ts';
import { createLedger } from './ledger.ts';
import * as queries from './queries.ts';
import { type Due, type SendDueParts, sendDue } from './send-due.ts';
import type { Subjects } from './subjects.ts';

interface WorkParts extends Pick<Deps, 'db' | 'clock' | 'log'> {
  composing: ComposeParts;
  subjects: Pick<Subjects, 'nameFor'>;
}

interface DueRecipient extends Due {
  row: Awaited<ReturnType<typeof queries.activeRecipients>>[number];
  scope: ReportProject;
}

/** @param reachedProject null: it is gone */
export async function workOff(
  { db, clock, log, composing, subjects }: WorkParts,
  reachedProject: (id: number) => Promise<ReportProject | null>,
  signal?: AbortSignal,
): Promise<void> {
  const known = new Map<number, ReportProject | null>();
  const rows = await queries.activeRecipients(db);
  for (const { project_id } of rows) {
    if (!known.has(project_id)) known.set(project_id, await reachedProject(project_id));
  }
  const recipients = rows.flatMap((row): DueRecipient[] => {
    const project = known.get(row.project_id) ?? null;
    return project === null ? [] : [{ ...dueOf(row), row, scope: project }];
  });
  const composer = createComposer(composing);
  const parts: SendDueParts<Knex.Transaction, DueRecipient> = {
    clock,
    log,
    ledger: createLedger(db),
    compose: ({ row, scope, schedule }, due) =>
      composer.compose(
        { project: scopeOf(scope, row), subject: row.subject, schedule, due },
        { email: row.email ?? row.address ?? '', language: languageOf(row.language), account: row.account },
      ),
    async onGone({ row, scope }) {
      // Hidden from one reader, it may be there for the others.
      if ((await subjects.nameFor(scope, row.subject, 'team')) !== null) return;
      await queries.noteProblem(db, row.report, 'gone');
    },
  };
  await sendDue(parts, recipients, signal);
}

function dueOf(row: Awaited<ReturnType<typeof queries.activeRecipients>>[number]): Due {
  return {
    recipient: row.id,
    report: row.report,
    project: row.project_id,
    schedule: row.schedule,
    timeZone: row.time_zone,
    since: row.since,
    lastDue: row.last_due,
  };
}

/** Nothing about persons to addresses outside the team, and to viewers. */
export function scopeOf(project: ReportProject, { role }: queries.RecipientRow): ReportProject {
  return { ...project, seesPersons: project.seesPersons && role !== null && role !== 'viewer' };
}
