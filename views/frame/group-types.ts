/** What the project of the address calls its groups, such as companies. */
import { type GroupSubject, groupTypeOf } from '#src/columns/values.ts';
import type { GroupTypeName } from '#src/projects/contract.ts';
import { useProjects } from './queries.ts';

const none: readonly GroupTypeName[] = [];

/** None until the projects are known, and on screens without one. */
export function useGroupTypes(): readonly GroupTypeName[] {
  return useProjects()?.current?.groupTypes ?? none;
}

/** The type that a subject of conditions, or a measure, means; as queries call it where it is not known. Pure. */
export function groupTypeName(types: readonly GroupTypeName[], subject: GroupSubject): GroupTypeName {
  const type = groupTypeOf(subject);
  return types.find((each) => each.type === type) ?? { type, name: subject, singular: subject, plural: subject };
}
