/**
 * Marks projects on their first external event: a page on another host than Luneta's, or, for projects other than
 * Luneta's own, an event without a page. Until then a project shows the install card.
 */
import type { Pool } from 'pg';
import type { Projects } from '#src/projects/projects.ts';
import type { FinishedEvent } from './contract.ts';

export type OutsideNotes = (batch: readonly FinishedEvent[]) => Promise<void>;

/** @param write the pool that events are stored with: their replay holds a connection of the other one */
export function createOutsideNotes(
  appUrl: string,
  projects: Pick<Projects, 'noteOutsideEvent' | 'get'>,
  write: Pool,
): OutsideNotes {
  const ownHost = new URL(appUrl).host;
  const known = new Set<number>();
  const builtIn = new Map<number, boolean>();

  async function isBuiltIn(projectId: number): Promise<boolean> {
    const found = builtIn.get(projectId) ?? (await projects.get(projectId, write))?.builtIn ?? false;
    builtIn.set(projectId, found);
    return found;
  }

  return async (batch) => {
    for (const { projectId, groups, receivedAt } of batch) {
      if (known.has(projectId)) continue;
      const host = groups.page?.['$host'];
      if (host === ownHost || (host === undefined && (await isBuiltIn(projectId)))) continue;
      await projects.noteOutsideEvent(projectId, receivedAt);
      known.add(projectId);
    }
  };
}
