/**
 * Prepares the first page after a start, where users were signed in lately: the rendering thread, the threads for counting, and the columns
 * of the *Overview* of the largest projects.
 */
import { breakdown, overview } from './insights/kinds/kinds.ts';
import type { Log } from './kit/log.ts';
import type { Parts } from './parts.ts';
import type { ScreensThread } from './screens-thread.ts';

const DAY_MS = 86_400_000;
/** Installations without users for longer are not prepared: it takes memory. */
const LATELY_MS = 14 * DAY_MS;
const MOST_PROJECTS = 3;

/** Begins the rendering thread. Never rejects. */
export async function openScreensEarly(
  { rooms: { accounts, deps } }: Pick<Parts, 'rooms'>,
  screens: Pick<ScreensThread, 'open'>,
): Promise<void> {
  try {
    if (await accounts.sessions.anySeen(deps.clock.now() - LATELY_MS)) await screens.open();
  } catch (error) {
    deps.log.debug({ err: error }, 'screens are not prepared');
  }
}

/** Reads what *Overview* shows first, project after project. Never rejects. */
export async function preload({ rooms, columns }: Parts, log: Log): Promise<void> {
  try {
    if (!(await rooms.accounts.sessions.anySeen(rooms.deps.clock.now() - LATELY_MS))) return;
    for (const id of await columns.largestProjects(MOST_PROJECTS)) {
      const project = await rooms.projects.byRef(String(id));
      if (project === null) continue;
      const scope = { ...project, seesPersons: false };
      const when = { range: 'last_28_days', compare: 'previous' } as const;
      await rooms.insights.query(overview, scope, { ...when, firstDay: true, per: 'visitor' });
      for (const dimension of ['page', 'source', 'country', 'deviceType'] as const)
        await rooms.insights.query(breakdown, scope, { ...when, dimension, limit: 8, per: 'visitor' });
    }
    await columns.warmUp();
  } catch (error) {
    log.debug({ err: error }, 'columns are not preloaded');
  }
}
