/** Whether a project's insights run on ClickHouse: switched by its admins, with what they need to know of the copy. */
import type { Knex } from 'knex';
import type { NoteChange } from '#src/accounts/note-change.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import { MAX_COPY_LAG_MS, type ProjectCopy } from './contract.ts';
import * as state from './state.ts';

/** Waiting events that are looked at. */
const MAX_WAITING = 100_000;

export async function readProjectCopy(
  { clock, db }: Pick<Deps, 'clock' | 'db'>,
  projectId: number,
): Promise<ProjectCopy> {
  const [{ shipped, target, caughtUpAt, error }, switched] = await Promise.all([
    state.readState(db),
    state.readSwitched(db),
  ]);
  const { own, all } = await state.countWaiting(db, projectId, target === null ? 0 : shipped, MAX_WAITING);
  const at = clock.now();
  const isOn = switched.includes(projectId);
  return {
    at,
    isOn,
    isUsed: isOn && caughtUpAt !== null && at - caughtUpAt <= MAX_COPY_LAG_MS,
    copiedUntil: caughtUpAt,
    waiting: own,
    isMore: all === MAX_WAITING,
    isFailing: error !== null,
  };
}

/**
 * @param note of the change; nothing changed: none
 * @throws AppError `conflict` while not everything is copied: figures of half of the events would look like those of all
 */
export async function switchProject(
  { db }: { db: Knex },
  { id, name }: { id: number; name: string },
  isOn: boolean,
  note: NoteChange,
): Promise<void> {
  await db.transaction(async (transaction) => {
    const { caughtUpAt } = await state.readState(transaction);
    if (isOn && caughtUpAt === null) throw new AppError('conflict', 'Not everything is copied to ClickHouse yet.');
    const changed = await state.switchProjects(transaction, [id], isOn);
    if (changed > 0) await note(transaction, name);
  });
}
