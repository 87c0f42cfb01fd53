/** How groups are called where they are counted: as the project calls them, which readers of public links do not learn. */
import { type GroupSubject, groupTypeOf } from '#src/columns/values.ts';
import { useGroupTypes } from '#views/frame/group-types.ts';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { usePart } from '#views/words/words.tsx';

/** Several of them. */
export function useGroupNames(): (subject: GroupSubject) => string {
  const own = usePart(countedGroupWords);
  const types = useGroupTypes();
  return (subject) => types.find(({ type }) => type === groupTypeOf(subject))?.plural ?? own.groups;
}

/** Both, as measures of trends name them. */
export function useMeasuredGroups(): { unique(subject: GroupSubject): string; plural(subject: GroupSubject): string } {
  return { unique: useGroupMeasure(), plural: useGroupNames() };
}

/** The measure of trends that counts them. */
export function useGroupMeasure(): (subject: GroupSubject) => string {
  const own = usePart(countedGroupWords);
  const nameOf = useGroupNames();
  return (subject) => own.unique(nameOf(subject));
}
