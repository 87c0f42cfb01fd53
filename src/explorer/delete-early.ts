/** The command that deletes events with implausible dates, as the button in *Settings*; recorded in the team's log. */
import { createAudit } from '#src/accounts/audit.ts';
import type { Columns } from '#src/columns/columns.ts';
import { createHistory } from '#src/events/history.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { createProjects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import { createEarly } from './early.ts';

type CommandParts = Pick<Deps, 'config' | 'db' | 'write' | 'clock' | 'log'> & { columns: Pick<Columns, 'firstEvents'> };

/**
 * @param reference number or token of the project
 * @returns the name of the project, and how many events were deleted
 * @throws AppError `invalid`, `not_found`
 */
export async function deleteEarly(
  { columns, ...deps }: CommandParts,
  reference: string | undefined,
): Promise<{ name: string; events: number }> {
  if (!reference) throw new AppError('invalid', 'Name the project by its number: npm run delete-early -- PROJECT');
  const project = await createProjects(deps).byRef(reference);
  if (project === null) throw notFound('project');
  const { id, name, teamId } = project;
  const early = createEarly(deps, { columns, history: createHistory(deps) });
  const { before } = await early.find(id);
  let events = 0;
  for (let isDone = before === null; !isDone; ) {
    const step = await early.remove(id, before as number);
    events += step.events;
    isDone = step.isDone;
  }
  if (events > 0) {
    await createAudit(deps).note(deps.db, {
      teamId,
      projectId: id,
      actor: { name: 'npm run delete-early' },
      action: 'events.deleted',
      details: { events },
    });
  }
  return { name, events };
}
