/** Names of what the project calls its groups. Pure. */
import { type GroupSubject, groupTypeOf } from '#src/columns/values.ts';
import type { GroupTypeName } from '#src/projects/contract.ts';

/** The type that a subject of conditions, or a measure, means; as queries call it where it is not known. Pure. */
export function groupTypeName(types: readonly GroupTypeName[], subject: GroupSubject): GroupTypeName {
  const type = groupTypeOf(subject);
  return types.find((each) => each.type === type) ?? { type, name: subject, singular: subject, plural: subject };
}
