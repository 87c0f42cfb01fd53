/**
 * Events with implausibly early dates. Anyone can send them with the public token, by a wrong clock or on purpose. `all_time`
 * excludes them; here they are counted and deleted.
 */
import type { Columns } from '#src/columns/columns.ts';
import { EARLIEST_PLAUSIBLE } from '#src/columns/values.ts';
import type { History } from '#src/events/history.ts';
import { AppError } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { connectDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { DeletedEarly, EarlyEvents } from './contract.ts';

export interface Early {
  /** @throws AppError `timeout` */
  find(projectId: ProjectId): Promise<EarlyEvents>;
  /**
   * Deletes for a few seconds; is called again until it is done.
   *
   * @param before as `find` gave it
   * @throws AppError `conflict` when other events are the early ones by now
   */
  remove(projectId: ProjectId, before: number): Promise<DeletedEarly>;
}

/** Maximum time of one call, ms, so that progress can be shown. */
const REMOVAL_MS = 3_000;

type EarlyDeps = Pick<Deps, 'config' | 'clock' | 'log'>;

export function createEarly(
  { config, clock, log }: EarlyDeps,
  { columns, history }: { columns: Pick<Columns, 'firstEvents'>; history: Pick<History, 'deleteBefore'> },
): Early {
  async function find(projectId: ProjectId): Promise<EarlyEvents> {
    const { plausible, early } = await columns.firstEvents(projectId);
    return { events: early, before: early === 0 ? null : (plausible ?? EARLIEST_PLAUSIBLE) };
  }
  return {
    find,
    async remove(projectId, before) {
      const found = await find(projectId);
      if (found.before === null) return { events: 0, isDone: true };
      if (found.before !== before)
        throw new AppError('conflict', 'Other events are the first ones by now. Reload the page.');
      const client = await connectDirect(config, ({ message }) =>
        log.warn({ reason: message }, 'the connection of a deletion failed'),
      );
      const until = clock.elapsed() + REMOVAL_MS;
      try {
        return await history.deleteBefore(client, projectId, before, () => clock.elapsed() < until);
      } finally {
        await client.end();
      }
    },
  };
}
