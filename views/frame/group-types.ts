/** What the project of the address calls its groups, such as companies. */
import type { GroupTypeName } from '#src/projects/contract.ts';
import { useProjects } from './queries.ts';

const none: readonly GroupTypeName[] = [];

/** None until the projects are known, and on screens without one. */
export function useGroupTypes(): readonly GroupTypeName[] {
  return useProjects()?.current?.groupTypes ?? none;
}
