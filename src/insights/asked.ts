/** What every question of this room is about. */
import type { ProjectId } from '#src/projects/contract.ts';

/** What of a project the numbers depend on. */
export interface AskedProject {
  id: ProjectId;
  timeZone: string;
  weekStart: 0 | 1;
}

/** Names of the events that are views. */
export const viewNames = ['$pageview', '$screen'];
